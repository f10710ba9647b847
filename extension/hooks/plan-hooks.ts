import { HOOK_TRIGGERS, type Hook, type HookEvent, type HookGroup, isEventWithTool } from './hook-types.ts';

export interface HookPlan {
  readonly hooks: readonly Hook[];
  /** Hooks run one after the other, and each gets the changes of earlier ones. */
  readonly sequential: boolean;
}

/** The values that matchers are compared with: the tool, or the trigger of the event (`startup`, `exit`, `auto` …). */
export interface HookOccasion {
  readonly toolName?: string;
  readonly trigger?: string;
}

/** Decides which hooks run, each once, and how. Undefined if there are none. */
export function planHooks(
  groups: readonly HookGroup[],
  event: HookEvent,
  occasion: HookOccasion = {},
): HookPlan | undefined {
  const matching = groups.filter((group) => group.event === event && matches(group.matcher, event, occasion));
  const byKey = new Map<string, { readonly hook: Hook; readonly sequential: boolean }>();
  for (const { hooks, sequential } of matching) {
    for (const hook of hooks) {
      const key = hookKey(hook);
      if (!byKey.has(key)) byKey.set(key, { hook, sequential });
    }
  }
  const planned = [...byKey.values()];
  if (planned.length === 0) return undefined;
  return { hooks: planned.map(({ hook }) => hook), sequential: planned.some(({ sequential }) => sequential) };
}

function hookKey(hook: Hook): string {
  return hook.type === 'runtime' ? `${hook.name}:` : `${hook.name ?? ''}:${hook.command}`;
}

function matches(matcher: string | undefined, event: HookEvent, { toolName, trigger }: HookOccasion): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (isEventWithTool(event)) return toolName === undefined || matchesTool(matcher, toolName);
  return !HOOK_TRIGGERS.has(event) || trigger === undefined || trigger === matcher;
}

/** Treats the matcher as a regular expression for any part of the name. An invalid one is compared as plain text. */
function matchesTool(matcher: string, toolName: string): boolean {
  try {
    return new RegExp(matcher).test(toolName);
  } catch {
    return matcher === toolName;
  }
}
