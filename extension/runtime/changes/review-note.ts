import { randomUUID } from 'node:crypto';
import { createEvent, type Event } from '@google/adk';
import { noticeId } from '../../sessions/notices.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { asUntrusted } from '../../text/untrusted.ts';

/** The metadata key for the ids of the reviews that a note reports. */
const TOLD = 'reviewed';

/**
 * Notes about changes that the user undid, so that the model does not build on them. Each review is reported once. If
 * its note is rewound, it is reported again, because the change is still undone in the file.
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

/** The user's comment on lines of an applied change, worded like a comment on a proposal. */
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
