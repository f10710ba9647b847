import { readFile, realpath, stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { failureText } from '../files/file-failure.ts';
import type { FilePort } from '../ports/workspace.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import { mediaTypeOf } from '../text/media-type.ts';
import { folderTree } from '../tools/conversation/folder-tree.ts';
import { readContent } from '../tools/files/file-content.ts';
import { MAX_ATTACHED_BYTES, MAX_MEDIA_BYTES, mediaTooLarge, tooLargeToAttach } from './attached-size.ts';

/** The text of a file that the user picked. The file may be hidden from the agent or outside the workspace. */
export async function attachedFile(path: string, label: string, files: FilePort): Promise<string> {
  const unsaved = await files.unsavedText(path);
  if (unsaved !== undefined) return unsaved;
  const real = await existing(path, label);
  const { size } = await stat(real);
  if (size > MAX_ATTACHED_BYTES) throw tooLargeToAttach(label, size);
  const file = { guarded: { path: real, editorPath: path }, label };
  const content = await readContent(file, files, new AbortController().signal, false);
  if (content.kind === 'text') return content.text;
  if (content.kind === 'failed') throw unreadable(label, content.failed.error?.message ?? '');
  throw unreadable(label, l10n.t('It is not a text file. Name it in your message, and Gantry reads it if it can.'));
}

/** The tree of a folder: names only, without contents. */
export async function attachedFolder(path: string, label: string): Promise<string> {
  const real = await existing(path, label);
  try {
    return (await folderTree(real)) || '(It is empty.)';
  } catch (error) {
    throw unreadable(label, failureText(error));
  }
}

async function existing(path: string, label: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    throw unreadable(label, l10n.t('It no longer exists.'));
  }
}

function unreadable(label: string, reason: string): ProblemError {
  return new ProblemError({
    kind: 'bad-input',
    title: l10n.t('{0} could not be attached', label),
    detail: l10n.t('{0} Nothing was sent. Remove it, then send again.', reason),
    actions: [],
  });
}

export interface AttachedMedia {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** The content of an image or document that the user picked. */
export async function attachedMedia(path: string, label: string): Promise<AttachedMedia> {
  const bytes = await readChecked(path, label);
  const mimeType = mediaTypeOf(bytes);
  if (mimeType === undefined) {
    throw unusable(label, l10n.t('Its content is not a PNG, JPEG, WebP or HEIC image or a PDF.'));
  }
  return { data: bytes.toString('base64'), mimeType };
}

async function readChecked(path: string, label: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_MEDIA_BYTES) throw mediaTooLarge(label, size);
    return await readFile(path);
  } catch (error) {
    if (ProblemError.is(error)) throw error;
    throw unusable(label, l10n.t('The file can no longer be read.'));
  }
}

export interface MediaKind {
  readonly kind: 'image' | 'document';
  /** The file extension, without the dot. */
  readonly ending: string;
}

export function mediaKind(bytes: Uint8Array, label: string): MediaKind | undefined {
  const type = mediaTypeOf(bytes);
  if (type === undefined && bytes.length > MAX_ATTACHED_BYTES) throw tooLargeToAttach(label, bytes.length);
  if (bytes.length > MAX_MEDIA_BYTES) throw mediaTooLarge(label, bytes.length);
  const ending = type?.replace(/^.*\//, '').replace('jpeg', 'jpg');
  return ending === undefined ? undefined : { kind: ending === 'pdf' ? 'document' : 'image', ending };
}

function unusable(label: string, reason: string): ProblemError {
  return new ProblemError({
    kind: 'bad-input',
    title: l10n.t('{0} could not be attached', label),
    detail: l10n.t('{0} Nothing was sent. Remove it, then send again.', reason),
    actions: [],
  });
}
