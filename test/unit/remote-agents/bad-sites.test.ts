import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TaskState } from '@a2a-js/sdk';
import { describe, it } from 'mocha';
import { all, message, outline } from '../../support/conversation.ts';
import { eventually } from '../../support/poll.ts';
import type { A2aSiteOptions } from '../../support/remote-agents/a2a-site.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { invoke } from '../../support/subagents.ts';

type Before = NonNullable<A2aSiteOptions['before']>;

interface Bad {
  readonly what: string;
  readonly options?: A2aSiteOptions;
  /** Answers requests for the card, or those to the agent. */
  readonly card?: Before;
  readonly rpc?: Before;
  readonly says: RegExp;
}

const BAD: readonly Bad[] = [
  { what: 'no card', card: status(404), says: /There is no agent card at http\S+ \(HTTP 404\)\./ },
  { what: 'a web page as its card', card: html(200), says: /There is no agent card at http\S+, but a web page\./ },
  { what: 'a card that is not JSON', card: body('Hello'), says: /is not JSON, so it is no agent card/ },
  { what: 'JSON that is no card', card: body('[1]'), says: /is no agent card: it has no name/ },
  {
    what: 'half a card',
    card: body('{"name":"x","url":"http://127.0.0.1/"}'),
    says: /card is incomplete: .*capabilities/,
  },
  {
    what: 'a card with an old version',
    options: { version: '0.3', cardChanges: () => ({ protocolVersion: '0.2.5' }) },
    says: /offers A2A 0\.2\.5 over JSONRPC\. Gantry speaks 1\.0 and 0\.3/,
  },
  {
    what: 'a card with a newer version',
    options: { cardChanges: () => interfaces('2.0', 'JSONRPC') },
    says: /offers A2A 2\.0 over JSONRPC/,
  },
  { what: 'only gRPC', options: { cardChanges: () => interfaces('1.0', 'GRPC') }, says: /offers A2A 1\.0 over GRPC/ },
  {
    what: 'a version that its agent refuses',
    rpc: rpcError(-32_009, 'Use another version'),
    says: /Use another version/,
  },
  { what: 'a wall of credentials', rpc: status(401), says: /wants other credentials \(HTTP 401\)/ },
  { what: 'a refusal', rpc: status(403), says: /does not allow this \(HTTP 403\)/ },
  { what: 'a web page instead of A2A', rpc: html(502), says: /answered with a web page \(HTTP 502\)/ },
  {
    what: 'a redirect',
    rpc: redirect('http://127.0.0.1:1/elsewhere'),
    says: /redirects to http:\/\/127\.0\.0\.1:1\/elsewhere \(HTTP 307\), and no redirect is followed/,
  },
  {
    what: 'a redirect of the card',
    card: redirect('https://example.com/card'),
    says: /redirects to https:\/\/example\.com\/card/,
  },
  { what: 'nonsense as a stream', rpc: events('data: nonsense\n\n'), says: /something that is not A2A/ },
  { what: 'an error of JSON-RPC', rpc: rpcError(-32_603, 'I broke'), says: /answered with an error: .*I broke/ },
  {
    what: 'a closed connection',
    rpc: (request) => Boolean(request.destroy()),
    says: /The connection to 127\.0\.0\.1:\d+ failed/,
  },
  {
    what: 'an end before a task has a name',
    rpc: events(''),
    says: /ended before it named a task\. The message was not sent again/,
  },
  { what: 'too much at once', rpc: flood, says: /too large|at once/ },
];

