import { once } from '../../../base/once.ts';
import { escapePattern } from '../../../policy/rules/safe-pattern.ts';
import { endOfLine, reindent } from './line-blocks.ts';
import { lacksOneOf, type Region } from './region.ts';

interface Token {
  readonly text: string;
  /** Without white space before it, the token would be one word with the previous token. */
  readonly needsSpace: boolean;
}

/** Enough for any real file, but limited, so that a hostile file can't block the editor. */
const MAX_STEPS = 1_000_000;

const TOKEN = /[()[\]{}<>:=]|[^\s()[\]{}<>:=]+/g;
const wordCharacter = once(() => /[\p{L}\p{N}_$]/u);

/** Enough to tell most lines apart, and little enough for a regular expression. */
const MAX_BEGINNING_TOKENS = 6;
const MAX_BEGINNING_CHARS = 40;

/**
 * Finds the same words and symbols from the start of a line on, with any white space around `( ) [ ] { } < > : =` and
 * between words. A regular expression finds only the beginning, because one for everything would be as long as the
 * text from the model.
 */
export function findWithLooseSpace(text: string, wanted: string, replacement: string): Region[] {
  if (lacksOneOf(text, wanted.match(TOKEN) ?? [])) return [];
  const tokens = tokensOf(wanted);
  const beginning = beginningOf(tokens);
  const regions: Region[] = [];
  const budget = { steps: MAX_STEPS };
  for (let next = beginning.exec(text); next && budget.steps > 0; next = beginning.exec(text)) {
    const start = next.index;
    const end = matchAt(text, start, tokens, budget);
    beginning.lastIndex = endOfLine(text, end ?? start) + 1;
    if (end === undefined) continue;
    const actual = text.slice(start, end).split('\n');
    const quoted = wanted.trimEnd().split('\n');
    const lines = reindent(replacement.trimEnd().split('\n'), quoted.slice(0, 1), actual.slice(0, 1));
    regions.push({ start, end, text: replacement.trim() === '' ? '' : lines.join('\n') });
  }
  return regions;
}

/** Matches at the start of every line where the tokens can match. */
function beginningOf(tokens: readonly Token[]): RegExp {
  let source = '(?<![^\\n])[\\t\\v\\f\\r ]*';
  for (const [index, { text, needsSpace }] of tokens.slice(0, MAX_BEGINNING_TOKENS).entries()) {
    if (index > 0) source += needsSpace ? '[\\t-\\r ]+' : '[\\t-\\r ]*';
    source += escapePattern(text.slice(0, MAX_BEGINNING_CHARS));
    if (text.length > MAX_BEGINNING_CHARS) break;
  }
  return new RegExp(source, 'g');
}

function tokensOf(wanted: string): Token[] {
  const matches = [...wanted.matchAll(TOKEN)];
  return matches.map((match, index) => {
    const before = matches[index - 1];
    const touches = before !== undefined && before.index + before[0].length === match.index;
    const needsSpace =
      before !== undefined &&
      !touches &&
      wordCharacter().test(before[0].at(-1) ?? '') &&
      wordCharacter().test(match[0][0] ?? '');
    return { text: match[0], needsSpace };
  });
}

/** The end of the tokens if they match here, at the start of a line. */
function matchAt(
  text: string,
  lineStart: number,
  tokens: readonly Token[],
  budget: { steps: number },
): number | undefined {
  let at = lineStart;
  for (const { text: token, needsSpace } of tokens) {
    const from = at;
    while (isSpace(text, at) && !(from === lineStart && text[at] === '\n')) at++;
    budget.steps -= at - from + token.length;
    if (budget.steps < 0 || (needsSpace && at === from) || !text.startsWith(token, at)) return undefined;
    at += token.length;
  }
  // `value` must not match in `values`.
  const isCutWord = wordCharacter().test(text[at - 1] ?? '') && wordCharacter().test(text[at] ?? '');
  return tokens.length === 0 || isCutWord ? undefined : at;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
