/** `npm run test:all` runs tests at their full size, `npm test` at one that people wait for. */
const isFull = process.env['GANTRY_TEST_SIZE'] === 'full';

/** How often a random or repeated test runs: hundreds of times in `npm test`, thousands in `npm run test:all`. */
export function runs(normal: number, full: number): number {
  return isFull ? full : normal;
}
