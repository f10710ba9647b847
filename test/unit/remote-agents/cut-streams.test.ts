import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { idOf, untilEvent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import { deferred } from '../../support/deferred.ts';
import { eventually } from '../../support/poll.ts';
import type { A2aSiteOptions } from '../../support/remote-agents/a2a-site.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { invoke } from '../../support/subagents.ts';

const WIRES: readonly A2aSiteOptions[] = (['1.0', '0.3'] as const).flatMap((version) =>
  (['JSONRPC', 'HTTP+JSON'] as const).map((binding) => ({ version, binding })),
);

/** Cuts the first streams after so many events each. */
function cutting(...counts: number[]): NonNullable<A2aSiteOptions['before']> {
  return (_: IncomingMessage, response: ServerResponse) => {
    const write = response.write.bind(response);
    let left: number | undefined;
    response.write = ((chunk: string | Uint8Array, ...more: never[]) => {
      const isEvent = String(chunk).startsWith('data:');
      if (isEvent && left === undefined) left = counts.shift() ?? Number.POSITIVE_INFINITY;
      const goesOn = write(chunk, ...more);
      if (isEvent && left !== undefined && --left <= 0) setImmediate(() => response.destroy());
      return goesOn;
    }) as typeof response.write;
    return false;
  };
}

describe('A task of a remote agent whose stream is cut', () => {
  const remote = useRemoteAgents();

  for (const options of WIRES) {
    it(`goes on, and its message is sent once, over A2A ${options.version}, ${options.binding}`, async () => {
      const site = await remote.site(
        async (turn) => {
          turn.begin();
          for (const word of ['One ', 'two ', 'three ', 'four']) {
            turn.say('a', word, word !== 'One ');
            await new Promise((resolve) => setTimeout(resolve, 30));
          }
          turn.end();
        },
        { ...options, before: cutting(3, 2) },
      );
      await remote.define(site);
      const { result, thread } = await remote.run();
      assert.match(result, /report:\n\nOne two three four$/);
      const said = thread.flatMap((line) => (line.startsWith('agent: ') ? line.slice('agent: '.length) : [])).join('');
      assert.equal(said, 'One two three four');
      assert.deepEqual(site.messages, ['Look']);
    });
  }

  it('fails with the reason if the agent does not come back', async () => {
    let isGone = false;
    const site = await remote.site((turn) => void turn.begin().say('a', 'One '), {
      before: (request, response) => {
        if (isGone) return Boolean(request.destroy());
        const cut = cutting(2)(request, response);
        isGone = request.url === '/rpc';
        return cut;
      },
    });
    await remote.define(site);
    const { result } = await remote.run();
    assert.match(result, /The connection to 127\.0\.0\.1:\d+ failed/);
    assert.deepEqual(site.messages, ['Look']);
  });
});

describe('A task of a remote agent that outlived the window', () => {
  const remote = useRemoteAgents();

  /** The window is closed while the agent works. */
  async function closed(service: AgentService, text: string): Promise<AgentSession> {
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const session = await service.createSession();
    const run = all(session, message('Go'));
    await untilEvent(
      session,
      (event) => event.type === 'message' && event.role === 'agent' && event.threadId !== undefined,
    );
    await eventually('its words', () => JSON.stringify(session.events).includes(text));
    await service.dispose();
    void run.catch(() => undefined);
    return session;
  }

  function resultIn({ events }: AgentSession): string {
    const response = events.findLast((event) => event.type === 'tool_response' && event.threadId === undefined);
    return JSON.stringify(response);
  }

  it('is asked about when the session is opened again, and its report is the result', async () => {
    const over = deferred<void>();
    const site = await remote.site(async (turn) => {
      turn.begin().say('a', 'I begin. ');
      await over.promise;
      turn.say('a', 'Done.', true).end();
    });
    await remote.define(site);
    const session = await closed(remote.open(), 'I begin.');
    over.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    const again = await remote.open().resumeSession(idOf(session));
    assert.match(resultIn(again), /"resultSummary":"done"/);
    assert.deepEqual(site.messages, ['Look'], 'nothing is sent again');
    await all(again, message('And?'));
    const [last] = remote.agents.requestsOf('Go').slice(-1);
    assert.match(JSON.stringify(last?.contents), /The agent far is done\. Its report:.*I begin\. Done\./);
  });

  it('that still works is reported as such', async () => {
    const site = await remote.site(async (turn) => {
      turn.begin().say('a', 'I begin. ');
      await new Promise(() => undefined);
    });
    await remote.define(site);
    const session = await closed(remote.open(), 'I begin.');
    const again = await remote.open().resumeSession(idOf(session));
    assert.match(resultIn(again), /Gantry was closed while it worked, and it is still working on its task /);
    assert.deepEqual(site.canceled, []);
  });

  it('at an agent that is gone is reported as such', async () => {
    const site = await remote.site((turn) => void turn.begin().say('a', 'I begin. '));
    await remote.define(site);
    const session = await closed(remote.open(), 'I begin.');
    await site.dispose();
    const again = await remote.open().resumeSession(idOf(session));
    assert.match(resultIn(again), /it cannot be asked\. The connection to 127\.0\.0\.1:\d+ failed/);
  });
});
