import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { contains } from '../../extension/files/real-path.ts';
import { TEMPORARY } from '../../extension/sandbox/bubblewrap.ts';
import { atExit } from './at-exit.ts';

export interface TempFolder {
  /** The absolute path, without symbolic links. */
  readonly path: string;
  dispose(): Promise<void>;
}

/** A new folder that is deleted with `dispose`, or at the latest when this process ends. */
export async function tempFolder(purpose: string, inside = tmpdir()): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(inside, `gantry-${purpose}-`)));
  // A process that was just killed may still be writing its last files.
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
  const forget = atExit(() => rmSync(path, options));
  return {
    path,
    dispose: async () => {
      await rm(path, options);
      forget();
    },
  };
}

/**
 * A new folder that isn't among temporary files, which a command in the sandbox doesn't see. If this repository is in a
 * temporary folder, the new folder is in the cache of the user.
 */
export async function tempFolderInSight(purpose: string): Promise<TempFolder> {
  const built = await realpath(resolve('out'));
  if (!TEMPORARY.some((place) => contains(place, built))) return tempFolder(purpose, built);
  const cache = join(userInfo().homedir, '.cache');
  await mkdir(cache, { recursive: true });
  return tempFolder(purpose, cache);
}
