import type { Decision } from '../policy-types.ts';

export type Compiled = { readonly pattern: RegExp } | { readonly fault: string };

/** Longer ones are machine-made or hostile, and slow to test. */
const MAX_SOURCE = 2048;
const QUANTIFIERS = '*+?{';

/** Refuses what cannot be compiled and what could take for ever on a text made for that purpose. */
export function compilePattern(source: string): Compiled {
  if (source.length > MAX_SOURCE) return { fault: `the pattern is longer than ${MAX_SOURCE} characters` };
  if (repeatsRepetition(source)) return { fault: 'the pattern repeats a group that repeats something itself' };
  try {
    return { pattern: new RegExp(source) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * A command that is this prefix or goes on after a blank. For a rule that allows, `git` must not cover `git"x"`, which
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
  const alone = compilePattern(source);
  if ('fault' in alone) return alone;
  return { pattern: new RegExp(`\\x00"command":"${decision === 'allow' ? `(?:${source})` : source}`) };
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Takes escaped characters for what they look like: it would rather refuse a harmless pattern than miss one. */
function repeatsRepetition(source: string): boolean {
  let depth = 0;
  let repeats = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? '';
    const isEscaped = source[at - 1] === '\\' && source[at - 2] !== '\\';
    if (character === '(') depth++;
    else if (character === ')') {
      if (repeats && QUANTIFIERS.includes(source[at + 1] ?? ' ')) return true;
      if (!isEscaped) depth = Math.max(0, depth - 1);
    } else if (depth > 0 && QUANTIFIERS.includes(character)) repeats = true;
  }
  return false;
}
