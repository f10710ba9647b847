import { constants } from 'node:fs';
import { copyFile, link, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../files/durable-files.ts';
import { isMissing } from '../../files/error-code.ts';
import type { Logger } from '../../ports/logger.ts';

/** Outputs of tools that are too long or too old for the model, in a folder of the session: tools can read them there. */
export class SavedOutputs {
  private readonly kept = new Set<string>();

  constructor(
    /** Absolute; undefined where nothing is kept. */
    readonly folder: string | undefined,
    private readonly log: Logger,
  ) {}

  /** Where it is now; undefined when it could not be saved. */
  async save(name: string, text: string): Promise<string | undefined> {
    if (this.folder === undefined) return undefined;
    const path = join(this.folder, name);
    return (await this.write(path, text)) ? path : undefined;
  }

  /** The same under a path whose name stands for the text: it is written once. False when it could not be saved. */
  async keep(path: string, text: string): Promise<boolean> {
    if (this.kept.has(path)) return true;
    const known = await stat(path).catch(() => undefined);
    const isThere = known?.size === Buffer.byteLength(text) || (await this.write(path, text));
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

/** The same files in both folders, without using the space twice where possible. One that is gone stays gone. */
export async function shareOutputs(names: readonly string[], from: string, to: string): Promise<void> {
  if (names.length === 0) return;
  makeFolder(to);
  for (const name of names) {
    const [mine, theirs] = [join(from, name), join(to, name)];
    try {
      // Another device, or a file system without hard links, takes a copy.
      await link(mine, theirs).catch(() => copyFile(mine, theirs, constants.COPYFILE_EXCL));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
