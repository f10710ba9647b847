import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentSend } from '../../../../extension/protocol/agent/agent-protocol.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { testHost } from '../../../support/test-host.ts';

const TEXT = { type: 'text', text: 'Hi' };

const PAYLOADS: readonly unknown[] = [
  null,
  'Hi',
  { message: null },
  { message: { content: 'Hi' } },
  { message: { content: [null] } },
  { message: { content: [TEXT, { type: 'unheard-of' }] } },
  { message: { content: [{ type: 'text', text: 5 }] } },
  { message: { content: [TEXT], delivery: 'later' } },
  { message: { content: [TEXT], displayContent: 5 } },
  { message: { content: [TEXT] }, _meta: 'x' },
  { elicitations: 'x' },
  { elicitations: [null] },
  { elicitations: [{ requestId: 'q', action: 'yes', content: {} }] },
  { update: null },
  { update: { title: 5 } },
  { update: { model: 5 } },
  { action: null },
];

describe('A session that is sent something else than it takes', () => {
  for (const payload of PAYLOADS) {
    it(`refuses ${JSON.stringify(payload)} and nothing has happened`, async () => {
      const session = await new AgentService(testHost()).createSession();
      await assert.rejects(session.send(payload as AgentSend), (error) => ProblemError.is(error, 'bad-input'));
      assert.deepEqual(session.events, []);
    });
  }
});
