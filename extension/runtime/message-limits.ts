import { checkAttachedSize } from '../context/attached-size.ts';
import type { ContentPart } from '../protocol/content-part.ts';
import { ProblemError } from '../protocol/problem.ts';

/** About 500,000 tokens: half of the largest window Gemini models have, so that an answer and files still fit. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

export function checkMessageSize(content: readonly ContentPart[]): void {
  const bytes = content.reduce((sum, part) => sum + ('text' in part ? Buffer.byteLength(part.text) : 0), 0);
  checkAttachedSize(content);
  if (bytes === 0 && !content.some((part) => part.type === 'media')) throw badInput('There is nothing to send.');
  if (bytes <= MAX_MESSAGE_BYTES) return;
  throw new ProblemError({
    kind: 'message-too-large',
    title: `The message is too long (${megabytes(bytes)} MB)`,
    detail: `Up to ${megabytes(MAX_MESSAGE_BYTES)} MB fit. Nothing was sent; shorten it, or save it as a file in the folder and ask Gantry to read it.`,
    actions: [],
  });
}

export function badInput(detail: string, title = 'That could not be sent'): ProblemError {
  return new ProblemError({ kind: 'bad-input', title, detail, actions: [] });
}

function megabytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(1);
}
