import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { createEvent } from '@google/adk';
import type { FinishReason } from '@google/genai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { plainText } from '../../../extension/protocol/agent/content-part.ts';
import type { ProblemKind } from '../../../extension/protocol/agent/problem.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { endReasonOf } from '../../../extension/runtime/events/event-translator.ts';
import { declineModels } from '../../support/agent.ts';
import { all, message, outline } from '../../support/conversation.ts';
import {
  cut,
  forbidden,
  htmlPage,
  invalidKey,
  malformedFrame,
  noContent,
  quotaExceeded,
  serverError,
  unauthorized,
} from '../../support/gemini/faults.ts';
import { call, type Piece } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { testHost } from '../../support/test-host.ts';

interface Fault {
  readonly name: string;
  readonly reply: Piece[];
  readonly kind: ProblemKind;
  readonly says: RegExp;
  readonly action: string;
  /** How often it is worth a try. */
  readonly requests: number;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a refused key (401)',
    reply: [unauthorized()],
    kind: 'bad-credential',
    says: /key/,
    action: 'set-api-key',
    requests: 1,
  },
  {
    name: 'an invalid key (400)',
    reply: [invalidKey()],
    kind: 'bad-credential',
    says: /key/,
    action: 'set-api-key',
    requests: 1,
  },
  {
    name: 'a key without permission (403)',
    reply: [forbidden()],
    kind: 'forbidden',
    says: /.+/,
    action: 'set-api-key',
    requests: 1,
  },
  {
    name: 'a used-up quota (429)',
    reply: [quotaExceeded({ retryDelay: '42s' })],
    kind: 'quota',
    says: /42/,
    action: 'retry',
    // Three of them to the model that takes over without a question where the user left the choice to Gantry.
    requests: 13,
  },
  { name: 'a failing server (500)', reply: [serverError()], kind: 'server', says: /.+/, action: 'retry', requests: 10 },
  {
    name: 'an HTML page',
    reply: [htmlPage()],
    kind: 'not-gemini',
    says: /127\.0\.0\.1/,
    action: 'open-settings',
    requests: 1,
  },
  {
    name: 'a stream cut in the middle',
    reply: ['Half', cut()],
    kind: 'stream-cut',
    says: /kept/,
    action: 'retry',
    requests: 4,
  },
  {
    name: 'a malformed frame',
    reply: ['Half', malformedFrame()],
    kind: 'bad-stream',
    says: /kept/,
    action: 'retry',
    requests: 4,
  },
  { name: 'an empty answer', reply: [noContent()], kind: 'empty-answer', says: /.+/, action: 'retry', requests: 4 },
];

describe('When the model endpoint answers with', () => {
  it('a call with null for arguments, the model learns of it and the run continues', async () => {
    endpoint.reply(call('read_file', null as unknown as Record<string, unknown>));
    endpoint.reply('I see.');
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const events = await all(await new AgentService(testHost({ environment })).createSession(), message('go'));
    assert.ok(outline(events).includes('tool_response read_file error'));
    assert.equal(outline(events).at(-1), 'agent_end completed');
  });

  it('an end it has no word for, the log can be read again', () => {
    const event = createEvent({ finishReason: 'constructor' as FinishReason });
    assert.equal(endReasonOf(event), 'failed');
  });

  let endpoint: GeminiEndpoint;
  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
  });
  afterEach(() => endpoint.dispose());

  for (const fault of FAULTS) {
    it(`${fault.name}, the user is told, nothing is lost, and Retry continues`, async () => {
      const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_API_KEY: 'test-key-x9Qk' };
      const host = testHost({ environment });
      const session = await new AgentService(host).createSession();
      declineModels(session);
      endpoint.always(...fault.reply);
      const failed = await all(session, message('my words'));
      const problem = problemOf(failed);
      assert.equal(problem?.kind, fault.kind);
      assert.match(`${problem?.title} ${problem?.detail}`, fault.says);
      assert.ok(problem?.actions.some((action) => action === fault.action));
      assert.equal(outline(failed).at(-1), 'agent_end failed');
      assert.equal(endpoint.requests.length, fault.requests);
      assert.doesNotMatch(JSON.stringify([failed, host.complaints]), /test-key/, 'the key is in no event and no log');
      assert.ok(host.complaints.length > 0, 'the log has the cause');

      endpoint.reply('fine now');
      const retried = await all(session, { action: { type: 'retry', data: undefined } });
      assert.equal(outline(retried).at(-1), 'agent_end completed');
      assert.match(JSON.stringify(endpoint.requests.at(-1)?.contents), /my words/);
      const saidTwice = session.events.filter((event) => event.type === 'message' && event.role === 'user');
      assert.equal(saidTwice.length, 1, 'Retry does not repeat the message in the conversation');
    });
  }
});

describe('When the model endpoint', () => {
  it('is not reachable, the user is told where it was looked for', async () => {
    const port = await closedPort();
    const environment = { GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` };
    const session = await new AgentService(testHost({ environment })).createSession();
    const problem = problemOf(await all(session, message('hello')));
    assert.equal(problem?.kind, 'unreachable');
    assert.match(`${problem?.title} ${problem?.detail}`, new RegExp(`127.0.0.1:${port}`));
  });

  it('is not an address, the user is told which setting says so', async () => {
    const session = await new AgentService(testHost({ baseUrl: 'localhost:8080' })).createSession();
    const problem = problemOf(await all(session, message('hello')));
    assert.equal(problem?.kind, 'bad-configuration');
    assert.match(problem?.detail ?? '', /gantry\.model\.baseUrl/);
  });

  it('is not there and no key is set, the offline guide answers and says what it is', async () => {
    const session = await new AgentService(testHost()).createSession();
    const seen = await all(session, message('What can Gantry do today?'));
    const text = seen.map((event) => (event.type === 'message' ? plainText(event.content) : '')).join('');
    assert.match(text, /not an AI/);
    assert.equal(outline(seen).at(-1), 'agent_end completed');
  });
});

function problemOf(events: readonly AgentEvent[]) {
  return events.find((event) => event.type === 'error')?._meta?.problem;
}

/** A port that was free a moment ago, so nothing listens on it. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
