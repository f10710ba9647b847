import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LruMap } from '../base/lru-map.ts';
import { bigStats } from '../files/disk-calls.ts';
import { undefinedIfMissing } from '../files/error-code.ts';
import { dependsOnEntries, stampOf } from '../files/file-stamp.ts';
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
    const stats = await bigStats(path);
    return stats && stampOf(stats, this.now());
  }
}

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

/** More than the ignore files that an agent comes across in a project. */
const MOST_KEPT = 500;