describe('A remote agent that is broken', () => {
  const remote = useRemoteAgents();

  for (const { what, options = {}, card, rpc, says } of BAD) {
    it(`with ${what} is an error that says so, and the turn goes on`, async () => {
      const before: Before = (request, response) => {
        const handle = request.url === '/card.json' ? card : rpc;
        return handle?.(request, response) ?? false;
      };
      const site = await remote.site((turn) => turn.begin().end(), { ...options, before });
      await remote.define(site);
      const { session, result } = await remote.run();
      assert.match(result, /^The agent far failed: /);
      assert.match(result, says);
      const last = session.events.at(-1);
      assert.ok(last?.type === 'agent_end' && last.reason === 'completed');
      const sent = site.requests.filter(({ line }) => line.startsWith('POST'));
      assert.ok(sent.length <= 1, 'nothing is sent twice');
    });
  }

  it('with an unknown state is an error that says so', async () => {
    const site = await remote.site((turn) => turn.begin().end(TaskState.UNRECOGNIZED));
    await remote.define(site);
    assert.match((await remote.run()).result, /reports a state of the task that A2A does not have/);
  });

  it('that is not there at all is an error that says so', async () => {
    const site = await remote.site(() => undefined);
    await site.dispose();
    await remote.define(site);
    assert.match((await remote.run()).result, /The connection to 127\.0\.0\.1:\d+ failed: .*ECONNREFUSED/);
  });

  it('that sends nothing for two minutes is given up, and told so', async () => {
    const site = await remote.site((turn) => void turn.begin().say('a', 'Let me see.'));
    await remote.define(site);
    const service = remote.open();
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const session = await service.createSession();
    const whole = all(session, message('Go'));
    // Only a task that has been named can be canceled.
    await eventually('its words', () => outline(session.events).includes('agent: Let me see.'));
    // The pause begins when the agent is waited for, which is a moment after its last words.
    await eventually('the end of its patience', () => {
      remote.time.pass(2);
      return site.canceled.length > 0;
    });
    await whole;
    assert.match(remote.handed(session).result, /kept the connection open but sent nothing for 120 s/);
  });

  it('that never ends is stopped after half an hour', async () => {
    let isOver = false;
    const site = await remote.site(async (turn) => {
      turn.begin();
      while (!isOver) {
        turn.move(TaskState.TASK_STATE_WORKING);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    await remote.define(site);
    const service = remote.open();
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const session = await service.createSession();
    const whole = all(session, message('Go'));
    await eventually('the message', () => site.messages.length === 1);
    remote.time.pass(31);
    await whole;
    isOver = true;
    assert.match(remote.handed(session).result, /sent nothing for 120 s|not done after 30 minutes/);
  });

  it('that writes without end is stopped', async () => {
    let isOver = false;
    const site = await remote.site(async (turn) => {
      turn.begin();
      const text = 'x'.repeat(200_000);
      while (!isOver) {
        turn.say('a', text, true);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    await remote.define(site);
    const { result } = await remote.run();
    isOver = true;
    assert.match(result, /sent more than 4 MB and was stopped/);
  });
});

function status(code: number): Before {
  return (_, response) => Boolean(response.writeHead(code).end());
}

function html(code: number): Before {
  return (_, response) => Boolean(response.writeHead(code, { 'content-type': 'text/html' }).end('<p>Hello</p>'));
}

function body(text: string): Before {
  return (_, response) => Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(text));
}

function redirect(location: string): Before {
  return (_, response) => Boolean(response.writeHead(307, { location }).end());
}

function events(text: string): Before {
  return (_, response) => Boolean(response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text));
}

function flood(_: IncomingMessage, response: ServerResponse): boolean {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: "${'x'.repeat(17 * 1024 * 1024)}"\n\n`);
  return true;
}

function rpcError(code: number, text: string): Before {
  return (request, response) => {
    let sent = '';
    request.on('data', (chunk: Buffer) => {
      sent += chunk.toString();
    });
    request.on('end', () => {
      const { id } = JSON.parse(sent);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } }));
    });
    return true;
  };
}

function interfaces(protocolVersion: string, protocolBinding: string): Record<string, unknown> {
  return { supportedInterfaces: [{ url: 'http://127.0.0.1:1', protocolBinding, protocolVersion }] };
}
