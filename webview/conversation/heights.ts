import type { Reshaping } from '../state/transcript.ts';

/** The estimate before the first measurement. A step is 24 px high, an answer often ten times that. */
const FIRST_GUESS = 48;

/**
 * The heights of all entries: measured if they have been drawn, otherwise estimated. The estimate is made once, from
 * the first drawn entries: if it changed with each of them, the scrollbar would never be still.
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

  /** The width of the panel changed, so the measurements are no longer valid. */
  forget(): void {
    this.reset(this.sizes.length);
  }

  apply(reshapings: readonly Reshaping[]): void {
    for (const change of reshapings) {
      if (change.op === 'cut') this.sizes.splice(change.at, change.count);
      else for (let n = 0; n < change.count; n++) this.sizes.push(Number.NaN);
    }
  }

  /** Returns true if the estimate changed, so entries are no longer where they were laid out. */
  measured(sizes: ReadonlyMap<number, number>): boolean {
    for (const [index, size] of sizes) if (index < this.sizes.length) this.sizes[index] = size;
    if (this.isCalibrated || sizes.size === 0) return false;
    this.isCalibrated = true;
    this.guess = [...sizes.values()].reduce((sum, size) => sum + size, 0) / sizes.size;
    return true;
  }

  /** The height of the entries from `start` up to, but not including, `end`. */
  between(start: number, end: number): number {
    let sum = 0;
    for (let index = start; index < end; index++) sum += this.of(index);
    return sum;
  }

  before(index: number): number {
    return this.between(0, Math.min(index, this.sizes.length));
  }

  /** The index of the entry at this distance from the top of the first one. */
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
