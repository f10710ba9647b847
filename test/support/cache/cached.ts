import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { print, seconds } from '../output.ts';
import { cacheDir } from '../repo.ts';
import { withLock } from './lock.ts';

/** Forty times what the largest install was seen to take (14 s), for a slow network. */
const lockTimeoutMs = 10 * 60_000;

/**
 * The folder `name` of the cache, filled by `fill` the first time on this machine. A fill that was interrupted leaves no
 * marker and is redone from nothing; processes that want the same folder wait for one another.
 */
export async function cachedFolder(
  name: string,
  label: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheDir, name);
  const marker = join(folder, '.finished');
  if (existsSync(marker)) {
    return folder;
  }
  const onWait = (holder: number): void => print(`${label}: waiting for process ${holder}, which is installing it`);
  await withLock(`${folder}.lock`, { timeoutMs: lockTimeoutMs, onWait }, async () => {
    if (existsSync(marker)) {
      return;
    }
    const start = Date.now();
    print(`${label}: installing into ${folder}`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await fill(folder);
    await writeFile(marker, new Date().toISOString());
    print(`${label}: installed in ${seconds(Date.now() - start)}`);
  });
  return folder;
}
