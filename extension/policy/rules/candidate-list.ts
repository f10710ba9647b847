import { MIN_REQUIRED } from './required-text.ts';

export interface Ranked<T> {
  readonly rule: T;
  /** Its place among all rules: the lowest counts first. */
  readonly rank: number;
  /** Without this text in it, no text matches the rule's pattern. */
  readonly required: string | undefined;
}

/** By how long the required text is, then by the text. */
type ByText<T> = Map<number, Map<string, Ranked<T>[]>>;

/** Rules by a text that their patterns require: of hundreds only those few are tried which a text may match. */
export class CandidateList<T> {
  /** Without a pattern, or with one of which too little is known. */
  private readonly always: Ranked<T>[] = [];
  /** By how the required text begins: many begin with the name of the same argument, which is looked for once. */
  private readonly byOpening = new Map<string, ByText<T>>();

  constructor(candidates: readonly Ranked<T>[]) {
    for (const candidate of candidates) this.listFor(candidate).push(candidate);
    this.always.sort(byRank);
  }

  /** Highest first. The text of the arguments is only asked for when it matters. */
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
