import { MIN_REQUIRED } from './required-text.ts';

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

  constructor(candidates: readonly Ranked<T>[]) {
    for (const candidate of candidates) this.listFor(candidate).push(candidate);
    this.always.sort(byRank);
  }

  /** In order of rank. `text` is called only if a rule requires a text. */
  for(text: () => string): readonly T[] {
    const found = this.byOpening.size === 0 ? [] : this.find(text());
    const candidates = found.length === 0 ? this.always : [...this.always, ...new Set(found)].sort(byRank);
    return candidates.map(({ rule }) => rule);
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
