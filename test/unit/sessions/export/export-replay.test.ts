import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent, AgentEventBody } from '../../../../extension/protocol/agent/agent-event.ts';
import { textPart } from '../../../../extension/protocol/agent/content-part.ts';
import { readReplay } from '../../../../extension/protocol/transcript/replay.ts';
import { exportReplay } from '../../../../extension/sessions/export/export-replay.ts';

const SECRET = 'correct-horse';

describe('A conversation for a file of its own', () => {
  it('has no secret in it', () => {
    const hidden = 'PASSWORD=hunter2';
    const told = replay([
      { type: 'session_update', title: hidden },
      message('user', hidden),
      message('agent', `It is ${SECRET}.`),
      { type: 'tool_request', requestId: 't', name: 'read_file', args: {}, display: { description: SECRET } },
      { type: 'tool_response', requestId: 't', name: 'read_file', display: { result: { type: 'text', text: hidden } } },
    ]);
    assert.doesNotMatch(JSON.stringify(told), /hunter2|correct-horse/);
    assert.deepEqual(
      told.entries.map(({ kind }) => kind),
      ['user', 'answer', 'tool'],
    );
  });

  it('is over: what ran or asked is shown as left', () => {
    const told = replay([
      message('user', 'Go'),
      { type: 'agent_start' },
      message('agent', 'I will'),
      { type: 'tool_request', requestId: 't', name: 'run_shell_command', args: {} },
    ]);
    const [, , tool] = told.entries;
    assert.equal(tool?.kind === 'tool' && tool.status, 'cancelled');
    assert.doesNotMatch(JSON.stringify(told), /"(?:streaming|running)"/);
  });

  it('is read again as it was written', () => {
    const told = replay([message('user', 'Hello </script><!-- \u2028')]);
    assert.deepEqual(readReplay(JSON.stringify(told)), JSON.parse(JSON.stringify(told)));
  });
});

function message(role: 'user' | 'agent', text: string): AgentEventBody {
  return { type: 'message', role, content: [textPart(text)] };
}

function replay(bodies: readonly AgentEventBody[]): ReturnType<typeof exportReplay> {
  const events = bodies.map(
    (body, index): AgentEvent => ({ ...body, id: `e${index}`, timestamp: '2026-01-02T03:04:05.000Z', streamId: 's1' }),
  );
  return exportReplay(events, 0, [SECRET]);
}
