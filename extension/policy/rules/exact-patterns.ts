import type { PolicyRule } from '../policy-types.ts';
import { escapePattern } from './safe-pattern.ts';

/** The source of a pattern for calls with exactly this command. */
export function exactCommandPattern(command: string): string {
  return argumentPattern('command', command);
}

/** The source of a pattern for calls in which this argument, such as `file_path`, has exactly this value. */
export function pathPattern(argName: string, value: string): string {
  return argumentPattern(argName, value);
}

/** Whether the rule was made for exactly this command. Then parts of the command need no rules of their own. */
export function coversExactly({ argsPattern }: Pick<PolicyRule, 'argsPattern'>, command: string): boolean {
  // Compares compiled sources, because compiling writes a slash differently.
  return argsPattern !== undefined && argsPattern.source === new RegExp(exactCommandPattern(command)).source;
}

/** Only real arguments are surrounded by NULs. The NUL is written as an escape so that it can be saved in a file. */
function argumentPattern(name: string, value: string): string {
  return `\\x00${escapePattern(`${JSON.stringify(name)}:${JSON.stringify(value)}`)}\\x00`;
}
