/** Everything that may be there without being seen; what comes before or behind it decides. */
const CANDIDATE = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\ufe00-\ufe0f]|\udb40[\udc00-\uddef]/g;

/** The flags of England, Scotland and Wales are written with tag characters. */
const FLAG = ['gbeng', 'gbsct', 'gbwls'].map((place) => `\u{1f3f4}${tagsOf(place)}\u{e007f}`).join('|');
const FLAG_OR_CANDIDATE = new RegExp(`${FLAG}|${CANDIDATE.source}`, 'g');

/** Scripts whose letters take another form beside a joiner, or that have no blanks between words. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Thai}\p{scx=Laoo}\p{scx=Java}\p{scx=Bali}]/u;
const RIGHT_TO_LEFT = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}]/u;
const PICTURE = /\p{Extended_Pictographic}/u;

export interface Shown {
  readonly text: string;
  /** How many characters were replaced. */
  readonly count: number;
}

/**
 * The text with an escape such as `\u{202E}` in the place of every character that hides something: tags, direction
 * overrides and isolates, joiners and marks where nothing needs them, selectors in a row.
 */
export function showInvisible(text: string): Shown {
  if (!mayHide(text)) return { text, count: 0 };
  let count = 0;
  const runsLeft = rightToLeftLines(text);
  const shown = text.replace(FLAG_OR_CANDIDATE, (character, at: number) => {
    if (character.length > 2 || isMeant(text, at, character, runsLeft)) return character;
    count++;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;
  });
  return { text: shown, count };
}

/** Most texts have none: this is many times faster than a pattern. */
function mayHide(text: string): boolean {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) >= FIRST_CANDIDATE) return text.search(CANDIDATE) >= 0;
  return false;
}

const FIRST_CANDIDATE = 0x061c;

function isMeant(text: string, at: number, character: string, runsLeft: (at: number) => boolean): boolean {
  const code = character.codePointAt(0) ?? 0;
  const [before, after] = [characterBefore(text, at), characterAt(text, at + character.length)];
  if (code === 0xfeff) return at === 0;
  if (isMark(before)) return false;
  if (code === 0x200d && PICTURE.test(after)) return PICTURE.test(pictureBefore(text, at));
  if (code >= 0x200b && code <= 0x200d)
    return JOINING.test(before) && (code === 0x200d || JOINING.test(after) || /^[ \t\r\n]?$/.test(after));
  if (code === 0x200e || code === 0x200f || code === 0x061c) return runsLeft(at) && !isMark(text[at + 1]);
  // One selector behind a character chooses how that is drawn; in a row they carry hidden bytes.
  if ((code >= 0xfe00 && code <= 0xfe0f) || code >= 0xe0100)
    return before !== '' && !isSelector(before) && /[^\s\p{Cc}]/u.test(before);
  return false;
}

/** The picture itself, without how it is drawn and its tone of skin. */
function pictureBefore(text: string, at: number): string {
  const last = characterBefore(text, at);
  const isVariant = last === '\ufe0f' || /[\u{1f3fb}-\u{1f3ff}]/u.test(last);
  return isVariant ? characterBefore(text, at - last.length) : last;
}

/** A mark of direction has a reason in a line with words that run from right to left. Asked in order, each line is read once. */
function rightToLeftLines(text: string): (at: number) => boolean {
  let [from, to, runsLeft] = [0, 0, false];
  return (at) => {
    if (at >= to) {
      from = text.lastIndexOf('\n', at) + 1;
      const end = text.indexOf('\n', at);
      to = end < 0 ? text.length : end;
      runsLeft = RIGHT_TO_LEFT.test(text.slice(from, to));
    }
    return runsLeft;
  };
}

function isMark(character: string | undefined): boolean {
  return character !== undefined && /[\u061c\u200b-\u200f]/.test(character);
}

function isSelector(character: string): boolean {
  return /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u.test(character);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const last = text[at - 1] ?? '';
  const isLow = last >= '\udc00' && last <= '\udfff';
  return isLow ? text.slice(at - 2, at) : last;
}

function tagsOf(letters: string): string {
  return [...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
}
