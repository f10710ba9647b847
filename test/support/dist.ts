import { join } from 'node:path';
import { repoRoot } from './repo.ts';

/**
 * The production bundles. Tests must refer to them with this constant: `npm test` starts with the tests that don't,
 * while the bundles are built.
 */
export const distDir: string = join(repoRoot, 'dist');

/** A program of `test/support/crash`, which loads its lazy parts from the bundles. */
export function crashProgram(name: string): string {
  return join(repoRoot, 'out', 'test', 'support', 'crash', `${name}.js`);
}
