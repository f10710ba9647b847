import { randomUUID } from 'node:crypto';
import { createEvent, type Event } from '@google/adk';
import { isObject } from '../../base/objects.ts';
import { knowledgeNote, type ToldKnowledge } from '../../context/instruction/knowledge-note.ts';
import type { SessionMemory } from '../../context/memory/session-memory.ts';
import { isApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { noticeId } from '../../sessions/notices.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import type { SessionMode } from '../policy/session-mode.ts';

interface NotesParts {
  readonly history: Pick<SessionHistory, 'events' | 'compactions' | 'positionOf' | 'calls'>;
  readonly mode: Pick<SessionMode, 'mode'>;
  readonly memory: Pick<SessionMemory, 'found'>;
  /** Whether a user can answer questions. Otherwise, the mode makes no difference to the model. */
  readonly isInteractive: boolean;
  /** False for an agent whose own prompt replaces instruction files. */
  readonly hasMemory: boolean;
}

/** The metadata key for what a note reported. */
const TOLD = 'knowledge';

/**
 * A message about the mode and instruction files that were found during the work, if the model does not know them yet.
 * There is none while a call is unanswered: the API accepts none there. What was reported is read from the log, so a
 * resumed session sends the same bytes, and a rewind or a summary makes it news again.
 */
export function knowledgeNotes({ history, mode, memory, isInteractive, hasMemory }: NotesParts): Event[] {
  if (history.calls.open.length > 0) return [];
  const told = toldIn(history);
  const isModeTold = isInteractive || told.mode !== undefined;
  const note = knowledgeNote(
    { mode: isModeTold ? mode.mode() : undefined, memory: hasMemory ? memory.found() : [] },
    told,
  );
  if (!note) return [];
  return [
    createEvent({
      id: noticeId(`knowledge-${randomUUID()}`),
      author: 'user',
      content: { role: 'user', parts: [{ text: note.text }] },
      customMetadata: { [TOLD]: note.told },
    }),
  ];
}

/** What was reported to the model, except for what a summary replaces. The log may have been written by anyone. */
function toldIn(history: NotesParts['history']): ToldKnowledge {
  const { events, compactions } = history;
  const summary = compactions.inForce;
  const summarized = summary ? (history.positionOf(summary.upToEventId) ?? -1) : -1;
  for (let at = events.length - 1; at > summarized; at--) {
    const told = events[at]?.customMetadata?.[TOLD];
    if (!isObject(told)) continue;
    const { mode, memory } = told;
    const prints = Object.entries(isObject(memory) ? memory : {}).filter(([, print]) => typeof print === 'string');
    return { ...(isApprovalMode(mode) && { mode }), memory: Object.fromEntries(prints) as Record<string, string> };
  }
  return NOTHING;
}

const NOTHING: ToldKnowledge = { memory: {} };
