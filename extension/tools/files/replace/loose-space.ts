import { lacksOneOf, type Region } from './region.ts';
import { reindent } from './reindent.ts';

interface Token {
  readonly text: string;
  /** Without white space before it, the token would be one word with the previous token. */
  readonly needsSpace: boolean;
}

/** Enough for any real file, but limited, so that a hostile file can't block the editor. */
const MAX_STEPS = 2_000_000;

const TOKEN = /[()[\]{}<>:=]|[^\s()[\]{}<>:=]+/g;
const WORD = /[\p{L}\p{N}_$]/u;

/**
 * Finds the same words and symbols from the start of a line on, with any white space around `( ) [ ] { } < > : =` and
 * between words. Not a regular expression, because that would be as long as the text from the model.
 */
export function findWithLooseSpace(text: string, wanted: string, replacement: string): Region[] {
  const tokens = tokensOf(wanted);
  if (
    lacksOneOf(
      text,
      tokens.map((token) => token.text),
    )
  )
    return [];
  const regions: Region[] = [];
  const budget = { steps: MAX_STEPS };
  for (let start = 0; start <= text.length && budget.steps > 0; ) {
    const lineEnd = endOfLine(text, start);
    const end = matchAt(text, start, tokens, budget);
    if (end === undefined) {
      start = lineEnd + 1;
      continue;
    }
    const actual = text.slice(start, end).split('\n');
    const quoted = wanted.trimEnd().split('\n');
    const lines = reindent(replacement.trimEnd().split('\n'), quoted.slice(0, 1), actual.slice(0, 1));
    regions.push({ start, end, text: replacement.trim() === '' ? '' : lines.join('\n') });
    start = endOfLine(text, end) + 1;
  }
  return regions;
}

function tokensOf(wanted: string): Token[] {
  const matches = [...wanted.matchAll(TOKEN)];
  return matches.map((match, index) => {
    const before = matches[index - 1];
    const touches = before !== undefined && before.index + before[0].length === match.index;
    const wouldJoin = before !== undefined && WORD.test(before[0].at(-1) ?? '') && WORD.test(match[0][0] ?? '');
    return { text: match[0], needsSpace: wouldJoin && !touches };
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
  const isCutWord = WORD.test(text[at - 1] ?? '') && WORD.test(text[at] ?? '');
  return tokens.length === 0 || isCutWord ? undefined : at;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
