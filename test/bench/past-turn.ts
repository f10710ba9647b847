import { createEvent, type Event } from '@google/adk';
import type { Content } from '@google/genai';
import type { RecordBody } from '../../extension/sessions/session-record.ts';
import { ANSWER } from './endpoint-answer.ts';

export interface PastTurn {
  /** What its log would have. */
  readonly records: readonly RecordBody[];
  /** What the model would have been sent of it. */
  readonly contents: readonly Content[];
}

/** A turn as the endpoint of the bench would have made it. */
export function pastTurn(turn: number, output: string): PastTurn {
  const call = { id: `call-past-${turn}`, name: 'read_file' };
  const args = { file_path: 'a.txt' };
  const asked = eventOf('user', { role: 'user', parts: [{ text: 'Read it' }] });
  const called = eventOf('gantry', {
    role: 'model',
    parts: [{ text: 'I should look at the file first.', thought: true }, { functionCall: { ...call, args } }],
  });
  const read = eventOf('gantry', { role: 'user', parts: [{ functionResponse: { ...call, response: { output } } }] });
  const said = eventOf('gantry', { role: 'model', parts: [{ text: ANSWER.join('') }] });
  const records: RecordBody[] = [
    { type: 'sent', streamId: `past-${turn}`, event: asked },
    { type: 'run_started' },
    { type: 'event', event: called },
    { type: 'tool_finished', call: { ...call, args }, state: 'success', result: { content: output }, display: {} },
    { type: 'event', event: read },
    ...ANSWER.map((text): RecordBody => ({ type: 'delta', parts: [{ text }] })),
    { type: 'event', event: said },
    { type: 'run_ended', reason: 'completed' },
  ];
  return { records, contents: [asked, called, read, said].flatMap(({ content }) => content ?? []) };
}

/** Ids of their own: ADK's are short, and two alike would be one event. */
let count = 0;
function eventOf(author: string, content: Content): Event {
  return createEvent({ id: `past-event-${count++}`, author, content });
}
