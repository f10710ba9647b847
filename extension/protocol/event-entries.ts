import type { AgentEvent } from './agent-event.ts';
import { plainText } from './content-part.ts';
import type { Entry } from './transcript-entry.ts';

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** What a hook said, or added for the model to read. */
export function hookNote(event: Extract<AgentEvent, { type: 'message' }>): EntryOf<'note'> {
  const { hook, kind } = event._meta ?? {};
  const by = kind === 'context' ? `The hook ${hook} added` : `The hook ${hook}`;
  return { kind: 'note', id: event.id, icon: 'info', text: `${by}: ${plainText(event.content)}` };
}

export function shownProblem(event: Extract<AgentEvent, { type: 'error' }>): EntryOf<'problem'>['problem'] {
  const problem = event._meta?.problem;
  if (problem) return { ...problem, actions: [...problem.actions] };
  return { kind: 'internal', title: 'Something went wrong', detail: event.message, actions: ['retry', 'show-log'] };
}
