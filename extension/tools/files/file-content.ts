import type { Part } from '@google/genai';
import type { OpenFile } from '../../files/disk-calls.ts';
import { failureReason } from '../../files/file-failure.ts';
import type { AllowedPath } from '../../files/path-guard.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { decodeText, SNIFF_BYTES } from '../../files/text-codec.ts';
import { type ToolResult, toolError } from '../../ports/tool.ts';
import type { FilePort } from '../../ports/workspace.ts';
import { detectFileType, type FileType } from './file-type.ts';
import { unsavedTextOf } from './open-document.ts';
import { openFailure } from './open-failure.ts';

/** Gemini CLI's limit, and about the maximum for one request to the API. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Reading this much is as fast as reading the beginning. */
const SMALL_BYTES = 256 * 1024;
/** A larger SVG is a traced bitmap, which isn't worth reading. */
const MAX_SVG_BYTES = 1024 * 1024;

export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'media'; readonly part: Part; readonly bytes: number }
  | { readonly kind: 'binary' }
  /** The file is media, but the caller didn't ask for media. */
  | { readonly kind: 'left_out'; readonly type: FileType['kind'] }
  | { readonly kind: 'failed'; readonly failed: ToolResult };

/** The real path of a file, its path in the editor, and its label for people. */
interface FileToRead {
  readonly guarded: Pick<AllowedPath, 'path' | 'editorPath'>;
  readonly label: string;
}

/** The content of a file for the model. Unsaved text in an editor takes precedence. Throws only if aborted. */
export async function readContent(
  { guarded, label }: FileToRead,
  files: FilePort,
  signal: AbortSignal,
  wantsMedia = true,
): Promise<FileContent> {
  signal.throwIfAborted();
  const unsaved = await unsavedTextOf(guarded, files);
  if (unsaved !== undefined) {
    return Buffer.byteLength(unsaved) > MAX_FILE_BYTES
      ? tooLarge(label, MAX_FILE_BYTES)
      : { kind: 'text', text: unsaved };
  }
  try {
    return await readFromDisk(guarded.path, label, signal, wantsMedia);
  } catch (error) {
    signal.throwIfAborted();
    return {
      kind: 'failed',
      failed: toolError('read_content_failure', `Could not read ${label}: ${failureReason(error)}.`),
    };
  }
}

async function readFromDisk(
  path: string,
  label: string,
  signal: AbortSignal,
  wantsMedia: boolean,
): Promise<FileContent> {
  const file = await openRegularFile(path);
  if (!file.opened) return { kind: 'failed', failed: openFailure(file.reason, label) };
  try {
    if (file.size > MAX_FILE_BYTES) return tooLarge(label, MAX_FILE_BYTES);
    // Most files are read in one piece. Of a large file, the beginning shows first whether the rest is needed.
    const whole = file.size <= SMALL_BYTES ? await readUpTo(file.handle, file.size, MAX_FILE_BYTES, signal) : undefined;
    const type = detectFileType(path, (whole ?? (await headOf(file.handle))).subarray(0, SNIFF_BYTES));
    if (type.kind === 'binary') return { kind: 'binary' };
    if ('mimeType' in type && !wantsMedia) return { kind: 'left_out', type: type.kind };
    const limit = type.kind === 'svg' ? MAX_SVG_BYTES : MAX_FILE_BYTES;
    const bytes = whole ?? (await readUpTo(file.handle, file.size, limit, signal));
    if (!bytes || bytes.length > limit) return tooLarge(label, limit);
    if (!('mimeType' in type)) return { kind: 'text', text: decodeText(bytes).text };
    const part = { inlineData: { data: bytes.toString('base64'), mimeType: type.mimeType } };
    return { kind: 'media', part, bytes: bytes.length };
  } finally {
    await file.handle.close();
  }
}

async function headOf(handle: OpenFile): Promise<Buffer> {
  const bytes = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await handle.read(bytes, 0, SNIFF_BYTES, 0);
  return bytes.subarray(0, bytesRead);
}

function tooLarge(label: string, limit: number): FileContent {
  const message = `${label} is larger than ${limit / 1024 / 1024} MB and was not read. Find the lines that you need with grep_search.`;
  return { kind: 'failed', failed: toolError('file_too_large', message) };
}
