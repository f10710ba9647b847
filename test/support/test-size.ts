/** `npm run test:all` runs tests at their full size, `npm test` at one that people wait for. */
export const isFullRun: boolean = process.env['GANTRY_TEST_SIZE'] === 'full';

/** Of the end-to-end tests, `npm test` runs the journeys alone; see `journey.ts`. */
export const isRunOfJourneys: boolean = process.env['GANTRY_TEST_JOURNEYS'] === '1';

/** How often a random or repeated test runs: hundreds of times in `npm test`, thousands in `npm run test:all`. */
export function runs(normal: number, full: number): number {
  return isFullRun ? full : normal;
}

/** Of cases that are alike, every fourth in `npm test`; another fourth for each of four `turn`s. */
export function some<T>(cases: readonly T[], turn: number): readonly T[] {
  return isFullRun ? cases : cases.filter((_, index) => index % 4 === turn % 4);
}
