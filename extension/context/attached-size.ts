import type { ContentPart } from '../protocol/content-part.ts';
import { ProblemError } from '../protocol/problem.ts';
import { referenceLabel } from '../protocol/reference.ts';

const MEGABYTE = 1024 * 1024;

/** About 250,000 tokens: a quarter of the largest window Gemini models have. What is longer is better searched. */
export const MAX_ATTACHED_BYTES = MEGABYTE;

/** One by one and together. Nothing is cut: a part of a file is not what the user attached. */
export function checkAttachedSize(content: readonly ContentPart[]): void {
  let sum = 0;
  for (const part of content) {
    if (part.type !== 'reference') continue;
    const bytes = Buffer.byteLength(part.text);
    if (bytes > MAX_ATTACHED_BYTES) throw tooLargeToAttach(referenceLabel(part), bytes);
    sum += bytes;
  }
  if (sum > MAX_ATTACHED_BYTES) {
    throw tooLarge(`The attachments are too large together (${megabytes(sum)} MB)`, 'Remove some of them');
  }
}

export function tooLargeToAttach(label: string, bytes: number): ProblemError {
  return tooLarge(`${label} is too large to attach (${megabytes(bytes)} MB)`, 'Remove it, or attach a selection of it');
}

function tooLarge(title: string, advice: string): ProblemError {
  return new ProblemError({
    kind: 'message-too-large',
    title,
    detail: `Up to ${megabytes(MAX_ATTACHED_BYTES)} MB fit. Nothing was sent. ${advice}, or ask Gantry to read what you need.`,
    actions: [],
  });
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
