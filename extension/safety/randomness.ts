/** The entropy in bits per character, by the frequency of each character. For short texts. */
export function entropyOf(text: string): number {
  const { length } = text;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index) & 255;
    COUNTS[code] = (COUNTS[code] as number) + 1;
  }
  let repeated = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index) & 255;
    const count = COUNTS[code] as number;
    if (count > 1) repeated += count * (LOGARITHMS[count] ?? Math.log2(count));
    COUNTS[code] = 0;
  }
  return length === 0 ? 0 : Math.log2(length) - repeated / length;
}

/** The logarithms of the usual counts, because computing them takes most of the time. */
const LOGARITHMS = Array.from({ length: 64 }, (_, count) => Math.log2(count));

/** All zero between calls. Allocating an array for each text would cost more than counting. */
const COUNTS = new Uint32Array(256);

/** Whether the text is names or prose: words in any case, each followed by at most four digits. */
export function isWordy(text: string): boolean {
  return text.split(/[-_./:@+,]+/).every((segment) => /^[A-Za-z]*\d{0,4}$/.test(segment));
}

/**
 * Whether the text looks like the output of a key generator: it has all three classes of characters, changing often. In
 * random letters and digits, 0.62 of all neighbours differ in class and 32 characters have 4.5 bits each; names in
 * camel case have about 0.25 and 4.0.
 */
export function looksRandom(text: string): boolean {
  const known = judged.get(text);
  if (known !== undefined) return known;
  if (judged.size >= MOST_JUDGED) judged.clear();
  const result = isRandom(text);
  judged.set(text, result);
  return result;
}

/** A line of data is judged by itself and as the neighbour of two others. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 16;

function isRandom(text: string): boolean {
  let [lower, upper, digits, changes, last] = [0, 0, 0, -1, -1];
  for (let index = 0; index < text.length; index++) {
    const next = classOf(text.charCodeAt(index));
    if (next === 0) lower++;
    else if (next === 1) upper++;
    else if (next === 2) digits++;
    if (next !== last) changes++;
    last = next;
  }
  if (Math.min(upper, lower, digits) < FEWEST_OF_A_CLASS || changes / text.length < CHANGES) return false;
  return entropyOf(text) >= SHARE * Math.log2(Math.min(text.length, 32));
}

const FEWEST_OF_A_CLASS = 3;
const CHANGES = 0.42;
/** The share of the maximum entropy for the length: 4.2 bits from 32 characters on. */
const SHARE = 0.84;

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 48 && code <= 57 ? 2 : 3;
}
