import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * Changes whenever the file does; empty if there is no file. The timestamps of file systems are coarse: a file written
 * just now may be written again with the same timestamp, so its stamp is random.
 */
export function stampOf(stats: BigIntStats | undefined): string {
  if (!stats) return '';
  const { mtimeNs, mtimeMs, size, ino } = stats;
  const age = Date.now() - Number(mtimeMs);
  return age < TICK_MS ? `${Math.random()}` : `${mtimeNs} ${size} ${ino}`;
}

export async function fileStamp(path: string): Promise<string> {
  return stampOf(await stat(path, { bigint: true }).catch(() => undefined));
}

const TICK_MS = 100;
