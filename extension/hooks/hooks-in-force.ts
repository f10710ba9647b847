import { createHash } from 'node:crypto';
import { type CommandHook, type HookEvent, type HookGroup, hookName } from './hook-types.ts';
import type { HookFile, ReadHooks } from './read-hooks.ts';

/** A hook of the project or of an extension that requires approval. */
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
  readonly source: HookFile['source'];
}

/** Only the user's own files can skip approval. */
export function isOwnHook({ source }: Pick<HookFile, 'source'>): boolean {
  return source === 'user' || source === 'system';
}

/**
 * Decides which hooks of the files run. The user and the system can turn off any hook. A project or an extension can
 * turn off only its own hooks, so that it can't disable the user's guards, and only its accepted hooks run.
 */
export function hooksInForce(
  files: readonly HooksOfFile[],
  isAccepted: (hash: string) => boolean,
  contentsOf: (hook: CommandHook) => string,
): HooksInForce {
  const above = files.filter(isOwnHook);
  if (!above.every(({ enabled }) => enabled)) return { groups: [], waiting: [] };
  const waiting: WaitingHook[] = [];
  const mayRun = (group: HookGroup, hook: HookGroup['hooks'][number]): boolean => {
    if (hook.type !== 'command' || isOwnHook(hook)) return true;
    const hash = hookHash(group, hook, contentsOf(hook));
    if (isAccepted(hash)) return true;
    const { event, matcher } = group;
    waiting.push({ hash, event, ...(matcher !== undefined && { matcher }), hook });
    return false;
  };
  const groups = files.flatMap((file) => {
    if (!file.enabled) return [];
    const deciding = isOwnHook(file) ? above : [...above, file];
    const off = new Set(deciding.flatMap(({ disabled }) => disabled));
    return file.groups.map((group) => ({
      ...group,
      hooks: group.hooks.filter((hook) => !off.has(hookName(hook)) && mayRun(group, hook)),
    }));
  });
  return { groups: groups.filter(({ hooks }) => hooks.length > 0), waiting };
}

/**
 * Identifies everything that decides when a hook runs and what it does, including the contents of the files that it
 * starts. Any change makes it another hook, which requires approval again.
 */
function hookHash(
  { event, matcher, sequential }: Omit<HookGroup, 'hooks'>,
  hook: CommandHook,
  contents: string,
): string {
  const { command, name, timeoutMs, env = {}, sandbox } = hook;
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const held = sandbox === undefined ? [] : [{ sandbox }];
  const definition = [event, matcher ?? null, sequential, command, name ?? null, timeoutMs ?? null, variables, ...held];
  return createHash('sha256')
    .update(JSON.stringify(contents === '' ? definition : [...definition, contents]))
    .digest('hex');
}
