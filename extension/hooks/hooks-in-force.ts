import type { SettingsFile } from '../policy/settings-files.ts';
import { hookHash } from './hook-hash.ts';
import { type CommandHook, type HookEvent, type HookGroup, hookName } from './hook-types.ts';
import type { ReadHooks } from './read-hooks.ts';

/** A hook of the project that runs only after the user has seen and accepted it. */
export interface WaitingHook {
  readonly hash: string;
  readonly event: HookEvent;
  readonly matcher?: string;
  readonly hook: CommandHook;
}

export interface HooksInForce {
  readonly groups: readonly HookGroup[];
  readonly waiting: readonly WaitingHook[];
}

export interface HooksOfFile extends Pick<ReadHooks, 'groups' | 'enabled' | 'disabled'> {
  readonly source: SettingsFile['source'];
}

/**
 * Which hooks of the files run. What the user or the system turns off is off; what a project turns off is its own, so that
 * it cannot turn off the user's guards. Of a project only accepted hooks run.
 */
export function hooksInForce(files: readonly HooksOfFile[], isAccepted: (hash: string) => boolean): HooksInForce {
  const above = files.filter(({ source }) => source !== 'project');
  if (!above.every(({ enabled }) => enabled)) return { groups: [], waiting: [] };
  const waiting: WaitingHook[] = [];
  const mayRun = (group: HookGroup, hook: HookGroup['hooks'][number]): boolean => {
    if (hook.type !== 'command' || hook.source !== 'project') return true;
    const hash = hookHash(group, hook);
    if (isAccepted(hash)) return true;
    const { event, matcher } = group;
    waiting.push({ hash, event, ...(matcher !== undefined && { matcher }), hook });
    return false;
  };
  const groups = files.flatMap((file) => {
    if (!file.enabled) return [];
    const deciding = file.source === 'project' ? [...above, file] : above;
    const off = new Set(deciding.flatMap(({ disabled }) => disabled));
    return file.groups.map((group) => ({
      ...group,
      hooks: group.hooks.filter((hook) => !off.has(hookName(hook)) && mayRun(group, hook)),
    }));
  });
  return { groups: groups.filter(({ hooks }) => hooks.length > 0), waiting };
}
