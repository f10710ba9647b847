import type { PolicyRule } from '../policy-types.ts';

/**
 * A regular expression for exactly this command in the canonical text of the arguments, where each top-level pair stands
 * between NUL characters.
 */
export function exactCommandPattern(command: string): string {
  const pair = `"command":${JSON.stringify(command)}`;
  return `\\x00${pair.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\x00`;
}

/** Whether somebody allowed this very text, and not just its beginning. */
export function isExactRule(rule: PolicyRule | undefined, command: string): boolean {
  return rule?.argsPattern?.source === new RegExp(exactCommandPattern(command)).source;
}
