import type { Pattern } from './linear-pattern.ts';

export interface Ranked<T> {
  readonly rule: T;
  /** The position among all rules. The lowest rank applies first. */
  readonly rank: number;
  /** Every text that matches the rule's pattern contains this text. */
  readonly required: string | undefined;
}

/** Rules by the length of their required text, then by the text itself. */
type ByText<T> = Map<number, Map<string, Ranked<T>[]>>;

/** Indexes rules by a text that their patterns require, so that only a few of hundreds are tested. */
export class CandidateList<T> {
  /** Rules without a pattern, or whose required text is unknown. */
  private readonly always: Ranked<T>[] = [];
  /** Rules by the beginning of their required text. Many begin with the same argument name, searched only once. */
  private readonly byOpening = new Map<string, ByText<T>>();

  private readonly candidates: readonly Ranked<T>[];

  constructor(candidates: readonly Ranked<T>[]) {
    this.candidates = [...candidates].sort(byRank);
    for (const candidate of this.candidates) this.listFor(candidate).push(candidate);
  }

  /** In order of rank. `text` is called only if a rule requires a text. */
  for(text: () => string): readonly T[] {
    const found = this.byOpening.size === 0 ? [] : this.find(text());
    const candidates = found.length === 0 ? this.always : [...this.always, ...new Set(found)].sort(byRank);
    return candidates.map(({ rule }) => rule);
  }

  /** All of them, in order of rank. */
  all(): readonly T[] {
    return this.candidates.map(({ rule }) => rule);
  }

  private find(text: string): readonly Ranked<T>[] {
    const found: Ranked<T>[] = [];
    for (const [opening, byLength] of this.byOpening) {
      for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) {
        for (const [length, byText] of byLength) found.push(...(byText.get(text.slice(at, at + length)) ?? []));
      }
    }
    return found;
  }

  private listFor({ required }: Ranked<T>): Ranked<T>[] {
    if (required === undefined) return this.always;
    const byLength = entry(this.byOpening, required.slice(0, MIN_REQUIRED), (): ByText<T> => new Map());
    const byText = entry(byLength, required.length, () => new Map<string, Ranked<T>[]>());
    return entry(byText, required, () => []);
  }
}

function byRank<T>(a: Ranked<T>, b: Ranked<T>): number {
  return a.rank - b.rank;
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** Shorter texts occur in too many arguments to distinguish patterns. */
const MIN_REQUIRED = 4;

/** One token of a pattern. Classes, counts and escapes are whole, so their characters are not read as literals. */
const TOKEN = /\[(?:\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\\x00|\\[\s\S]|[\s\S]/g;
const QUANTIFIER = /^(?:[*+?]|\{\d.*)$/;
/** A NUL, an escaped symbol, or a character without a special meaning. */
const LITERAL = /^(?:\\x00|\\[^\w]|[^\\^$.*+?()[\]{}|])$/;
const KNOWN_ESCAPE = /^\\[dDwWsSbB]$/;

/**
 * The longest text that every match of a pattern contains. Testing a pattern takes half a microsecond, searching its
 * text a tenth of that, which rules out most of 500 rules.
 */
export function requiredText(pattern: Pattern | undefined): string | undefined {
  if (pattern === undefined || pattern.flags !== '') return undefined;
  const [longest = ''] = literalsIn(pattern.source).sort((a, b) => b.length - a.length);
  return longest.length < MIN_REQUIRED ? undefined : longest;
}

/** The literal texts outside of all groups. None with top-level alternatives, because only one of them must match. */
function literalsIn(source: string): string[] {
  const literals: string[] = [];
  let literal: string[] = [];
  let depth = 0;
  let isUnderstood = true;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === '|' && depth === 0) return [];
    if (token === ')') depth--;
    if (depth === 0 && isUnderstood && LITERAL.test(token)) {
      literal.push(token === '\\x00' ? '\0' : token.slice(-1));
      continue;
    }
    // A repeated character can also be absent.
    if (QUANTIFIER.test(token)) literal.pop();
    literals.push(literal.join(''));
    literal = [];
    if (token === '(') depth++;
    // After an escape such as `\u0041`, the following characters may belong to it.
    if (/^\\\w/.test(token) && !KNOWN_ESCAPE.test(token)) isUnderstood = false;
  }
  return [...literals, literal.join('')];
}
