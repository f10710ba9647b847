import { LinearEngine } from './linear-engine.ts';

/** A regular expression or an equivalent test of a text. Its time is bounded by the length of the text. */
export type Pattern = Pick<RegExp, 'source' | 'flags' | 'test'>;

/**
 * A pattern that matches like JavaScript's, but in time that grows only with the text. JavaScript's engine backtracks,
 * so it only gets patterns that are proven to be quick there. Other patterns run in the slower `LinearEngine`; those
 * with lookarounds or backreferences are refused.
 */
export function linearPattern(pattern: RegExp): Pattern | undefined {
  const { source } = pattern;
  const tokens = withoutFreeEnds(tokensOf(source));
  if (isQuick(tokens)) {
    const shorter = tokens.join('');
    if (shorter === source) return pattern;
    const quick = new RegExp(shorter);
    return { source, flags: '', test: (text) => quick.test(text) };
  }
  const engine = LinearEngine.of(tokens);
  return engine && { source, flags: '', test: (text) => engine.test(text) };
}

/** Whether JavaScript's own engine is quick with a pattern, whatever the text. */
export function isQuickPattern(source: string): boolean {
  return isQuick(tokensOf(source));
}

const CLASS = String.raw`\[(?:\\[\s\S]|[^\]\\])*\]`;
const ESCAPE = String.raw`\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|c[A-Za-z]|k<[^>]*>|[0-9]+|[\s\S])`;
const TOKEN = new RegExp(
  String.raw`${CLASS}|${ESCAPE}|\(\?(?:[:=!]|<[=!]|<[^>]*>)|\{\d+(?:,\d*)?\}\??|[*+?]\??|[\s\S]`,
  'g',
);
const QUANTIFIER = /^(?:[*+?]\??|\{\d.*)$/;
const UNBOUNDED = /^(?:[*+]\??|\{\d+,\}\??)$/;
/** A pattern with more ways to match at one position is not quick. */
const MOST_WAYS = 1000;

function tokensOf(source: string): string[] {
  return source.match(TOKEN) ?? [];
}

/** Drops unbounded repetitions such as `.*` and `[^"]*` at both ends: the pattern matches the same texts. */
function withoutFreeEnds(tokens: readonly string[]): string[] {
  if (hasAlternatives(tokens)) return [...tokens];
  const left = [...tokens];
  while (isAtom(left[0]) && UNBOUNDED.test(left[1] ?? ''))
    left.splice(isOptional(left[1]) ? 0 : 1, isOptional(left[1]) ? 2 : 1);
  while (isAtom(left.at(-2)) && UNBOUNDED.test(left.at(-1) ?? '')) left.splice(isOptional(left.at(-1)) ? -2 : -1);
  return left;
}

function isAtom(token = ')'): boolean {
  return !/^(?:\(.*|[)|^$])$/s.test(token) && !/^\\(?:[bB]|\d|k)/.test(token) && !QUANTIFIER.test(token);
}

function isOptional(quantifier = ''): boolean {
  return quantifier.startsWith('*') || quantifier.startsWith('{0,');
}

function hasAlternatives(tokens: readonly string[]): boolean {
  let depth = 0;
  return tokens.some((token) => {
    if (token.startsWith('(')) depth++;
    if (token === ')') depth--;
    return token === '|' && depth === 0;
  });
}

/**
 * With a single unbounded repetition, one attempt takes time proportional to the text, and JavaScript makes an attempt
 * at every character unless the pattern fixes its beginning. Every other choice at least doubles the work, also in
 * lookarounds.
 */
function isQuick(tokens: readonly string[]): boolean {
  let [unbounded, ways] = [0, 1];
  const groups = [{ hasChoice: false, alternatives: 1 }];
  for (const [at, token] of tokens.entries()) {
    const group = groups.at(-1) ?? { hasChoice: true, alternatives: 1 };
    if (token.startsWith('(')) groups.push({ hasChoice: false, alternatives: 1 });
    else if (token === ')') {
      if (group.hasChoice && QUANTIFIER.test(tokens[at + 1] ?? '')) return false;
      ways *= group.alternatives;
      groups.pop();
      const around = groups.at(-1);
      if (around) around.hasChoice ||= group.hasChoice;
    } else if (token === '|') {
      group.hasChoice = true;
      group.alternatives++;
    } else if (QUANTIFIER.test(token)) {
      group.hasChoice = true;
      if (UNBOUNDED.test(token)) unbounded++;
      else ways *= token.startsWith('?') ? 2 : Number(/\d+(?=\}\??$)/.exec(token)?.[0] ?? MOST_WAYS);
    }
  }
  return unbounded + (hasBeginning(tokens) ? 0 : 1) <= 1 && ways <= MOST_WAYS;
}

/** Whether the pattern starts at the beginning of the text or at the name of an argument, which occurs only once. */
function hasBeginning(tokens: readonly string[]): boolean {
  return !hasAlternatives(tokens) && /^(?:\^|\\x00"\w+":)/.test(tokens.join(''));
}
