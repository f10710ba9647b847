import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
