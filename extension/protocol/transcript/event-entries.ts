import * as l10n from '@vscode/l10n';
import type { AgentEvent, CustomEvent } from '../agent/agent-event.ts';
import type { Attachment } from '../agent/attachment.ts';
import { plainText } from '../agent/content-part.ts';
import { leftOutText } from '../agent/left-out.ts';
import { attachmentOf, editorOf } from '../agent/reference.ts';
import { retryEntry, switchNote } from './model-entry.ts';
import { compactionNote } from './notes.ts';
import { protectedEntry } from './protected-entry.ts';
import type { Entry } from './transcript-entry.ts';

/** A user message as it is displayed: its text, and the names of its attachments. */
export function userEntry(event: Extract<AgentEvent, { type: 'message' }>): Extract<Entry, { kind: 'user' }> {
  const { id, content, timestamp } = event;
  const { messageId = id, pending } = event._meta ?? {};
  const attachments = distinct(content.flatMap((part) => attachmentOf(part) ?? []));
  const editor = content.map(editorOf).find((sent) => sent !== undefined)?.label;
  return {
    kind: 'user',
    id,
    text: plainText(content),
    messageId,
    at: Date.parse(timestamp),
    ...(attachments.length > 0 && { attachments }),
    ...(editor !== undefined && { editor }),
    ...(pending && { pending }),
  };
}

/** An attached prompt consists of several parts if other content is between its texts. */
function distinct(attachments: readonly Attachment[]): Attachment[] {
  return [...new Map(attachments.map((attachment) => [attachment.id, attachment])).values()];
}

export function shownProblem(
  event: Extract<AgentEvent, { type: 'error' }>,
): Extract<Entry, { kind: 'problem' }>['problem'] {
  const problem = event._meta?.problem;
  if (problem) return { ...problem, actions: [...problem.actions] };
  return {
    kind: 'internal',
    title: l10n.t('Something went wrong'),
    detail: event.message,
    actions: ['retry', 'show-log'],
  };
}

/** Converts custom events that add exactly one entry. */
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
      // If the loop ends the run, a problem reports it.
      if (event.data.stops) return undefined;
      const text = l10n.t('Gantry was repeating itself and was told to try something else: {0}', event.data.detail);
      return { kind: 'note', id, icon: 'info', text };
    }
    default:
      return undefined;
  }
}
