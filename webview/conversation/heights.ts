import type { Reshaping } from '../state/transcript.ts';

/** Before anything was measured; a step is 24 px, an answer often ten times that. */
const FIRST_GUESS = 48;

/**
 * How high the entries are, from the first to the last: measured where they have been drawn, else guessed. The guess is
 * made once, from the first that were drawn: if it changed with each of them, the scrollbar would never be still.
 */
export class Heights {
  private sizes: number[] = [];
  private guess = FIRST_GUESS;
  private isCalibrated = false;

  get total(): number {
    return this.before(this.sizes.length);
  }

  reset(count: number): void {
    this.sizes = new Array<number>(count).fill(Number.NaN);
    this.isCalibrated = false;
  }

  /** The panel has another width: nothing measured is right any more. */
  forget(): void {
    this.reset(this.sizes.length);
  }

  apply(reshapings: readonly Reshaping[]): void {
    for (const change of reshapings) {
      if (change.op === 'cut') this.sizes.splice(change.at, change.count);
      else for (let n = 0; n < change.count; n++) this.sizes.push(Number.NaN);
    }
  }

  /** True when the guess is another one: what was laid out with the one before is not where it is thought to be. */
  measured(sizes: ReadonlyMap<number, number>): boolean {
    for (const [index, size] of sizes) if (index < this.sizes.length) this.sizes[index] = size;
    if (this.isCalibrated || sizes.size === 0) return false;
    this.isCalibrated = true;
    this.guess = [...sizes.values()].reduce((sum, size) => sum + size, 0) / sizes.size;
    return true;
  }

  /** Of the entries from `start` up to, and without, `end`. */
  between(start: number, end: number): number {
    let sum = 0;
    for (let index = start; index < end; index++) sum += this.of(index);
    return sum;
  }

  before(index: number): number {
    return this.between(0, Math.min(index, this.sizes.length));
  }

  /** The entry at this distance from the top of the first. */
  indexAt(offset: number): number {
    let bottom = 0;
    for (let index = 0; index < this.sizes.length; index++) {
      bottom += this.of(index);
      if (bottom > offset) return index;
    }
    return Math.max(0, this.sizes.length - 1);
  }

  private of(index: number): number {
    const size = this.sizes[index] ?? Number.NaN;
    return Number.isNaN(size) ? this.guess : size;
  }
}
