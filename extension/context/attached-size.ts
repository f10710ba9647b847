import * as l10n from '@vscode/l10n';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import { referenceLabel } from '../protocol/agent/reference.ts';

const MEGABYTE = 1024 * 1024;

/** About 250,000 tokens: a quarter of the largest window of Gemini models. Longer texts are better searched. */
export const MAX_ATTACHED_BYTES = MEGABYTE;

/** Gemini accepts requests of 20 MB. In base64, 7 MB take up about 9 MB of that, and 12 MB take up 16 MB. */
export const MAX_MEDIA_BYTES = 7 * MEGABYTE;
const MAX_MEDIA_TOGETHER = 12 * MEGABYTE;

/** Checks the attachments one by one and together. Nothing is truncated, because the user attached the whole file. */
export function checkAttachedSize(content: readonly ContentPart[]): void {
  let [text, media] = [0, 0];
  for (const part of content) {
    if (part.type === 'media') media += Math.floor((part.data?.length ?? 0) * BASE64_SHARE);
    if (part.type !== 'reference') continue;
    const bytes = Buffer.byteLength(part.text);
    if (bytes > MAX_ATTACHED_BYTES) throw tooLargeToAttach(referenceLabel(part), bytes);
    text += bytes;
  }
  if (text > MAX_ATTACHED_BYTES) {
    throw tooLarge(
      l10n.t('The attachments are too large in total ({0} MB)', megabytes(text)),
      l10n.t('Remove some of them'),
    );
  }
  if (media > MAX_MEDIA_TOGETHER) {
    const title = l10n.t('The images and documents are too large in total ({0} MB)', megabytes(media));
    throw tooLarge(title, l10n.t('Remove some of them'), MAX_MEDIA_TOGETHER);
  }
}

export function mediaTooLarge(label: string, bytes: number): ProblemError {
  return tooLarge(
    l10n.t('{0} is too large to attach ({1} MB)', label, megabytes(bytes)),
    l10n.t('Remove it'),
    MAX_MEDIA_BYTES,
  );
}

const BASE64_SHARE = 0.75;

export function tooLargeToAttach(label: string, bytes: number): ProblemError {
  return tooLarge(
    l10n.t('{0} is too large to attach ({1} MB)', label, megabytes(bytes)),
    l10n.t('Remove it, or attach a selection of it'),
  );
}

function tooLarge(title: string, advice: string, limit = MAX_ATTACHED_BYTES): ProblemError {
  return new ProblemError({
    kind: 'message-too-large',
    title,
    detail: l10n.t(
      'The limit is {0} MB. Nothing was sent. {1}, or ask Gantry to read what you need.',
      megabytes(limit),
      advice,
    ),
    actions: [],
  });
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
