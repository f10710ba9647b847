import { randomUUID } from 'node:crypto';
import { createEvent, type Event } from '@google/adk';
import { noticeId } from '../../sessions/notices.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { asUntrusted } from '../../text/untrusted.ts';

/** Where a note keeps the ids of the verdicts it tells of. */
const TOLD = 'reviewed';

/**
 * What the user took back after it was done, so that the model does not build on it. A verdict is told once; when the note
 * is rewound it is told again, because the file still is without the change.
 */
export function reviewNotes({ review, events, calls }: SessionHistory): Event[] {
  if (review.undone.length === 0 || calls.open.length > 0) return [];
  const told = new Set(events.flatMap(toldBy));
  const untold = review.undone.filter(({ id }) => !told.has(id));
  if (untold.length === 0) return [];
  const files = untold.map(({ path, undone }) => `${path}\n${undone}`);
  return [
    createEvent({
      id: noticeId(`reviewed-${randomUUID()}`),
      author: 'user',
      content: { role: 'user', parts: [{ text: `${NOTE}\n${asUntrusted(files.join('\n\n'))}` }] },
      customMetadata: { [TOLD]: untold.map(({ id }) => id) },
    }),
  ];
}

/** What the user said on lines of a change that was made already, in the words of a comment on a proposal. */
export function commentNote({ feedback }: RecordOf<'commented'>): string {
  return `The user reviews changes that were made earlier without asking, and commented on one of them:\n${feedback}`;
}

function toldBy({ customMetadata }: Event): readonly unknown[] {
  const ids = customMetadata?.[TOLD];
  return Array.isArray(ids) ? ids : [];
}

const NOTE =
  'The user reviewed changes that were made earlier without asking, and took these back. The files no longer have them. ' +
  'Do not make them again unless the user asks for it.';
