import { constants, statSync } from 'node:fs';
import { copyFile, link, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../files/durable-files.ts';
import { isMissing } from '../../files/error-code.ts';
import type { Logger } from '../../ports/logger.ts';

/**
 * Stores tool outputs that are too long or too old for requests in a folder of the session, where tools can read them.
 */
export class SavedOutputs {
  private readonly kept = new Set<string>();

  constructor(
    /** An absolute path; undefined if nothing is stored. */
    readonly folder: string | undefined,
    private readonly log: Logger,
  ) {}

  /** The path of the saved file; undefined if it could not be saved. */
  async save(name: string, text: string): Promise<string | undefined> {
    if (this.folder === undefined) return undefined;
    const path = join(this.folder, name);
    return (await this.write(path, text)) ? path : undefined;
  }

  /** Saves a text once under a path whose name identifies the text. Returns false if it could not be saved. */
  async keep(path: string, text: string): Promise<boolean> {
    if (this.kept.has(path)) return true;
    const isThere = sizeOf(path) === Buffer.byteLength(text) || (await this.write(path, text));
    if (isThere) this.kept.add(path);
    return isThere;
  }

  private async write(path: string, text: string): Promise<boolean> {
    try {
      if (this.folder !== undefined) makeFolder(this.folder);
      await writeFile(path, text, { mode: 0o600 });
      return true;
    } catch (error) {
      this.log.error('An output was not saved', error);
      return false;
    }
  }
}

/** Synchronous, because a resumed session looks for thousands of files, and waiting for each takes longer than that. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size;
  } catch {
    return undefined;
  }
}

/** Links files into another folder, or copies them if links are not possible. Missing files are skipped. */
export async function shareOutputs(names: readonly string[], from: string, to: string): Promise<void> {
  if (names.length === 0) return;
  makeFolder(to);
  for (const name of names) {
    const [mine, theirs] = [join(from, name), join(to, name)];
    try {
      // Copy the file if it is on another device or the file system has no hard links.
      await link(mine, theirs).catch(() => copyFile(mine, theirs, constants.COPYFILE_EXCL));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
