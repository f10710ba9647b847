/** Values that depend on the seed, so that an answer that was learned by heart does not fit. */
export interface Vary {
  readonly seed: number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
}

/** Mulberry32: the same seed gives the same values on every machine. */
export function varyBy(seed: number): Vary {
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  return {
    seed,
    int,
    pick: ([first, ...others]) => [first, ...others][int(0, others.length)] ?? first,
  };
}
