import { join } from 'node:path';
import { repoRoot } from './repo.ts';

/**
 * The production bundles. Whoever needs them names them by this: `npm test` begins with the tests that do not, while they
 * are built.
 */
export const distDir: string = join(repoRoot, 'dist');

/** A program of `test/support/crash`, which loads from there what is needed later. */
export function crashProgram(name: string): string {
  return join(repoRoot, 'out', 'test', 'support', 'crash', `${name}.js`);
}
