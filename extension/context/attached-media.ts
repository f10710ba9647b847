import { readFile, stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { ProblemError } from '../protocol/agent/problem.ts';
import { mediaTypeOf } from '../text/media-type.ts';
import { MAX_ATTACHED_BYTES, MAX_MEDIA_BYTES, mediaTooLarge, tooLargeToAttach } from './attached-size.ts';

export interface AttachedMedia {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** What a model gets of a picture or document that the user picked. */
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
  /** Of the name of a file, without the dot. */
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
