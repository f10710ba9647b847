import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Changes whenever the file does; empty when there is none. */
export async function fileStamp(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats ? stampOf(stats) : '';
}

/** Clocks of file systems tick slowly: a file written just now may be written again at the same time, and is read again. */
function stampOf({ mtimeNs, mtimeMs, size, ino }: BigIntStats): string {
  const age = Date.now() - Number(mtimeMs);
  return age < TICK_MS ? `${Math.random()}` : `${mtimeNs} ${size} ${ino}`;
}

const TICK_MS = 100;
