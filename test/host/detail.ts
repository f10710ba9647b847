import { isRunOfJourneys } from '../support/test-size.ts';

/**
 * A variant of what another test shows, or a rare mishap. `npm test` leaves it out; `npm run test:all` and a run with
 * `--grep` include it.
 */
export function detail(title: string, body: (this: Mocha.Context) => void | Promise<void>): void {
  if (!isRunOfJourneys) it(title, body);
}
