import { createHash } from 'node:crypto';
import type { CommandHook, HookGroup } from './hook-types.ts';

/**
 * Stands for everything that decides when a hook runs and what it does, also the contents of the files that it starts: a change of any of
 * it is another hook.
 */
export function hookHash(
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
