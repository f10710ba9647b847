import { createEvent, type Event } from '@google/adk';
import type { Content } from '@google/genai';
import type { AgentEventBody } from '../../extension/protocol/agent-event.ts';
import { textPart } from '../../extension/protocol/content-part.ts';
import { ANSWER } from './endpoint-answer.ts';

export interface PastTurn {
  /** What ADK would have stored. */
  readonly stored: readonly Event[];
  /** What the surfaces would have seen. */
  readonly shown: readonly AgentEventBody[];
}

/** A turn as the endpoint of the bench would have made it. */
export function pastTurn(turn: number, output: string): PastTurn {
  const call = { id: `call-past-${turn}`, name: 'read_file' };
  const args = { file_path: 'a.txt' };
  const stored = [
    eventOf('user', { role: 'user', parts: [{ text: 'Read it' }] }),
    eventOf('gantry', {
      role: 'model',
      parts: [{ text: 'I should look at the file first.', thought: true }, { functionCall: { ...call, args } }],
    }),
    eventOf('gantry', { role: 'user', parts: [{ functionResponse: { ...call, response: { output } } }] }),
    eventOf('gantry', { role: 'model', parts: [{ text: ANSWER.join('') }] }),
  ];
  const shown: AgentEventBody[] = [
    { type: 'message', role: 'user', content: [textPart('Read it')] },
    { type: 'agent_start' },
    { type: 'tool_request', requestId: call.id, name: call.name, args },
    { type: 'tool_response', requestId: call.id, name: call.name, isError: false },
    ...ANSWER.map((word): AgentEventBody => ({ type: 'message', role: 'agent', content: [textPart(word)] })),
    { type: 'agent_end', reason: 'completed' },
  ];
  return { stored, shown };
}

/** Ids of their own: ADK's are short, and two alike would be one event. */
let count = 0;
function eventOf(author: string, content: Content): Event {
  return createEvent({ id: `past-event-${count++}`, author, content });
}
