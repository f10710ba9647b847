import * as l10n from '@vscode/l10n';
import { errorText } from '../../base/errors.ts';
import type { Decision } from '../policy-types.ts';
import { linearPattern, type Pattern } from './linear-pattern.ts';

export type Compiled = { readonly pattern: Pattern } | { readonly fault: string };

/** Longer patterns are machine-made or hostile, and slow to test. */
const MAX_SOURCE = 2048;

/** Refuses invalid patterns and patterns that could take forever on a hostile text. */
export function compilePattern(source: string): Compiled {
  if (source.length > MAX_SOURCE) return { fault: l10n.t('the pattern is longer than {0} characters', MAX_SOURCE) };
  return linear(source);
}

function linear(source: string): Compiled {
  try {
    const pattern = linearPattern(new RegExp(source));
    return pattern ? { pattern } : { fault: takesLong() };
  } catch (error) {
    return { fault: errorText(error) };
  }
}

function takesLong(): string {
  return l10n.t(
    'the pattern could take forever on some texts: use no lookaheads, lookbehinds and references to groups, and repeat less',
  );
}

/**
 * Matches a command that equals the prefix or continues after a space. In a rule that allows, `git` must not cover
 * `git"x"`, which runs the command gitx. A rule that refuses or asks covers that too, and tabs and newlines, which JSON
 * writes with a backslash.
 */
export function prefixPattern(prefix: string, decision: Decision | undefined): string {
  return `${COMMAND}${escapePattern(JSON.stringify(prefix).slice(1, -1))}${endOf(decision)}`;
}

const COMMAND = '\\x00"command":"';

function endOf(decision: Decision | undefined): string {
  return decision === 'allow' ? '[ "]' : '(?:[ "]|\\\\["nrtfbu])';
}

/** What the commands that a prefix matches begin with in the text of the arguments, and what can follow. */
export interface CommandBeginning {
  readonly text: string;
  readonly ends: readonly string[];
}

/** Undefined for patterns that were not made of a `commandPrefix`. */
export function commandBeginning(source: string): CommandBeginning | undefined {
  const decision = source.endsWith(endOf('allow')) ? 'allow' : 'deny';
  const end = endOf(decision);
  if (!source.startsWith(COMMAND) || !source.endsWith(end)) return undefined;
  const written = source.slice(COMMAND.length, -end.length);
  const text = written.replace(/\\(.)/gs, '$1');
  if (escapePattern(text) !== written) return undefined;
  const others = ['"', 'n', 'r', 't', 'f', 'b', 'u'].map((letter) => `\\${letter}`);
  return { text: `\0"command":"${text}`, ends: [' ', '"', ...(decision === 'allow' ? [] : others)] };
}

/**
 * Matches at the beginning of the command. In a rule that allows, `git status|npm test` means two beginnings. In a rule
 * that refuses or asks, the second alternative may occur anywhere, as in Gemini CLI.
 */
export function compileCommandPattern(source: string, decision: Decision | undefined): Compiled {
  if (source.length > MAX_SOURCE) return compilePattern(source);
  const alone = isValid(source) ? undefined : compilePattern(source);
  return alone ?? linear(`${COMMAND}${decision === 'allow' ? `(?:${source})` : source}`);
}

/**
 * What a rule says about commands, from its compiled pattern. Undefined for patterns that weren't compiled from a
 * `commandPrefix` or a `commandRegex`.
 */
export function commandsIn(
  source: string,
  decision: Decision,
): { readonly prefix: string } | { readonly regex: string } | undefined {
  if (!source.startsWith(COMMAND)) return undefined;
  const about = source.slice(COMMAND.length);
  const end = endOf(decision);
  const quoted = about.endsWith(end) ? about.slice(0, -end.length).replace(/\\(.)/gs, '$1') : undefined;
  const prefix = quoted === undefined ? undefined : fromJson(`"${quoted}"`);
  if (prefix !== undefined && isSamePattern(prefixPattern(prefix, decision), source)) return { prefix };
  const regex = decision === 'allow' ? /^\(\?:(.*)\)$/s.exec(about)?.[1] : about;
  return regex !== undefined && isValid(regex) ? { regex } : undefined;
}

function isSamePattern(written: string, source: string): boolean {
  return isValid(written) && new RegExp(written).source === source;
}

function fromJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Checks the source alone: `a)(b` would be valid inside parentheses. */
function isValid(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
