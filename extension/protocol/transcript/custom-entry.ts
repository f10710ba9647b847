import * as l10n from '@vscode/l10n';
import type { CustomEvent } from '../agent/agent-event.ts';
import { leftOutText } from '../agent/left-out.ts';
import { compactionNote } from './compaction-note.ts';
import { retryEntry, switchNote } from './model-entry.ts';
import { protectedEntry } from './protected-entry.ts';
import type { Entry } from './transcript-entry.ts';

/** Those of the custom events that are one entry and nothing more. */
export function customEntry(event: CustomEvent): Entry | undefined {
  const { id } = event;
  switch (event.kind) {
    case 'left_out':
      return { kind: 'note', id, icon: 'info', text: leftOutText(event.data) };
    case 'model_waiting':
      return retryEntry(id, event.data);
    case 'model_switched':
      return switchNote(id, event.data);
    case 'compaction_ended':
    case 'outputs_cut': {
      const note = compactionNote(event);
      return note && { kind: 'note', id, ...note };
    }
    case 'compacted':
      return { kind: 'compacted', id, at: Date.parse(event.timestamp), ...event.data };
    case 'protected_changed':
      return protectedEntry(id, event.data);
    case 'loop': {
      // When the run ends with it, a problem says so.
      if (event.data.stops) return undefined;
      const text = l10n.t('Gantry was repeating itself and was told to try something else: {0}', event.data.detail);
      return { kind: 'note', id, icon: 'info', text };
    }
    default:
      return undefined;
  }
}
