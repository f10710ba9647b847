/** A power of two, larger than anything that is asked for again. */
const KEPT = 8192;
const BASES = [0x01000193, 0x85ebca6b] as const;
/** Numbers are exact up to 53 bits: 32 of one hash and 21 of another. */
const HIGH_BITS = 0x1fffff;
const HIGH = 2 ** 32;

/** The last characters of a text, and a hash of the very last ones that costs the same for each character. */
export class WindowHash {
  private readonly codes = new Uint16Array(KEPT);
  private readonly leaving: readonly [number, number];
  private low = 0;
  private high = 0;
  /** How many characters there were. */
  length = 0;

  constructor(private readonly size: number) {
    this.leaving = [power(BASES[0], size), power(BASES[1], size)];
  }

  add(code: number): void {
    const left = this.length < this.size ? 0 : (this.codes[(this.length - this.size) % KEPT] ?? 0) + 1;
    this.low = (Math.imul(this.low, BASES[0]) + code + 1 - Math.imul(left, this.leaving[0])) | 0;
    this.high = (Math.imul(this.high, BASES[1]) + code + 1 - Math.imul(left, this.leaving[1])) | 0;
    this.codes[this.length++ % KEPT] = code;
  }

  clear(): void {
    this.low = 0;
    this.high = 0;
    this.length = 0;
  }

  /** Of the last characters, as many as the window has. */
  get value(): number {
    return (this.low >>> 0) + (this.high & HIGH_BITS) * HIGH;
  }

  text(from: number, to: number): string {
    const codes: number[] = [];
    for (let at = from; at < to; at++) codes.push(this.codes[at % KEPT] ?? 0);
    return String.fromCharCode(...codes);
  }
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let times = 0; times < exponent; times++) product = Math.imul(product, base);
  return product;
}
