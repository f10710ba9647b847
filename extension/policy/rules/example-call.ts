import { isObject } from '../../base/objects.ts';
import type { PolicyCall, PolicyRule } from '../policy-types.ts';
import { isShellTool, SHELL_TOOL } from './known-tools.ts';
import { commandsIn } from './safe-pattern.ts';

/**
 * A call that a rule is about, for somebody who wants to try it: with its tool, and with the beginning of a command or the
 * argument that it names. A rule for every tool begins with an empty command.
 */
export function exampleCall({ toolName, argsPattern, decision }: PolicyRule): Pick<PolicyCall, 'name' | 'args'> {
  if (isShellTool(toolName) || toolName === '*') {
    const commands = argsPattern && commandsIn(argsPattern.source, decision);
    const command = commands && 'prefix' in commands ? commands.prefix : exactArguments(argsPattern)['command'];
    return { name: SHELL_TOOL, args: { command: typeof command === 'string' ? command : '' } };
  }
  return { name: toolName.replace(/\*$/, ''), args: exactArguments(argsPattern) };
}

/** The arguments of a pattern for exactly one value, as answers to questions have it. */
function exactArguments(pattern: PolicyRule['argsPattern']): Readonly<Record<string, unknown>> {
  const [, escaped] = /^\\x00(.*)\\x00$/s.exec(pattern?.source ?? '') ?? [];
  if (escaped === undefined) return {};
  try {
    const value: unknown = JSON.parse(`{${escaped.replace(/\\(.)/gs, '$1')}}`);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
