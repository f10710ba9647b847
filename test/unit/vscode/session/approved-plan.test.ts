import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent, AgentEventBody } from '../../../../extension/protocol/agent/agent-event.ts';
import { approvedPlan } from '../../../../extension/vscode/session/shown-conversation.ts';

const stamped = (bodies: readonly AgentEventBody[]): AgentEvent[] =>
  bodies.map(
    (body, at) => ({ id: `e-${at}`, streamId: 's', timestamp: '2026-01-01T00:00:00Z', ...body }) as AgentEvent,
  );

function planned(callId: string, text: string, answer: Readonly<Record<string, unknown>>): readonly AgentEventBody[] {
  const approval = { tool: 'exit_plan_mode', details: { type: 'plan', path: '/p.md', text }, why: '', grants: [] };
  const asked = {
    requestId: `r-${callId}`,
    message: '',
    requestedSchema: {},
    display: 'inline',
    _meta: { callId, approval },
  };
  return [
    { type: 'elicitation_request', ...asked } as AgentEventBody,
    { type: 'elicitation_response', requestId: `r-${callId}`, action: 'accept', content: answer },
    { type: 'tool_response', requestId: callId, name: 'exit_plan_mode', data: { approvedPlan: '/p.md' } },
  ];
}

describe('The approved plan', () => {
  const first = planned('a', 'The first', { decision: 'once' });
  const edited = planned('b', 'The second', { decision: 'once', plan: 'The second, better' });

  it('is the last one that the user said yes to, as they left it', () => {
    assert.equal(
      approvedPlan(stamped([...first, ...edited]), () => true),
      'The second, better',
    );
    assert.equal(
      approvedPlan(stamped(first), () => true),
      'The first',
    );
    assert.equal(
      approvedPlan(stamped(planned('c', 'Mine', { plan: ' ' })), () => true),
      'Mine',
    );
  });

  it('is not one that was only proposed, or is rewound', () => {
    assert.equal(
      approvedPlan(stamped(first.slice(0, 1)), () => true),
      undefined,
    );
    assert.equal(
      approvedPlan(stamped([...first, ...edited]), (callId) => callId === 'a'),
      'The first',
    );
    assert.equal(
      approvedPlan([], () => true),
      undefined,
    );
  });
});
