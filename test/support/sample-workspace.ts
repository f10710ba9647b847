import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot } from './repo.ts';
import { type TempFolder, tempFolder } from './temp-folder.ts';

/** A fresh copy of `test/fixtures/sample-workspace`. */
export async function copySampleWorkspace(): Promise<TempFolder> {
  const folder = await tempFolder('sample');
  await cp(join(repoRoot, 'test', 'fixtures', 'sample-workspace'), folder.path, { recursive: true });
  return folder;
}
