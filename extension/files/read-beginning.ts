import { realpath } from 'node:fs/promises';
import { isMissing } from './error-code.ts';
import { resolveRealPath } from './real-path.ts';
import { type OpenFailure, openRegularFile } from './regular-file.ts';
import { decodeText, looksBinary } from './text-codec.ts';

export type BeginningFailure = OpenFailure | 'binary' | 'refused';

export type Beginning =
  | {
      readonly text: string;
      /** Whether the file is longer than the text. */
      readonly isCut: boolean;
      /** The real path of the file. */
      readonly path: string;
    }
  | { readonly failed: BeginningFailure };

/** Texts of documents that an editor has open, by absolute path. They count instead of the files on the disk. */
export interface OpenTexts {
  textOf(path: string): string | undefined;
}

/**
 * The text of a regular file, up to `maxBytes`, as an editor has it open or as it is on the disk. `accepts` checks the
 * real path before the file is opened.
 */
export async function readBeginning(
  path: string,
  maxBytes: number,
  accepts: (realPath: string) => boolean | Promise<boolean> = () => true,
  open?: OpenTexts,
): Promise<Beginning> {
  const opened = open?.textOf(path);
  try {
    const real = opened === undefined ? await realpath(path) : (await resolveRealPath(path)).path;
    if (!(await accepts(real))) return { failed: 'refused' };
    if (opened !== undefined) return openBeginning(opened, real, maxBytes);
    const file = await openRegularFile(real);
    if (!file.opened) return { failed: file.reason };
    const bytes = await firstBytes(file.handle, maxBytes + 1).finally(() => file.handle.close());
    return beginningOf(bytes, real, maxBytes);
  } catch (error) {
    return { failed: isMissing(error) ? 'missing' : 'failed' };
  }
}

/** The beginning of a file that an editor has open with this text. Nothing is read. */
export function openBeginning(text: string, path: string, maxBytes: number): Beginning {
  return beginningOf(Buffer.from(text), path, maxBytes);
}

function beginningOf(bytes: Buffer, path: string, maxBytes: number): Beginning {
  if (looksBinary(bytes)) return { failed: 'binary' };
  const isCut = bytes.length > maxBytes;
  const { text } = decodeText(bytes.subarray(0, maxBytes));
  // Removes a character that was cut in two.
  return { text: isCut ? text.replace(/\uFFFD+$/, '') : text, isCut, path };
}

interface Readable {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

async function firstBytes(handle: Readable, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count);
  let filled = 0;
  while (filled < count) {
    const { bytesRead } = await handle.read(bytes, filled, count - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
