import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEventBody } from '../../../extension/protocol/agent/agent-event.ts';
import { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { all, drain, message } from '../../support/conversation.ts';
import { type Gate, gate } from '../../support/gemini/gate.ts';
import { pause } from '../../support/gemini/script.ts';
import { startGeminiEndpoint } from '../../support/gemini/server.ts';
import { PlainProtocol } from '../../support/plain-protocol.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { testHost } from '../../support/test-host.ts';
import { describeProtocol, type ProtocolFixture } from './conformance.ts';

describeProtocol('ADK', async (): Promise<ProtocolFixture> => {
  const endpoint = await startGeminiEndpoint();
  const folder = await tempFolder('sessions');
  const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
  const service = new AgentService(testHost({ environment, sessions: folder.path }), () => []);
  const session = await service.createSession();
  const doors: Gate[] = [];
  // What arrives together is one message, so each word waits until the one before has arrived.
  session.subscribe((event) => {
    if (event.type === 'message' && event.role === 'agent') doors.shift()?.open();
  });
  return {
    session,
    willSay: (first, ...words) => {
      const later = words.map((word) => ({ word, door: gate() }));
      doors.push(...later.map(({ door }) => door));
      endpoint.reply(first, ...later.flatMap(({ word, door }) => [pause(door), word]));
    },
    willHold: (before, after) => {
      const door = gate();
      endpoint.reply(before, pause(door), after);
      // For a message that comes while it holds: it starts a run of its own.
      endpoint.always('and more');
      return { goOn: () => door.open() };
    },
    dispose: async () => {
      await service.dispose();
      await folder.dispose();
      await endpoint.dispose();
    },
  };
});

describeProtocol('Plain', async (): Promise<ProtocolFixture> => {
  const protocol = new PlainProtocol();
  return {
    session: new AgentSession(protocol),
    willSay: (...words) => protocol.reply(...words.map(said)),
    willHold: (before, after) => {
      protocol.replyOpen(said(before));
      return {
        goOn: () => {
          protocol.push(said(after));
          protocol.end('completed');
        },
      };
    },
    dispose: () => Promise.resolve(),
  };
});

describe('The plain protocol', () => {
  it('begins with what was sent, then starts, plays and ends once', async () => {
    const protocol = new PlainProtocol();
    const session = new AgentSession(protocol);
    protocol.reply(said('a'));
    await all(session, { update: { title: 'x' } });
    protocol.reply(said('b'));
    await all(session, { elicitations: [{ requestId: 'q', action: 'accept', content: {} }] });
    protocol.end('completed');
    assert.deepEqual(
      session.events.map(({ type }) => type),
      ['session_update', 'agent_start', 'message', 'agent_end'].concat([
        'elicitation_response',
        'agent_start',
        'message',
        'agent_end',
      ]),
    );
  });

  it('stays open until it is ended, and takes more meanwhile', async () => {
    const protocol = new PlainProtocol();
    const session = new AgentSession(protocol);
    protocol.replyOpen();
    const run = drain(session.sendStream(message('Hi')));
    await Promise.resolve();
    await protocol.idle();
    protocol.push(said('later'));
    protocol.end('refusal');
    assert.deepEqual(
      (await run).map(({ type }) => type),
      ['agent_start', 'message', 'agent_end'],
    );
  });

  it('is left alone when the reader leaves early', async () => {
    const protocol = new PlainProtocol();
    protocol.reply(said('a'), said('b'));
    for await (const _ of new AgentSession(protocol).sendStream(message('Hi'))) break;
    assert.equal(protocol.listeners.size, 0);
  });
});

function said(text: string): AgentEventBody {
  return { type: 'message', role: 'agent', content: [textPart(text)] };
}
