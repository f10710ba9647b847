import type { BigIntStats } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';

/**
 * Changes whenever the file or the entries of the folder do, even if somebody sets the modification time; empty if
 * there is nothing. Timestamps are coarse: what changed just now may change again with the same timestamp, so its stamp
 * is random.
 */
export function stampOf(stats: BigIntStats | undefined, now = Date.now()): string {
  if (!stats) return '';
  const { mtimeNs, ctimeNs, size, ino, dev } = stats;
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const tick = latest % 1_000_000_000n === 0n ? WHOLE_SECONDS_MS : TICK_MS;
  return now - Number(latest / 1_000_000n) < tick ? `${Math.random()}` : `${mtimeNs} ${ctimeNs} ${size} ${ino} ${dev}`;
}

export async function fileStamp(path: string): Promise<string> {
  return stampOf(await stat(path, { bigint: true }).catch(() => undefined));
}

const TICK_MS = 100;
/** Some file systems store only whole seconds, FAT only every other one. */
const WHOLE_SECONDS_MS = 3000;

/**
 * Whether the stamp of a folder changes with its entries, as POSIX demands. File systems of a network, of another system
 * or of a program do not always do that, so only those of Linux itself are trusted.
 */
export async function dependsOnEntries(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { type } = await statfs(folder);
  return OWN_FILE_SYSTEMS.has(type);
}

/** By their numbers in statfs(2): ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs, F2FS, ZFS, bcachefs. */
const OWN_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);
