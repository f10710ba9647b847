import * as l10n from '@vscode/l10n';
import type { CustomEvent } from '../agent/agent-event.ts';
import type { CompactionStatus } from '../agent/compaction.ts';
import type { Entry } from './transcript-entry.ts';

type Note = Pick<Extract<Entry, { kind: 'note' }>, 'icon' | 'text'>;

/** What a reader is told about an attempt that made no snapshot; nothing of one that did, or was stopped. */
export function compactionNote(
  event: Extract<CustomEvent, { kind: 'compaction_ended' | 'outputs_cut' }>,
): Note | undefined {
  if (event.kind === 'outputs_cut') {
    const { count } = event.data;
    const text =
      count === 1
        ? l10n.t('From here on, one long tool output is shortened in requests. The full text is kept in a file.')
        : l10n.t(
            'From here on, {0} long tool outputs are shortened in requests. The full text is kept in a file.',
            count,
          );
    return { icon: 'info', text };
  }
  const { status, why } = event.data;
  const reason = why ?? reasonOf(status);
  return reason === undefined
    ? undefined
    : { icon: 'limit', text: l10n.t('The conversation was not compacted and continues in full. {0}', reason) };
}

function reasonOf(status: CompactionStatus): string | undefined {
  switch (status) {
    case 'INFLATED':
      return l10n.t('The summary would have been longer than what it replaces.');
    case 'EMPTY':
      return l10n.t('The model wrote no summary.');
    case 'NOOP':
      return l10n.t('There was nothing to summarize.');
    default:
      return undefined;
  }
}
