import { createHash, randomUUID } from 'node:crypto';
import { link, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceByDraft, syncFolder, writeSynced } from '../../files/durable-files.ts';
import { isMissing } from '../../files/error-code.ts';

const HASH = /^[0-9a-f]{64}$/;

/** The SHA-256 hash in hex; null means that there is no file. */
export function hashOf(content: Uint8Array): string;
export function hashOf(content: Uint8Array | undefined): string | null;
export function hashOf(content: Uint8Array | undefined): string | null {
  return content === undefined ? null : createHash('sha256').update(content).digest('hex');
}

/** Stores file contents by their hash. A stored file is never changed, only replaced by the same content. */
export class BlobStore {
  constructor(readonly folder: string) {}

  /** When this resolves, the content survives a power failure. */
  async put(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes);
    if ((await this.get(hash)) !== undefined) return hash;
    makeFolder(this.folder);
    const temporary = join(this.folder, `${randomUUID()}.tmp`);
    try {
      await replaceByDraft(temporary, join(this.folder, hash), () => writeSynced(temporary, bytes));
    } catch (error) {
      // Windows does not replace an open file, but another writer of the same content may have finished by now.
      if ((await this.get(hash)) === undefined) throw error;
    }
    await syncFolder(this.folder);
    return hash;
  }

  /** Undefined if the content is missing or damaged. */
  async get(hash: string): Promise<Buffer | undefined> {
    // Hashes come from a log, so an invalid hash must not name a file elsewhere.
    if (!HASH.test(hash)) return undefined;
    try {
      const bytes = await readFile(join(this.folder, hash));
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Links the contents into another store, or copies them if links are not possible. Returns the missing hashes. */
  async linkInto(other: BlobStore, hashes: Iterable<string>): Promise<string[]> {
    const missing: string[] = [];
    makeFolder(other.folder);
    for (const hash of new Set(hashes)) {
      if (!HASH.test(hash) || !(await this.share(other, hash))) missing.push(hash);
    }
    await syncFolder(other.folder);
    return missing;
  }

  private async share(other: BlobStore, hash: string): Promise<boolean> {
    try {
      await link(join(this.folder, hash), join(other.folder, hash));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      // Another device, or a file system without hard links. An existing file may be damaged, which `put` checks.
      const bytes = await this.get(hash);
      if (bytes !== undefined) await other.put(bytes);
      return bytes !== undefined;
    }
  }
}
