import { once } from '../base/once.ts';

/** The flags of England, Scotland and Wales are written with tag characters. */
const FLAGS: readonly string[] = ['gbeng', 'gbsct', 'gbwls'].map((place) => `\u{1f3f4}${tagsOf(place)}\u{e007f}`);
const FLAG_SIGN_LENGTH = 2;

/** The high surrogate of tags and supplementary variation selectors. */
const TAG_HALF = 0xdb40;

/** All code units that may be invisible. The characters around them decide whether they are legitimate. */
const RANGES = [
  [0x061c, 0x061c],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [TAG_HALF, TAG_HALF],
] as const;

/** Indexed by code unit. */
const CANDIDATES = new Uint8Array(0x10000);
for (const [first, last] of RANGES) CANDIDATES.fill(1, first, last + 1);

/** Finds the first of them. Most texts have none, and a pattern finds that out sooner than a loop does. */
const CANDIDATE = new RegExp(
  `[${RANGES.map(([first, last]) => `${String.fromCharCode(first)}-${String.fromCharCode(last)}`).join('')}]`,
);

/**
 * Scripts whose letters change their form next to a joiner, or that have no spaces between words. Reading a pattern with
 * scripts takes long, and few texts need one.
 */
const joiningScripts = once(
  () =>
    /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Thai}\p{scx=Laoo}\p{scx=Java}\p{scx=Bali}]/u,
);
const rightToLeft = once(() => /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}]/u);
const pictures = once(() => /\p{Extended_Pictographic}/u);

export interface ShownText {
  readonly text: string;
  /** The number of replaced characters. */
  readonly count: number;
}

/**
 * Replaces every character that hides something with an escape such as `\u{202E}`: tags, direction overrides and
 * isolates, joiners and marks that no script needs, and repeated variation selectors. With a range, the result is that
 * part of the text, and the rest only decides about it.
 */
export function showInvisible(text: string, start = 0, end: number = text.length): ShownText {
  const whole = end - start === text.length ? text : text.slice(start, end);
  const first = whole.search(CANDIDATE);
  if (first < 0) return { text: whole, count: 0 };
  const shown: string[] = [];
  let [from, count] = [start, 0];
  const runsLeft = rightToLeftLines(text);
  for (let at = start + first; at < end; at++) {
    if (CANDIDATES[text.charCodeAt(at)] === 0) continue;
    const code = text.codePointAt(at) ?? 0;
    const isTag = code > 0xffff;
    // The same surrogate also begins characters that are all visible.
    if (code === TAG_HALF || (isTag && code > LAST_SELECTOR)) continue;
    const flag = isTag ? flagAt(text, at - FLAG_SIGN_LENGTH) : undefined;
    if (flag !== undefined) at += flag.length - FLAG_SIGN_LENGTH - 1;
    else if (!isMeant(text, at, code, runsLeft)) {
      if (from < at) shown.push(text.slice(from, at));
      shown.push(escapeOf(code));
      count++;
      from = isTag ? at + 2 : at + 1;
      at = from - 1;
    } else if (isTag) at++;
  }
  return { text: count === 0 ? whole : shown.join('') + text.slice(from, end), count };
}

/** Longer than a flag, and than an emoji of several. */
const DECIDED_WITHIN = 16;
const DIRECTION_MARK = /[\u061c\u200e\u200f]/g;
/** A mark waits for text from right to left at most this long. */
const LONGEST_LINE = 500;

/** From which position on, not before `start`, more text may decide whether a character is legitimate. */
export function undecidedFrom(text: string, start: number): number {
  const added = text.slice(start);
  if (!CANDIDATE.test(added)) return text.length;
  const near = Math.max(start, text.length - DECIDED_WITHIN);
  let last = text.slice(near).search(CANDIDATE);
  const isNone = last < 0;
  // Tags are judged together.
  while (!isNone && near + last - 2 >= start && text.charCodeAt(near + last - 2) === TAG_HALF) last -= 2;
  const marks = [...added.matchAll(DIRECTION_MARK)].map(({ index }) => start + index);
  const open = marks.find((at) => {
    const line = text.slice(text.lastIndexOf('\n', at) + 1);
    return text.length - at < LONGEST_LINE && !line.includes('\n') && !rightToLeft().test(line);
  });
  return Math.min(isNone ? text.length : near + last, open ?? text.length);
}

