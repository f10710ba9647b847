import type { PolicyRule } from '../policy-types.ts';
import { escapePattern } from './safe-pattern.ts';

/** Source of a pattern for calls with exactly this command. */
export function exactCommandPattern(command: string): string {
  return argumentPattern('command', command);
}

/** Source of a pattern for calls in which this argument, such as `file_path`, has exactly this value. */
export function pathPattern(argName: string, value: string): string {
  return argumentPattern(argName, value);
}

/** Whether the rule was made for this very command: then its parts need no rules of their own to run. */
export function coversExactly({ argsPattern }: Pick<PolicyRule, 'argsPattern'>, command: string): boolean {
  // Compared as compiled: a slash is written differently then.
  return argsPattern !== undefined && argsPattern.source === new RegExp(exactCommandPattern(command)).source;
}

/** Between the NULs that only real arguments have around them; written as an escape, so that it fits in a file. */
function argumentPattern(name: string, value: string): string {
  return `\\x00${escapePattern(`${JSON.stringify(name)}:${JSON.stringify(value)}`)}\\x00`;
}
