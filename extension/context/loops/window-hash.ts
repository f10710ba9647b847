/** A power of two, larger than anything that is asked for again. */
const KEPT = 8192;
const BASE = 0x01000193;

/** The last characters of a text, and a hash of the very last ones that costs the same for each character. */
export class WindowHash {
  private readonly codes = new Uint16Array(KEPT);
  private readonly leaving: number;
  private hash = 0;
  /** How many characters there were. */
  length = 0;

  constructor(private readonly size: number) {
    let power = 1;
    for (let times = 0; times < size; times++) power = Math.imul(power, BASE);
    this.leaving = power;
  }

  add(code: number): void {
    // One more than its code, so that zeros count.
    const left = this.length < this.size ? 0 : (this.codes[(this.length - this.size) % KEPT] ?? 0) + 1;
    this.hash = (Math.imul(this.hash, BASE) + code + 1 - Math.imul(left, this.leaving)) | 0;
    this.codes[this.length++ % KEPT] = code;
  }

  clear(): void {
    this.hash = 0;
    this.length = 0;
  }

  /** Of the last characters, as many as the window has. Thirty bits, which is what V8 keeps as plain numbers. */
  get value(): number {
    return (this.hash ^ (this.hash >>> 16)) & 0x3fffffff;
  }

  text(from: number, to: number): string {
    const codes: number[] = [];
    for (let at = from; at < to; at++) codes.push(this.codes[at % KEPT] ?? 0);
    return String.fromCharCode(...codes);
  }
}
