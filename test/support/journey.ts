import * as mocha from 'mocha';
import { isRunOfJourneys } from './test-size.ts';

type Define = (title: string, body: (this: Mocha.Context) => void | Promise<void>) => void;

/**
 * A journey is a use case that a user would name: `npm test` runs it. Other end-to-end tests use `it` and cover
 * details: `npm run test:all` also runs them, and so does a run with `--grep`.
 */
export const journey: Define = mocha.it;

export const it: Define = isRunOfJourneys ? () => undefined : mocha.it;
