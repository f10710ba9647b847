/** How well a query fits a text, and which of its characters match the query. */
export interface FuzzyMatch {
  readonly score: number;
  /** Places of the text, in order, one for each character of the query. */
  readonly positions: readonly number[];
}

/** Nobody types more to find something, and the work grows with it. */
export const LONGEST_QUERY = 64;

/** Of a longer text only the beginning is looked at: the work grows with it, too. */
const LONGEST_TEXT = 512;

const START_BONUS = 12;
const BOUNDARY_BONUS = 8;
const FOLLOWING_BONUS = 10;
const SAME_CASE_BONUS = 1;
const GAP_COST = 1;

/** All characters of the query in their order, with the best places for them: beginnings of words, and in a row. */
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
 * Row by row, the score of the query up to a character with that one at a place of the text. Which place the one before it
 * has is kept, so that the places can be read backwards.
 */
function bestPlaces(query: string, text: string): FuzzyMatch | undefined {
  const [wanted, lower] = [query.toLowerCase(), text.toLowerCase()];
  // Lower case may be longer than what it stands for; then places would not be those of the text.
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

/** A word begins: at the start, after a sign, or with a capital. */
function placeBonus(text: string, at: number): number {
  if (at === 0) return START_BONUS;
  const before = kindOf(text.charCodeAt(at - 1));
  if (before === 'sign') return BOUNDARY_BONUS;
  return before !== 'capital' && kindOf(text.charCodeAt(at)) === 'capital' ? BOUNDARY_BONUS : 0;
}

/** By its code: asked for millions of characters. Beyond ASCII everything counts as a small letter. */
function kindOf(code: number): 'capital' | 'small' | 'sign' {
  if (code >= 97) return code <= 122 || code > 127 ? 'small' : 'sign';
  if (code >= 65) return code <= 90 ? 'capital' : 'sign';
  return code >= 48 && code <= 57 ? 'small' : 'sign';
}
