import type { CustomEvent } from './agent-event.ts';
import type { CompactionStatus } from './compaction.ts';
import type { Entry } from './transcript-entry.ts';

type Note = Pick<Extract<Entry, { kind: 'note' }>, 'icon' | 'text'>;

/** What a reader is told of an attempt that made no snapshot; nothing of one that did, or was stopped. */
export function compactionNote(
  event: Extract<CustomEvent, { kind: 'compaction_ended' | 'outputs_cut' }>,
): Note | undefined {
  if (event.kind === 'outputs_cut') {
    const { count } = event.data;
    const what = count === 1 ? 'One long tool output goes' : `${count} long tool outputs go`;
    return { icon: 'info', text: `${what} to the model in part from here on. The whole text is kept in a file.` };
  }
  const { status, why } = event.data;
  const reason = why ?? REASONS[status];
  return reason === undefined ? undefined : { icon: 'limit', text: `${NOT_COMPACTED} ${reason}` };
}

const NOT_COMPACTED = 'The conversation was not compacted and goes on whole.';

const REASONS: Partial<Record<CompactionStatus, string>> = {
  INFLATED: 'The summary would have been longer than what it stands for.',
  EMPTY: 'The model wrote no summary.',
  NOOP: 'There was nothing to summarise.',
};
