/** Measured on answers of Gemini models by the makers of Gemini CLI, who stop at the same numbers. */
const WINDOW = 50;
const OCCURRENCES = 10;
const MEAN_DISTANCE = 250;
const DISTINCT_STRETCHES = 5;

/** Ten occurrences at that distance lie within 2,250 characters: older text can be forgotten. */
const KEPT = 5000;

/** Rules and leaders of dots go across a page. What is longer is no drawing any more. */
const LONGEST_RULE = 200;

/** Words that come again and again. */
export interface Repetition {
  /** How many characters at the end only repeat what stands before them. */
  readonly length: number;
  readonly sample: string;
}

const WORD = /[\p{L}\p{N}]/u;

/**
 * A window slides over the text, and the places of each content are remembered: the same content again and again, close
 * together and with hardly anything else in between, is a loop. Each character costs the same, however the text comes.
 */
export class RepeatedWindows {
  private text = '';
  /** How much of the text was forgotten: places count from the last `clear`. */
  private forgotten = 0;
  /** The next window begins here. */
  private next = 0;
  private places = new Map<string, number[]>();
  /** How many characters up to the end of the window have no letter or digit among them. */
  private wordless = 0;
  private measured = 0;

  add(piece: string): Repetition | undefined {
    // A piece may be a whole answer: what is kept for it must not grow with it.
    for (let at = 0; at < piece.length; at += KEPT) {
      const found = this.slideOver(piece.slice(at, at + KEPT));
      if (found) return { ...found, length: found.length + Math.max(0, piece.length - at - KEPT) };
    }
    return undefined;
  }

  clear(): void {
    this.text = '';
    this.forgotten = 0;
    this.next = 0;
    this.places = new Map();
    this.wordless = 0;
    this.measured = 0;
  }

  private slideOver(piece: string): Repetition | undefined {
    this.text += piece;
    while (this.next + WINDOW <= this.length) {
      const place = this.next++;
      const places = this.isRule(place) ? undefined : this.loopAt(place);
      if (places) return this.repetition(places);
    }
    if (this.text.length > 2 * KEPT) this.forget();
    return undefined;
  }

  private get length(): number {
    return this.forgotten + this.text.length;
  }

  private isRule(place: number): boolean {
    for (; this.measured < place + WINDOW; this.measured++) {
      this.wordless = WORD.test(this.at(this.measured, this.measured + 1)) ? 0 : this.wordless + 1;
    }
    return this.wordless >= WINDOW && this.wordless <= LONGEST_RULE;
  }

  /** Where the content of this window stands, when that makes a loop. */
  private loopAt(place: number): readonly number[] | undefined {
    const content = this.at(place, place + WINDOW);
    const places = this.places.get(content) ?? [];
    if (places.length === 0) this.places.set(content, places);
    places.push(place);
    if (places.length > OCCURRENCES) places.shift();
    const [first = 0] = places;
    if (places.length < OCCURRENCES || place - first > MEAN_DISTANCE * (OCCURRENCES - 1)) return undefined;
    const stretches = new Set(places.slice(1).map((end, at) => this.at(places[at] ?? 0, end)));
    return stretches.size <= DISTINCT_STRETCHES ? places : undefined;
  }

  private repetition(places: readonly number[]): Repetition {
    const [from = 0, to = 0] = places.slice(-2);
    const [, second = 0] = places;
    return { length: this.length - second, sample: this.at(from, Math.max(to, from + WINDOW)) };
  }

  private at(from: number, to: number): string {
    return this.text.slice(from - this.forgotten, to - this.forgotten);
  }

  private forget(): void {
    const cut = this.text.length - KEPT;
    this.text = this.text.slice(cut);
    this.forgotten += cut;
    for (const [content, places] of this.places) {
      if ((places.at(-1) ?? 0) < this.forgotten) this.places.delete(content);
    }
  }
}
