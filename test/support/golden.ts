import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repoRoot } from './repo.ts';

/**
 * Compares a text with its copy in `test/fixtures`, so that a change of the text is a readable diff. With
 * `GANTRY_UPDATE_SNAPSHOTS=1`, the file is written again.
 */
export function assertGolden(text: string, name: string): void {
  const path = join(repoRoot, 'test', 'fixtures', name);
  if (process.env['GANTRY_UPDATE_SNAPSHOTS'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text}\n`);
  }
  assert.equal(`${text}\n`, readFileSync(path, 'utf8').replaceAll('\r\n', '\n'), `differs from test/fixtures/${name}`);
}
