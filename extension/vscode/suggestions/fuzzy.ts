/** How well a query matches a text, and which characters of the text match. */
export interface FuzzyMatch {
  readonly score: number;
  /** Positions in the text, in order, one for each character of the query. */
  readonly positions: readonly number[];
}

/** Users do not type longer queries, and the cost grows with the length. */
export const LONGEST_QUERY = 64;

/** Only the beginning of a longer text is searched, because the cost grows with the length. */
const LONGEST_TEXT = 512;

const START_BONUS = 12;
const BOUNDARY_BONUS = 8;
const FOLLOWING_BONUS = 10;
const SAME_CASE_BONUS = 1;
const GAP_COST = 1;

/** Matches all characters of the query in order, at the best positions: at the start of words and in a row. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const wanted = query.slice(0, LONGEST_QUERY);
  const seen = text.slice(0, LONGEST_TEXT);
  if (wanted === '') return { score: 0, positions: [] };
  return isWithin(wanted.toLowerCase(), seen.toLowerCase()) ? bestPlaces(wanted, seen) : undefined;
}

export function isWithin(query: string, text: string): boolean {
  let at = -1;
  for (const character of query) {
    at = text.indexOf(character, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * Computes, row by row, the best score of the query up to a character if that character matches at a position of the
 * text. Stores the position of the previous character, so that the positions can be read backwards.
 */
function bestPlaces(query: string, text: string): FuzzyMatch | undefined {
  const [wanted, lower] = [query.toLowerCase(), text.toLowerCase()];
  // Lower case may have a different length. Positions would then not be those of the text.
  if (lower.length !== text.length) return undefined;
  const cameFrom: Int16Array[] = [];
  let scores = new Float64Array(text.length);
  for (let i = 0; i < wanted.length; i++) {
    const row = new Float64Array(text.length).fill(Number.NEGATIVE_INFINITY);
    const came = new Int16Array(text.length);
    let gapped = Number.NEGATIVE_INFINITY;
    let gappedAt = -1;
    for (let j = i; j < text.length; j++) {
      const beforeGap = i > 0 && j >= 2 ? (scores[j - 2] ?? 0) : Number.NEGATIVE_INFINITY;
      gapped = Math.max(gapped, beforeGap) - GAP_COST;
      if (beforeGap - GAP_COST === gapped) gappedAt = j - 2;
      if (lower.charCodeAt(j) !== wanted.charCodeAt(i)) continue;
      const own = placeBonus(text, j) + (text.charCodeAt(j) === query.charCodeAt(i) ? SAME_CASE_BONUS : 0);
      const following = i > 0 ? (scores[j - 1] ?? 0) + FOLLOWING_BONUS : -Math.min(j, START_BONUS) * GAP_COST;
      row[j] = own + Math.max(following, gapped);
      came[j] = following >= gapped ? j - 1 : gappedAt;
    }
    cameFrom.push(came);
    scores = row;
  }
  return readBack(scores, cameFrom);
}

function readBack(scores: Float64Array, from: readonly Int16Array[]): FuzzyMatch | undefined {
  let at = 0;
  for (let j = 1; j < scores.length; j++) if ((scores[j] ?? 0) > (scores[at] ?? 0)) at = j;
  const score = scores[at] ?? Number.NEGATIVE_INFINITY;
  if (score === Number.NEGATIVE_INFINITY) return undefined;
  const positions: number[] = [];
  for (let i = from.length - 1; i >= 0; i--) {
    positions.unshift(at);
    at = from[i]?.[at] ?? 0;
  }
  return { score, positions };
}

/** Rewards the start of a word: at the start of the text, after punctuation, or at a capital letter. */
function placeBonus(text: string, at: number): number {
  if (at === 0) return START_BONUS;
  const before = kindOf(text.charCodeAt(at - 1));
  if (before === 'sign') return BOUNDARY_BONUS;
  return before !== 'capital' && kindOf(text.charCodeAt(at)) === 'capital' ? BOUNDARY_BONUS : 0;
}

/** Uses character codes, because it runs for millions of characters. Non-ASCII characters count as small letters. */
function kindOf(code: number): 'capital' | 'small' | 'sign' {
  if (code >= 97) return code <= 122 || code > 127 ? 'small' : 'sign';
  if (code >= 65) return code <= 90 ? 'capital' : 'sign';
  return code >= 48 && code <= 57 ? 'small' : 'sign';
}
