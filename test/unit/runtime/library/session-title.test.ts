import assert from 'node:assert/strict';
import { createEvent, type Event } from '@google/adk';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { cleanTitle, titleContents } from '../../../../extension/runtime/library/session-title.ts';
import { all, message, outline, until } from '../../../support/conversation.ts';
import { serverError } from '../../../support/gemini/faults.ts';
import { gate } from '../../../support/gemini/gate.ts';
import { hold, thought, usage } from '../../../support/gemini/script.ts';
import { useGemini } from '../../../support/gemini/suite.ts';
import { eventually } from '../../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { type TestHost, type TestHostOptions, testHost } from '../../../support/test-host.ts';

describe('The title of a session', () => {
  const endpoint = useGemini();
  let folder: TempFolder;
  let host: TestHost;
  let service: AgentService;

  beforeEach(async () => {
    folder = await tempFolder('titles');
  });
  afterEach(async () => {
    await service.dispose();
    await folder.dispose();
  });

  async function open(options: TestHostOptions = {}): Promise<AgentSession> {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint().url };
    host = testHost({ environment, sessions: folder.path, ...options });
    service = new AgentService(host, () => []);
    return service.createSession();
  }

  async function exchange(session: AgentSession, text: string, reply: string): Promise<void> {
    endpoint().reply(reply);
    assert.equal(outline(await all(session, message(text))).at(-1), 'agent_end completed');
  }

  /** What was asked of the model, if anything, is asked before a second exchange is over. */
  async function secondExchange(session: AgentSession): Promise<void> {
    await exchange(session, 'And?', 'Nothing else.');
  }

  function titlesOf(session: AgentSession): string[] {
    return session.events.flatMap((event) => (event.type === 'session_update' && event.title ? [event.title] : []));
  }

  it('is made by the model after the first exchange, with its tokens, and kept', async () => {
    const session = await open({ prices: { 'gemini-': { input: 1, output: 1 } } });
    endpoint().replyTitle(
      thought('Hm.'),
      '"Tides in Brest."\n',
      usage({ promptTokenCount: 12, candidatesTokenCount: 7 }),
    );
    await exchange(session, `When is high tide? ${'x'.repeat(600)}`, 'At noon.');
    await until(session, 'session_update Tides in Brest');
    await until(session, 'usage 12/7');
    const used = session.events.findLast((event) => event.type === 'usage');
    assert.ok(used?.type === 'usage');
    assert.deepEqual(used.cost, { amount: 19 / 1_000_000, currency: 'USD' });
    assert.equal((await service.library?.list())?.[0]?.title, 'Tides in Brest');

    const [request, ...others] = endpoint().titleRequests;
    assert.equal(others.length, 0);
    assert.match(request?.lastUserText ?? '', /^The user:\nWhen is high tide\? x{400,}\n\nThe assistant:\nAt noon\.$/);
    assert.ok((request?.bodyLength ?? 0) < 1500, 'the long message is cut');
    assert.deepEqual(request?.body.generationConfig?.['thinkingConfig'], { thinkingLevel: 'LOW' });
    await secondExchange(session);
    assert.equal(endpoint().titleRequests.length, 1);
  });

  it('is never asked for when the user has given one', async () => {
    const session = await open();
    await session.send({ update: { title: 'Mine' } });
    await exchange(session, 'Hi', 'Hello.');
    await secondExchange(session);
    assert.deepEqual([titlesOf(session), endpoint().titleRequests.length], [['Mine'], 0]);
  });

  it("stays the user's when the model's comes later", async () => {
    const door = gate();
    const session = await open();
    endpoint().replyTitle(hold(door), 'Too late', usage({ promptTokenCount: 12, candidatesTokenCount: 1 }));
    await exchange(session, 'Hi', 'Hello.');
    await door.reached;
    await session.send({ update: { title: 'Mine' } });
    door.open();
    await until(session, 'usage 12/1');
    assert.deepEqual(titlesOf(session), ['Mine']);
  });

  it('stays empty when the request fails, and nobody is told', async () => {
    const session = await open();
    endpoint().replyTitle(serverError());
    await exchange(session, 'Hi', 'Hello.');
    await eventually('the title request', () => endpoint().titleRequests[0]?.outcome);
    await secondExchange(session);
    assert.deepEqual(titlesOf(session), []);
    assert.ok(!session.events.some((event) => event.type === 'error'));
    assert.deepEqual(host.complaints, []);
  });

  it('is given up when the session closes', async () => {
    const door = gate();
    const session = await open();
    endpoint().replyTitle(hold(door), 'Too late');
    await exchange(session, 'Hi', 'Hello.');
    await door.reached;
    await service.dispose();
    assert.equal(await endpoint().titleRequests[0]?.closed, 'disconnected');
    assert.deepEqual([titlesOf(session), host.complaints], [[], []]);
  });

  it('is not made where nobody looks, nor for the offline guide', async () => {
    const headless = await open({ interactive: false });
    await exchange(headless, 'Hi', 'Hello.');
    await secondExchange(headless);
    await service.dispose();
    const offline = await open({ environment: {} });
    await all(offline, message('Hi'));
    await all(offline, message('Hi'));
    assert.deepEqual([titlesOf(offline), endpoint().titleRequests.length, host.complaints], [[], 0, []]);
  });

  it('is not made for a task that a program sent, until somebody continues it', async () => {
    const session = await open();
    endpoint().reply('Hello.');
    await all(session, { ...message('Hi'), _meta: { source: 'a2a' } });
    await secondExchange(session);
    await until(session, 'session_update A title');
    assert.match(endpoint().titleRequests[0]?.lastUserText ?? '', /^The user:\nHi\n/);
    assert.equal(endpoint().titleRequests.length, 1);
  });

  it('is not asked for by opening a stored session, but after its next exchange', async () => {
    const first = await open({ interactive: false });
    await exchange(first, 'Hi', 'Hello.');
    const id = first.events.find((event) => event.type === 'initialize')?.sessionId ?? '';
    await service.dispose();
    await open();
    const again = await service.resumeSession(id);
    assert.equal(endpoint().titleRequests.length, 0);
    await exchange(again, 'And?', 'Nothing else.');
    await until(again, 'session_update A title');
    assert.match(endpoint().titleRequests[0]?.lastUserText ?? '', /Hi\n\nThe assistant:\nHello\.$/);
  });
});

