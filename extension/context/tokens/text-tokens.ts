/**
 * Estimates how many tokens Gemini counts for a text, from its words, digits, punctuation and scripts. The weights are
 * fitted to counts of the Gemma 3 tokenizer (test/fixtures/token-counts). It needs one pass and no allocation.
 */
export function textTokens(text: string): number {
  const { length } = text;
  let tokens = 0;
  let before = NOTHING;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code] as number;
    if (kind <= LATIN) {
      // Inlined for speed: half of all characters are in words.
      const isFresh = before === SPACE || before === NOTHING || before === BREAK;
      let start = at;
      let isUpper = kind === UPPER;
      let isFirst = isFresh;
      for (; at < length; at++) {
        const next = KINDS[text.charCodeAt(at)] as number;
        if (next > LATIN) break;
        if (next === LATIN) tokens += PER_ACCENT;
        if (at === start) continue;
        if (next === UPPER && !isUpper) {
          tokens += pieceTokens(at - start, isFirst, false);
          start = at;
          isUpper = true;
          isFirst = false;
        } else if (next !== UPPER && isUpper) {
          if (at - start > 1) {
            tokens += pieceTokens(at - 1 - start, isFirst, true);
            start = at - 1;
            isFirst = false;
          }
          isUpper = false;
        }
      }
      tokens += pieceTokens(at - start, isFirst, isUpper);
      before = LOWER;
      continue;
    }
    let end = at + 1;
    switch (kind) {
      case DIGIT:
        tokens += before === SPACE ? PER_DIGIT + SPACE_BEFORE_DIGIT : PER_DIGIT;
        before = DIGIT;
        break;
      case SPACE:
      case BREAK:
      case TAB:
        while (end < length && KINDS[text.charCodeAt(end)] === kind) end++;
        // A single space belongs to the word after it; several spaces are a token of their own.
        if (kind === SPACE && end - at === 1) before = SPACE;
        else {
          tokens += kind === SPACE ? PER_SPACES : kind === BREAK ? PER_BREAK : PER_TABS;
          before = BREAK;
        }
        break;
      case MARK:
      case SYMBOL:
        if (before !== MARK) tokens += kind === MARK ? PER_MARK : PER_SYMBOL;
        else tokens += code === text.charCodeAt(at - 1) ? PER_SAME_MARK : PER_NEXT_MARK;
        before = MARK;
        break;
      default:
        tokens += PER_CHARACTER[kind] ?? 0;
        if (before !== kind) tokens += PER_WORD[kind] ?? 0;
        before = kind;
    }
    at = end;
  }
  return tokens;
}

/** A word, or the part of an identifier between two changes of case. */
function pieceTokens(length: number, isFirst: boolean, isUpper: boolean): number {
  if (isUpper && length > 1) return length > 2 ? 0.83 + (length - 2) * 0.27 : 0.83;
  if (isFirst) return length > 9 ? 1 + (length - 9) * 0.4 : 1;
  return length > 4 ? 1.2 + (length - 4) * 0.066 : 1.2;
}

const LOWER = 0;
const UPPER = 1;
const LATIN = 2;
const DIGIT = 3;
const SPACE = 4;
const BREAK = 5;
const TAB = 6;
const MARK = 7;
const SYMBOL = 8;
const HAN = 9;
const HIRAGANA = 10;
const KATAKANA = 11;
const HANGUL = 12;
const CJK_MARK = 13;
const CYRILLIC = 14;
const GREEK = 15;
const SURROGATE = 16;
const OTHER = 17;
const NOTHING = 18;

const PER_ACCENT = 0.46;
const PER_DIGIT = 1.04;
const SPACE_BEFORE_DIGIT = 0.7;
const PER_SPACES = 1.13;
const PER_BREAK = 0.9;
const PER_TABS = 1.25;
const PER_MARK = 0.86;
const PER_SYMBOL = 1.13;
const PER_NEXT_MARK = 0.19;
const PER_SAME_MARK = 0.14;

/** The tokens per character and per word of a script. A surrogate counts as half of an emoji. */
const PER_CHARACTER = new Float64Array(NOTHING);
PER_CHARACTER.set([0.67, 0.47, 0.31, 0.58, 0.93, 0.13, 0.44, 0.75, 1], HAN);
const PER_WORD = new Float64Array(NOTHING);
PER_WORD[HANGUL] = 0.22;
PER_WORD[CYRILLIC] = 0.97;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 32) return SPACE;
  if (code === 10 || code === 13) return BREAK;
  return code === 9 ? TAB : MARK;
});

/** The last character of each Unicode range with its kind; the first range that is large enough applies. */
const STRETCHES: readonly (readonly [last: number, kind: number])[] = [
  [0xbf, SYMBOL],
  [0x24f, LATIN],
  [0x36f, OTHER],
  [0x3ff, GREEK],
  [0x52f, CYRILLIC],
  [0x1dff, OTHER],
  [0x1eff, LATIN],
  [0x1fff, GREEK],
  [0x2bff, SYMBOL],
  [0x2fff, OTHER],
  [0x303f, CJK_MARK],
  [0x309f, HIRAGANA],
  [0x30ff, KATAKANA],
  [0x33ff, OTHER],
  [0x9fff, HAN],
  [0xabff, OTHER],
  [0xd7af, HANGUL],
  [0xd7ff, OTHER],
  [0xdfff, SURROGATE],
  [0xf8ff, OTHER],
  [0xfaff, HAN],
  [0xfeff, OTHER],
  [0xffef, CJK_MARK],
  [0xffff, OTHER],
];

/** The kind of each of the 65,536 code units. */
const KINDS = new Uint8Array(0x10000).fill(OTHER);
KINDS.set(ASCII);
for (const [index, [last, kind]] of STRETCHES.entries())
  KINDS.fill(kind, (STRETCHES[index - 1]?.[0] ?? 127) + 1, last + 1);
