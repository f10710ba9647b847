import { errorText } from '../../base/errors.ts';
import type { Decision } from '../policy-types.ts';
import { linearPattern, type Pattern } from './linear-pattern.ts';

export type Compiled = { readonly pattern: Pattern } | { readonly fault: string };

/** Longer ones are machine-made or hostile, and slow to test. */
const MAX_SOURCE = 2048;

/** Refuses what cannot be compiled and what could take for ever on a text made for that purpose. */
export function compilePattern(source: string): Compiled {
  if (source.length > MAX_SOURCE) return { fault: `the pattern is longer than ${MAX_SOURCE} characters` };
  return linear(source);
}

function linear(source: string): Compiled {
  try {
    const pattern = linearPattern(new RegExp(source));
    return pattern ? { pattern } : { fault: TAKES_LONG };
  } catch (error) {
    return { fault: errorText(error) };
  }
}

const TAKES_LONG =
  'the pattern could take for ever on some texts: leave out what looks ahead or back and what refers to a group, or repeat less';

/**
 * A command that is this prefix or continues after a blank. For a rule that allows, `git` must not cover `git"x"`, which
 * is the command gitx; one that refuses or asks covers it, and tabs and newlines, which JSON writes with a backslash.
 */
export function prefixPattern(prefix: string, decision: Decision | undefined): string {
  const end = decision === 'allow' ? '[ "]' : '(?:[ "]|\\\\["nrtfbu])';
  return `\\x00"command":"${escapePattern(JSON.stringify(prefix).slice(1, -1))}${end}`;
}

/**
 * At the beginning of the command. `git status|npm test` in a rule that allows means these two beginnings; in one that
 * refuses or asks the second may stand anywhere, as in Gemini CLI.
 */
export function compileCommandPattern(source: string, decision: Decision | undefined): Compiled {
  if (source.length > MAX_SOURCE) return compilePattern(source);
  const alone = isValid(source) ? undefined : compilePattern(source);
  return alone ?? linear(`\\x00"command":"${decision === 'allow' ? `(?:${source})` : source}`);
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** By itself: `a)(b` would be valid in brackets. */
function isValid(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