describe("A model's title", () => {
  for (const [answer, title] of [
    ['Tides in Brest', 'Tides in Brest'],
    ['\n  “Tides  in\tBrest.”  \nsecond line', 'Tides in Brest'],
    ['**Title: Tides**', 'Tides'],
    ['# Tides', 'Tides'],
    ["Who's there?", "Who's there?"],
    ['\u001b[31mRed', '[31mRed'],
    ['"."', ''],
    ['', ''],
    ['🌊'.repeat(100), '🌊'.repeat(80)],
  ] as const) {
    it(`${JSON.stringify(answer.slice(0, 30))} becomes ${JSON.stringify(title.slice(0, 30))}`, () => {
      assert.equal(cleanTitle(answer), title);
    });
  }

  it('is asked for with the first exchange only, without thoughts and calls', () => {
    const events = [
      said('user', { text: 'One' }),
      said('gantry', { text: 'Hm', thought: true }, { functionCall: { name: 'read_file' } }),
      said('gantry', { text: 'First.' }),
      said('user', { text: 'Two' }),
      said('gantry', { text: 'Second.' }),
    ];
    assert.deepEqual(titleContents({ events }), [
      { role: 'user', parts: [{ text: 'The user:\nOne\n\nThe assistant:\nFirst.' }] },
    ]);
    assert.equal(titleContents({ events: events.slice(0, 2) }), undefined);
    assert.equal(titleContents({ events: [] }), undefined);
  });
});

function said(author: string, ...parts: NonNullable<NonNullable<Event['content']>['parts']>): Event {
  return createEvent({ author, content: { role: author === 'user' ? 'user' : 'model', parts } });
}
