/** A request whose tokens were estimated here and counted by the server. */
export interface CountedRequest {
  readonly estimated: number;
  readonly counted: number;
}

/** Far from what the estimate can be wrong by: the count is of something else, such as what a gateway added or omitted. */
const LEAST = 0.5;
const MOST = 2;
/** More say nothing new, and what was sent long ago was of another kind. */
export const COUNTS_USED = 8;

/** What estimates have to be multiplied with, as the latest counts say. 1 without any. */
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
 * What the server will count. Most of a request was in the one before, whose count is known: only what is new is
 * estimated. `requests` begins with the latest.
 */
export function correctedTokens(estimate: number, requests: readonly CountedRequest[]): number {
  const factor = correctionOf(requests);
  const [last] = requests;
  const isGrown = last !== undefined && estimate >= last.estimated && correctionOf([last]) !== 1;
  return Math.round(isGrown ? last.counted + (estimate - last.estimated) * factor : estimate * factor);
}
