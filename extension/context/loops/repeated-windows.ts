import { once } from '../../base/once.ts';

/** Gemini CLI's numbers, which have proved themselves there. */
const WINDOW = 50;
const OCCURRENCES = 10;
const MEAN_DISTANCE = 250;
const DISTINCT_STRETCHES = 5;

/** Ten occurrences at that distance lie within 2,250 characters, so older positions are dropped. */
const KEPT = 5000;

/** Rules and dot leaders span a page. Longer runs are not layout any more. */
const LONGEST_RULE = 200;

/** Text that is repeated over and over. */
export interface Repetition {
  /** The number of characters at the end that only repeat the text before them. */
  readonly length: number;
  readonly sample: string;
}

/**
 * Slides a window over the text and remembers the positions of each content. The same content many times, close
 * together and with hardly any variation in between, is a loop. The cost per character is constant, regardless of the
 * chunks.
 */
export class RepeatedWindows {
  private readonly hash = new WindowHash(WINDOW);
  /** The last ten positions of each content, in two generations: those seen since `since`, and those seen before. */
  private recent = new Map<number, number[]>();
  private earlier = new Map<number, number[]>();
  private since = 0;
  /** The number of trailing characters that are neither letters nor digits. */
  private wordless = 0;

  add(piece: string): Repetition | undefined {
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      this.hash.add(code);
      this.wordless = isWord(code) ? 0 : this.wordless + 1;
      const places = this.isRule ? undefined : this.loopAt(this.hash.length - WINDOW);
      if (places) return this.repetition(places, piece.length - at - 1);
    }
    return undefined;
  }

  clear(): void {
    if (this.hash.length === 0) return;
    this.hash.clear();
    this.recent = new Map();
    this.earlier = new Map();
    this.since = 0;
    this.wordless = 0;
  }

  private get isRule(): boolean {
    return this.wordless >= WINDOW && this.wordless <= LONGEST_RULE;
  }

  /** The positions of the content of the window at `place`, if they form a loop. */
  private loopAt(place: number): readonly number[] | undefined {
    if (place < 0) return undefined;
    const places = this.placesOf(this.hash.value, place);
    places.push(place);
    if (places.length > OCCURRENCES) places.shift();
    const [first = 0] = places;
    if (places.length < OCCURRENCES || place - first > MEAN_DISTANCE * (OCCURRENCES - 1)) return undefined;
    return this.isRepeated(places) ? places : undefined;
  }

  private isRepeated(places: readonly number[]): boolean {
    // Different contents may have the same hash.
    const contents = new Set(places.map((place) => this.hash.text(place, place + WINDOW)));
    const stretches = new Set(places.slice(1).map((end, at) => this.hash.text(places[at] ?? 0, end)));
    return contents.size === 1 && stretches.size <= DISTINCT_STRETCHES;
  }

  private repetition(places: readonly number[], rest: number): Repetition {
    const [from = 0, to = 0] = places.slice(-2);
    const [, second = 0] = places;
    return { length: this.hash.length - second + rest, sample: this.hash.text(from, Math.max(to, from + WINDOW)) };
  }

  /** Drops contents that have not occurred for a while by discarding a whole generation. */
  private placesOf(content: number, place: number): number[] {
    if (place - this.since > KEPT) {
      this.earlier = this.recent;
      this.recent = new Map();
      this.since = place;
    }
    const known = this.recent.get(content);
    if (known) return known;
    const places = this.earlier.get(content) ?? [];
    this.recent.set(content, places);
    return places;
  }
}

const isWordCharacter = once(() => /[\p{L}\p{N}]/u);
const ASCII_WORDS = Array.from({ length: 128 }, (_, code) => /[A-Za-z0-9]/.test(String.fromCharCode(code)));

/** Surrogates do not count as letters: most characters beyond the basic plane are symbols. */
function isWord(code: number): boolean {
  return ASCII_WORDS[code] ?? isWordCharacter().test(String.fromCharCode(code));
}

/** A power of two, larger than the distance of any character that is read again. */
const RING = 8192;
const BASE = 0x01000193;

/** The last characters of a text, with a rolling hash over the window at its end. */
class WindowHash {
  private readonly codes = new Uint16Array(RING);
  private readonly leaving: number;
  private hash = 0;
  /** The number of characters so far. */
  length = 0;

  constructor(private readonly size: number) {
    let power = 1;
    for (let times = 0; times < size; times++) power = Math.imul(power, BASE);
    this.leaving = power;
  }

  add(code: number): void {
    // Adds one to the code, so that zeros count.
    const left = this.length < this.size ? 0 : (this.codes[(this.length - this.size) % RING] ?? 0) + 1;
    this.hash = (Math.imul(this.hash, BASE) + code + 1 - Math.imul(left, this.leaving)) | 0;
    this.codes[this.length++ % RING] = code;
  }

  clear(): void {
    this.hash = 0;
    this.length = 0;
  }

  /** The hash of the window. It has 30 bits, which V8 stores as a small integer. */
  get value(): number {
    return (this.hash ^ (this.hash >>> 16)) & 0x3fffffff;
  }

  text(from: number, to: number): string {
    const codes: number[] = [];
    for (let at = from; at < to; at++) codes.push(this.codes[at % RING] ?? 0);
    return String.fromCharCode(...codes);
  }
}
