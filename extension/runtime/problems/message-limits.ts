import * as l10n from '@vscode/l10n';
import { checkAttachedSize } from '../../context/attached-size.ts';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';

/** About 500,000 tokens: half of the largest window of Gemini models, so that files and an answer still fit. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;

export function checkMessageSize(content: readonly ContentPart[]): void {
  const bytes = content.reduce((sum, part) => sum + ('text' in part ? Buffer.byteLength(part.text) : 0), 0);
  checkAttachedSize(content);
  if (bytes === 0 && !content.some((part) => part.type === 'media'))
    throw badInput(l10n.t('There is nothing to send.'));
  if (bytes <= MAX_MESSAGE_BYTES) return;
  throw new ProblemError({
    kind: 'message-too-large',
    title: l10n.t('The message is too long ({0} MB)', megabytes(bytes)),
    detail: l10n.t(
      'The limit is {0} MB. Nothing was sent. Shorten it, or save it as a file in the folder and ask Gantry to read it.',
      megabytes(MAX_MESSAGE_BYTES),
    ),
    actions: [],
  });
}

export function badInput(detail: string, title = l10n.t('That could not be sent')): ProblemError {
  return new ProblemError({ kind: 'bad-input', title, detail, actions: [] });
}

function megabytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(1);
}
