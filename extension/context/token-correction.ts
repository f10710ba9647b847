/** A request whose tokens were estimated here and counted by the server. */
export interface CountedRequest {
  readonly estimated: number;
  readonly counted: number;
}

/**
 * Ratios beyond these are larger than any estimation error: the server counted something else, e.g. text that a gateway
 * added or omitted.
 */
const LEAST = 0.5;
const MOST = 2;
/** More counts add no precision, and older requests had other kinds of contents. */
export const COUNTS_USED = 8;

/** The factor for estimates, from the latest counts. It is 1 without counts. */
export function correctionOf(requests: readonly CountedRequest[]): number {
  let [estimated, counted] = [0, 0];
  for (const request of requests.slice(0, COUNTS_USED)) {
    const ratio = request.counted / request.estimated;
    if (!(ratio >= LEAST && ratio <= MOST)) continue;
    estimated += request.estimated;
    counted += request.counted;
  }
  return estimated === 0 ? 1 : counted / estimated;
}

/**
 * Predicts the server's count. Most of a request was in the previous one, whose count is known, so only the new part is
 * estimated. `requests` begins with the latest.
 */
export function correctedTokens(estimate: number, requests: readonly CountedRequest[]): number {
  const factor = correctionOf(requests);
  const [last] = requests;
  const isGrown = last !== undefined && estimate >= last.estimated && correctionOf([last]) !== 1;
  return Math.round(isGrown ? last.counted + (estimate - last.estimated) * factor : estimate * factor);
}