const LAST_SELECTOR = 0xe01ef;

function flagAt(text: string, at: number): string | undefined {
  return FLAGS.find((flag) => text.startsWith(flag, at));
}

function escapeOf(code: number): string {
  const known = ESCAPES.get(code) ?? `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
  ESCAPES.set(code, known);
  return known;
}

/** Caches the escapes, a few hundred at most. */
const ESCAPES = new Map<number, string>();

function isMeant(text: string, at: number, code: number, runsLeft: (at: number) => boolean): boolean {
  if (code === 0xfeff) return at === 0;
  const before = codeBefore(text, at);
  if (isMark(before)) return false;
  if (code >= 0x200b && code <= 0x200d) {
    const after = text.codePointAt(at + 1) ?? NONE;
    if (code === 0x200d && traitsOf(after) & PICTURE) return (traitsOf(pictureBefore(text, at)) & PICTURE) !== 0;
    if (!(traitsOf(before) & JOINING)) return false;
    return code === 0x200d || (traitsOf(after) & JOINING) !== 0 || endsWord(after);
  }
  if (code === 0x200e || code === 0x200f || code === 0x061c) return !isMark(text.charCodeAt(at + 1)) && runsLeft(at);
  // One variation selector after a character chooses its form; several in a row can encode hidden bytes.
  if (isSelector(code)) return !isSelector(before) && (traitsOf(before) & VISIBLE) !== 0;
  return false;
}

/** The emoji before this position, without its variation selector and skin tone. */
function pictureBefore(text: string, at: number): number {
  const last = codeBefore(text, at);
  const isTone = last >= 0x1f3fb && last <= 0x1f3ff;
  return last === 0xfe0f || isTone ? codeBefore(text, at - (isTone ? 2 : 1)) : last;
}

/** Direction marks are legitimate in lines with right-to-left text. Callers ask in order, so each line is read once. */
function rightToLeftLines(text: string): (at: number) => boolean {
  let [from, to, runsLeft] = [0, 0, false];
  return (at) => {
    if (at >= to) {
      from = text.lastIndexOf('\n', at) + 1;
      const end = text.indexOf('\n', at);
      to = end < 0 ? text.length : end;
      runsLeft = rightToLeft().test(text.slice(from, to));
    }
    return runsLeft;
  };
}

/** Represents a missing character. */
const NONE = -1;

function endsWord(code: number): boolean {
  return code === NONE || code === 32 || code === 9 || code === 10 || code === 13;
}

function isMark(code: number): boolean {
  return code === 0x061c || (code >= 0x200b && code <= 0x200f);
}

function isSelector(code: number): boolean {
  return (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= LAST_SELECTOR);
}

function codeBefore(text: string, at: number): number {
  if (at <= 0) return NONE;
  const last = text.charCodeAt(at - 1);
  const whole = last >= 0xdc00 && last <= 0xdfff ? (text.codePointAt(at - 2) ?? last) : last;
  return whole > 0xffff ? whole : last;
}

const KNOWN = 1;
const JOINING = 2;
const PICTURE = 4;
const VISIBLE = 8;
/** Caches the traits of each character, because patterns with scripts are slow. */
const TRAITS = new Uint8Array(0x110000);

function traitsOf(code: number): number {
  if (code === NONE) return 0;
  const known = TRAITS[code] as number;
  if (known !== 0) return known;
  const character = String.fromCodePoint(code);
  const joining = joiningScripts().test(character) ? JOINING : 0;
  const picture = pictures().test(character) ? PICTURE : 0;
  const traits = KNOWN | joining | picture | (/[^\s\p{Cc}]/u.test(character) ? VISIBLE : 0);
  TRAITS[code] = traits;
  return traits;
}

function tagsOf(letters: string): string {
  return [...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
}
