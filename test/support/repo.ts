import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with Gantry's package.json, wherever the compiled test file is. */
export const repoRoot: string = findRepoRoot(fileURLToPath(import.meta.url));

/** Downloads that are kept between runs: VS Code, Node, a browser, fonts. Ignored by git. */
export const cacheDir: string = join(repoRoot, '.vscode-test');

/** The results of a run for review: screenshots, logs of failed tests. Ignored by git. */
export const resultsDir: string = join(repoRoot, 'test-results');

export function findRepoRoot(from: string): string {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && manifestName(manifest) === 'gantry') {
      return folder;
    }
    if (dirname(folder) === folder) {
      throw new Error(`No package.json named "gantry" above ${from}.`);
    }
  }
}

function manifestName(path: string): unknown {
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'name' in manifest ? manifest.name : undefined;
}
