import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { print, seconds } from '../output.ts';
import { cacheDir } from '../repo.ts';
import { withLock } from './lock.ts';

/** Forty times the longest observed install (14 s), for slow networks. */
const lockTimeoutMs = 10 * 60_000;

/**
 * The folder `name` of the cache. `fill` fills it the first time on this machine. An interrupted fill leaves no marker
 * and is repeated from scratch; processes that need the same folder wait for each other.
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
