import type { BigIntStats } from 'node:fs';
import { lstat, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { LruMap } from '../base/lru-map.ts';
import { undefinedIfMissing } from '../files/error-code.ts';
import { readSmallFile } from '../files/regular-file.ts';

/** The content of a small text file. It is the same object as long as the file is the same. */
export interface KnownFile {
  readonly lines: readonly string[];
  readonly ignoresCase: boolean;
}

/** Names that a folder does not contain, as long as it has this stamp. */
interface KnownFolder {
  readonly stamp: string;
  readonly absent: Set<string>;
}

/**
 * Remembers small text files, and which ones a folder does not have. Every use checks whether that is still so, with
 * one look at each file, and one at the folder for all that are missing.
 */
export class KnownFiles {
  private readonly files = new LruMap<{ readonly stamp: string; readonly file: KnownFile }>(MOST_KEPT);
  private readonly folders = new LruMap<KnownFolder>(MOST_KEPT);

  constructor(private readonly now: () => number = Date.now) {}

  /** Undefined if there is no such file; throws if it exists but cannot be read. */
  async read(path: string): Promise<KnownFile | undefined> {
    // The stamp is taken before the content is read, so that a change in between is noticed the next time.
    const stamp = await this.stampAt(path);
    if (stamp === undefined) return undefined;
    const known = this.files.get(path);
    if (known?.stamp === stamp) return known.file;
    const file = await readKnown(path);
    if (file) this.files.set(path, { stamp, file });
    return file;
  }

  /** Whether the file was there once. */
  has(path: string): boolean {
    return this.files.get(path) !== undefined;
  }

  /** Looks at a folder. The returned function tells whether the folder had no entry of this name at that moment. */
  async lookAt(folder: string): Promise<(name: string) => Promise<boolean>> {
    const stamp = await this.stampAt(folder);
    const known = this.folders.get(folder);
    const isSame = known !== undefined && known.stamp === stamp;
    const absent = isSame ? known.absent : new Set<string>();
    if (stamp !== undefined && !isSame && (await dependsOnEntries(folder))) this.folders.set(folder, { stamp, absent });
    return async (name) => {
      if (absent.has(name)) return true;
      // Not `stat`: a link that leads nowhere yet is an entry.
      if (await lstat(join(folder, name)).catch(undefinedIfMissing)) return false;
      absent.add(name);
      return true;
    };
  }

  private async stampAt(path: string): Promise<string | undefined> {
    const stats = await stat(path, { bigint: true }).catch(undefinedIfMissing);
    return stats && stampOf(stats, this.now());
  }
}

/**
 * Whether the stamp of a folder changes with its entries, as POSIX demands. File systems of a network, of another system
 * or of a program do not always do that, so only those of Linux itself are trusted.
 */
async function dependsOnEntries(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { type } = await statfs(folder);
  return OWN_FILE_SYSTEMS.has(type);
}

/** By their numbers in statfs(2): ext2 to ext4, XFS, Btrfs, tmpfs, overlayfs, F2FS, ZFS, bcachefs. */
const OWN_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

async function readKnown(path: string): Promise<KnownFile | undefined> {
  const text = await readSmallFile(path);
  if (text === undefined) return undefined;
  return { lines: text.replace(/^\uFEFF/, '').split(/\r?\n/), ignoresCase: await ignoresCase(path) };
}

/** Checks the file itself, not the platform: Windows drives ignore case even when mounted in WSL, which is Linux. */
async function ignoresCase(path: string): Promise<boolean> {
  const shouted = await stat(path.replace(/[^\\/]+$/, (name) => name.toUpperCase())).catch(undefinedIfMissing);
  return shouted !== undefined && shouted.ino === (await stat(path)).ino;
}

/**
 * Changes whenever the file or the entries of the folder do, even if somebody sets the modification time. Timestamps
 * are coarse: what changed just now may change again with the same timestamp, so its stamp is random.
 */
function stampOf({ mtimeNs, ctimeNs, size, ino, dev }: BigIntStats, now: number): string {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const tick = latest % 1_000_000_000n === 0n ? WHOLE_SECONDS_MS : TICK_MS;
  return now - Number(latest / 1_000_000n) < tick ? `${Math.random()}` : `${mtimeNs} ${ctimeNs} ${size} ${ino} ${dev}`;
}

const TICK_MS = 100;
/** Some file systems store only whole seconds, FAT only every other one. */
const WHOLE_SECONDS_MS = 3000;
/** More than the ignore files that an agent comes across in a project. */
const MOST_KEPT = 500;
