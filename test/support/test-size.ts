/** `npm run test:all` runs tests at full size, `npm test` at a size that is quick enough to wait for. */
export const isFullRun: boolean = process.env['GANTRY_TEST_SIZE'] === 'full';

/** `npm test` runs only the journeys of the end-to-end tests (`journey.ts`), and no details of the host tests. */
export const isRunOfJourneys: boolean = process.env['GANTRY_TEST_JOURNEYS'] === '1';

/** The number of runs of a random or repeated test: hundreds in `npm test`, thousands in `npm run test:all`. */
export function runs(normal: number, full: number): number {
  return isFullRun ? full : normal;
}

/** In `npm test`, every fourth of several similar cases. Each of four `turn`s selects another fourth. */
export function some<T>(cases: readonly T[], turn: number): readonly T[] {
  return isFullRun ? cases : cases.filter((_, index) => index % 4 === turn % 4);
}
