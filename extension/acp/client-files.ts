import { stat } from 'node:fs/promises';
import { contains } from '../files/real-path.ts';
import { openRegularFile, readUpTo } from '../files/regular-file.ts';
import { type DecodedText, decodeExactly, encodeText, looksBinary } from '../files/text-codec.ts';
import type { FilePort, OpenDocument } from '../ports/workspace.ts';
import type { AcpClient } from './client.ts';

/** Editors show larger files badly, and each is sent as one message. */
const MAX_BYTES = 4 * 1024 * 1024;

interface ClientFilesParts {
  readonly client: Pick<AcpClient, 'readsFiles' | 'writesFiles' | 'readText' | 'writeText'>;
  /** The id of the session, which is known once it is open. */
  readonly sessionId: () => string;
  readonly roots: readonly string[];
  readonly log: { debug(message: string): void };
}

/**
 * The files as the client has them open. A file that the client does not read, or that is not text, is read from disk.
 * If the client writes files, changes go through it, so that it can show them.
 */
export class ClientFiles implements FilePort {
  constructor(private readonly parts: ClientFilesParts) {}

  async unsavedText(path: string): Promise<string | undefined> {
    const document = await this.look(path);
    return document?.isDirty ? document.text : undefined;
  }

  async openDocument(path: string): Promise<OpenDocument | undefined> {
    const document = await this.look(path);
    if (!document) return undefined;
    // Without a way to write through the client, files change on disk, unless the client has unsaved changes in them.
    if (!this.parts.client.writesFiles && !document.isDirty) return undefined;
    const { text, isDirty, stored } = document;
    return {
      text,
      isDirty,
      encode: (changed) => Promise.resolve(encodeText({ ...stored, text: changed })),
      replace: (expected, changed) => this.replace(path, expected, changed),
    };
  }

  /** False if the client does not write files, or has not written this one. */
  async create(path: string, text: string): Promise<boolean> {
    if (!this.parts.client.writesFiles || !this.isInside(path)) return false;
    if (!(await this.write(path, text))) return false;
    return stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
  }

  private async replace(path: string, expected: string, text: string): Promise<'saved' | 'stale' | 'not_saved'> {
    if (!this.parts.client.writesFiles) return 'not_saved';
    const now = await this.look(path);
    if (now?.text !== expected) return 'stale';
    return (await this.write(path, text)) ? 'saved' : 'not_saved';
  }

  private async write(path: string, text: string): Promise<boolean> {
    const { client, sessionId, log } = this.parts;
    try {
      await client.writeText(sessionId(), path, text);
      return true;
    } catch (error) {
      log.debug(`The client did not write ${path}: ${String(error)}`);
      return false;
    }
  }

  /** Compares what the client has with the disk. Undefined if only the disk counts. */
  private async look(path: string): Promise<SeenDocument | undefined> {
    const { client, sessionId, log } = this.parts;
    if (!client.readsFiles || !this.isInside(path)) return undefined;
    const stored = await textOnDisk(path);
    if (!stored) return undefined;
    try {
      const text = await client.readText(sessionId(), path);
      // Some editors have only one kind of line end, and no byte order mark.
      const isDirty = bare(text) !== bare(stored.text);
      return { stored, isDirty, text: isDirty ? text : stored.text };
    } catch (error) {
      log.debug(`The client did not read ${path}: ${String(error)}`);
      return undefined;
    }
  }

  private isInside(path: string): boolean {
    return this.parts.roots.some((root) => contains(root, path));
  }
}

interface SeenDocument {
  readonly stored: DecodedText;
  readonly text: string;
  readonly isDirty: boolean;
}

function bare(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

/** Undefined if there is no file, or no text that the client could have in the same encoding. */
async function textOnDisk(path: string): Promise<DecodedText | undefined> {
  const file = await openRegularFile(path);
  if (!file.opened) return undefined;
  try {
    const bytes = await readUpTo(file.handle, file.size, MAX_BYTES);
    return bytes === undefined || looksBinary(bytes) ? undefined : decodeExactly(bytes);
  } finally {
    await file.handle.close();
  }
}
