import { createEvent, type Event } from '@google/adk';
import type { Content } from '@google/genai';
import type { RecordBody } from '../../extension/sessions/session-record.ts';
import { ANSWER } from './endpoint-answer.ts';

export interface PastTurn {
  readonly records: readonly RecordBody[];
  /** What a model would be sent of it. */
  readonly contents: readonly Content[];
}

/** How many events the surfaces get from one turn. */
export const EVENTS_PER_TURN = ANSWER.length + 5;

/** A turn as the endpoint of the bench would have made it. */
export function pastTurn(turn: number, output: string): PastTurn {
  const call = { id: `adk-past-${turn}`, name: 'read_file', args: { file_path: 'a.txt' } };
  const { args: _, ...named } = call;
  const asked = eventOf('user', { role: 'user', parts: [{ text: 'Read it' }] });
  const called = eventOf('gantry', {
    role: 'model',
    parts: [{ text: 'I should look at the file first.', thought: true }, { functionCall: call }],
  });
  const returned = eventOf('gantry', {
    role: 'user',
    parts: [{ functionResponse: { ...named, response: { output } } }],
  });
  const answered = eventOf('gantry', { role: 'model', parts: [{ text: ANSWER.join('') }] });
  const display = { name: 'ReadFile', description: 'a.txt' };
  return {
    records: [
      { type: 'sent', streamId: `past-${turn}`, event: asked },
      { type: 'run_started' },
      { type: 'event', event: called, displays: { [call.id]: display } },
      { type: 'tool_started', callId: call.id },
      { type: 'tool_finished', call, state: 'success', result: { content: output }, display },
      { type: 'event', event: returned },
      ...ANSWER.map((word): RecordBody => ({ type: 'delta', parts: [{ text: word }] })),
      { type: 'event', event: answered },
      { type: 'run_ended', reason: 'completed' },
    ],
    // ADK doesn't send the ids that it gave itself.
    contents: JSON.parse(
      JSON.stringify([asked, called, returned, answered].flatMap(({ content }) => content ?? [])),
      (key, value) => (key === 'id' ? undefined : value),
    ),
  };
}

/** Ids of their own: ADK's are short, and two alike would be one event. */
let count = 0;
function eventOf(author: string, content: Content): Event {
  return createEvent({ id: `past-event-${count++}`, author, content });
}
