import * as mocha from 'mocha';
import { isRunOfJourneys } from './test-size.ts';

type Define = (title: string, body: (this: Mocha.Context) => void | Promise<void>) => void;

/**
 * A journey is something that a user would name: `npm test` runs it. The other end-to-end tests, `it`, hold what happens
 * along the way: `npm run test:all` runs them too, and so does a run with `--grep`.
 */
export const journey: Define = mocha.it;

export const it: Define = isRunOfJourneys ? () => undefined : mocha.it;
