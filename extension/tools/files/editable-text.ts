import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isForbidden, isMissing } from '../../files/error-code.ts';
import { failureReason } from '../../files/file-failure.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { decodeExactly, encodeText, looksBinary } from '../../files/text-codec.ts';
import { type ToolResult, toolError } from '../../ports/tool.ts';
import type { FilePort, OpenDocument } from '../../ports/workspace.ts';
import { openDocumentOf, speaksForFile } from './open-document.ts';
import { openFailure } from './open-failure.ts';
import type { ToolPath } from './tool-path.ts';

/** The same limit as for reading files. */
export const MAX_EDITABLE_BYTES = 20 * 1024 * 1024;

/** A file's text as the user sees it, and how to convert it back to bytes. */
export interface EditableText {
  /** Null if the file doesn't exist yet. */
  readonly before: string | null;
  encode(text: string): Promise<Uint8Array>;
}

export type Loaded =
  | { readonly ok: true; readonly editable: EditableText }
  | { readonly ok: false; readonly failed: ToolResult };

/** Fails for a file that can't be written back intact, so that the user isn't asked about an edit that can't work. */
export async function loadEditable(
  { guarded, label }: ToolPath,
  files: FilePort,
  signal: AbortSignal,
): Promise<Loaded> {
  const onDisk = await readBytes(guarded.path, label, signal);
  if (!onDisk.ok) return onDisk;
  const unwritable = await whyUnwritable(guarded.path, label, onDisk.bytes !== undefined);
  if (unwritable) return { ok: false, failed: unwritable };
  const document = await openDocumentOf(guarded, files);
  if (document && (await speaksForFile(document, onDisk.bytes))) return fromDocument(document, label);
  return onDisk.bytes === undefined ? loaded(NEW_FILE) : fromBytes(onDisk.bytes, label);
}

const NEW_FILE: EditableText = {
  before: null,
  encode: (text) => Promise.resolve(encodeText({ text, encoding: 'utf-8', hasBom: false })),
};

function fromDocument(document: OpenDocument, label: string): Loaded {
  const { text } = document;
  if (Buffer.byteLength(text) > MAX_EDITABLE_BYTES) return tooLarge(label);
  return loaded({ before: text, encode: (changed) => document.encode(changed) });
}

function fromBytes(bytes: Uint8Array, label: string): Loaded {
  if (looksBinary(bytes)) return failed(`${label} is a binary file and cannot be edited as text, whatever the edit.`);
  const decoded = decodeExactly(bytes);
  if (!decoded) {
    return failed(
      `${label} is neither valid UTF-8 nor marked as UTF-16 or UTF-32, so writing it would damage it. ` +
        'Ask the user to open it in the editor with the right encoding, then try again.',
    );
  }
  return loaded({ before: decoded.text, encode: (text) => Promise.resolve(encodeText({ ...decoded, text })) });
}

type Bytes = { readonly ok: true; readonly bytes: Uint8Array | undefined } | { ok: false; failed: ToolResult };

async function readBytes(path: string, label: string, signal: AbortSignal): Promise<Bytes> {
  const file = await openRegularFile(path);
  if (!file.opened) {
    if (file.reason === 'missing') return { ok: true, bytes: undefined };
    return { ok: false, failed: openFailure(file.reason, label) };
  }
  try {
    const bytes = await readUpTo(file.handle, file.size, MAX_EDITABLE_BYTES, signal);
    return bytes ? { ok: true, bytes } : tooLarge(label);
  } finally {
    await file.handle.close();
  }
}

async function whyUnwritable(path: string, label: string, exists: boolean): Promise<ToolResult | undefined> {
  try {
    const place = exists ? path : await nearestFolder(dirname(path));
    if (place === undefined)
      return toolError(
        'path_is_not_a_directory',
        `A part of ${label} that should be a folder is a file. Choose another path.`,
      );
    await access(place, constants.W_OK);
    return undefined;
  } catch (error) {
    if (!isForbidden(error))
      return toolError('file_write_failure', `${label} cannot be written: ${failureReason(error)}.`);
    return toolError('permission_denied', `Permission denied: ${label} cannot be written.`);
  }
}

/** The nearest existing parent folder, in which missing folders would be created. Undefined if a file is in the way. */
async function nearestFolder(folder: string): Promise<string | undefined> {
  try {
    return (await stat(folder)).isDirectory() ? folder : undefined;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return nearestFolder(dirname(folder));
  }
}

function loaded(editable: EditableText): Loaded {
  return { ok: true, editable };
}

function failed(message: string): { ok: false; failed: ToolResult } {
  return { ok: false, failed: toolError('edit_preparation_failure', message) };
}

function tooLarge(label: string): { ok: false; failed: ToolResult } {
  const message = `${label} is larger than ${MAX_EDITABLE_BYTES / 1024 / 1024} MB and cannot be edited with this tool. Use a command for it.`;
  return { ok: false, failed: toolError('file_too_large', message) };
}
