import { stat } from 'node:fs/promises';

/**
 * Changes whenever the file does; empty when there is none. Clocks of file systems tick slowly: a file written just now may be
 * written again at the same time, so its stamp is another one each time.
 */
export async function fileStamp(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  if (!stats) return '';
  const { mtimeNs, mtimeMs, size, ino } = stats;
  const age = Date.now() - Number(mtimeMs);
  return age < TICK_MS ? `${Math.random()}` : `${mtimeNs} ${size} ${ino}`;
}

const TICK_MS = 100;
