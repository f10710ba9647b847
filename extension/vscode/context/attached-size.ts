import type { ContentPart } from '../../protocol/content-part.ts';
import { ProblemError } from '../../protocol/problem.ts';
import { referenceLabel } from '../../protocol/reference.ts';

/** About 250,000 tokens: a quarter of the largest window Gemini models have. What is longer is better searched. */
export const MAX_ATTACHED_BYTES = 1024 * 1024;

/** One by one and together; nothing is cut, because a part of a file is not what the user attached. */
export function checkAttachedSize(parts: readonly ContentPart[]): void {
  let sum = 0;
  for (const part of parts) {
    if (part.type !== 'reference') continue;
    const bytes = Buffer.byteLength(part.text);
    if (bytes > MAX_ATTACHED_BYTES) throw tooLarge(`${referenceLabel(part)} is too large to attach`, bytes);
    sum += bytes;
  }
  if (sum > MAX_ATTACHED_BYTES) throw tooLarge('The attachments are too large together', sum);
}

export function tooLarge(title: string, bytes: number): ProblemError {
  return new ProblemError({
    kind: 'message-too-large',
    title: `${title} (${(bytes / MAX_ATTACHED_BYTES).toFixed(1)} MB)`,
    detail: 'Up to 1 MB fits. Nothing was sent. Remove it and attach a selection, or ask Gantry to look into the file.',
    actions: [],
  });
}
