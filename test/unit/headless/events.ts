import type { AgentEvent, AgentEventBody } from '../../../extension/protocol/agent/agent-event.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import type { Problem } from '../../../extension/protocol/agent/problem.ts';

/** Stamps bodies as one stream. */
export function stamped(...bodies: readonly AgentEventBody[]): AgentEvent[] {
  return bodies.map((body, index) => {
    const stamp = { id: `s-${index}`, streamId: 's', timestamp: '2026-01-01T00:00:00.000Z' };
    return { ...body, ...stamp } satisfies AgentEvent;
  });
}

export function said(text: string): AgentEventBody {
  return { type: 'message', role: 'agent', content: [textPart(text)] };
}

export function asked(text: string): AgentEventBody {
  return { type: 'message', role: 'user', content: [textPart(text)] };
}

export function toolCall(name: string, isError = false): readonly AgentEventBody[] {
  return [
    { type: 'tool_request', requestId: '1', name, args: {} },
    { type: 'tool_response', requestId: '1', name, isError },
  ];
}

export function failed(problem: Problem): AgentEventBody {
  return { type: 'error', status: 'UNAVAILABLE', message: 'raw', fatal: true, _meta: { problem } };
}

export function ended(reason: 'completed' | 'failed' | 'aborted' | 'max_turns' = 'completed'): AgentEventBody {
  return { type: 'agent_end', reason };
}

export const unreachable: Problem = {
  kind: 'unreachable',
  title: 'The endpoint did not answer',
  detail: 'Check the address.',
  actions: ['retry'],
};
