import type { Beginning } from './pattern-beginning.ts';

export interface Ranked<T> {
  readonly rule: T;
  /** Its place among all rules: the lowest counts first. */
  readonly rank: number;
  readonly beginning: Beginning | undefined;
}

/** By how long the beginning is, then by the beginning. */
type ByBeginning<T> = Map<number, Map<string, Ranked<T>[]>>;

/** Rules by how the texts begin that their patterns match: of hundreds only those few are tried which a text may match. */
export class CandidateList<T> {
  /** Without a pattern, or with one of which too little is known. */
  private readonly always: Ranked<T>[] = [];
  private readonly byArgument = new Map<string, ByBeginning<T>>();

  constructor(candidates: readonly Ranked<T>[]) {
    for (const candidate of candidates) this.listFor(candidate).push(candidate);
    this.always.sort(byRank);
  }

  /** Highest first. The text of the arguments is only asked for when it matters. */
  for(text: () => string): readonly T[] {
    const found = this.byArgument.size === 0 ? [] : this.find(text());
    const candidates = found.length === 0 ? this.always : [...this.always, ...new Set(found)].sort(byRank);
    return candidates.map(({ rule }) => rule);
  }

  private find(text: string): readonly Ranked<T>[] {
    const found: Ranked<T>[] = [];
    for (const [argument, byLength] of this.byArgument) {
      for (let at = text.indexOf(argument); at >= 0; at = text.indexOf(argument, at + 1)) {
        for (const [length, byText] of byLength) found.push(...(byText.get(text.slice(at, at + length)) ?? []));
      }
    }
    return found;
  }

  private listFor({ beginning }: Ranked<T>): Ranked<T>[] {
    if (beginning === undefined) return this.always;
    const byLength = entry(this.byArgument, beginning.argument, (): ByBeginning<T> => new Map());
    const byText = entry(byLength, beginning.text.length, () => new Map<string, Ranked<T>[]>());
    return entry(byText, beginning.text, () => []);
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
