import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentEvent, ElicitationRequestEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { declineModels, idOf, untilEvent, useAgent } from '../../support/agent.ts';
import { all, allowFirst, message, outline, testTool } from '../../support/conversation.ts';
import { apiError, cut, quotaExceeded, serverError } from '../../support/gemini/faults.ts';
import { call, thought } from '../../support/gemini/script.ts';

const FLASH = 'gemini-3.8-flash';
const PRO = 'gemini-3.1-pro-preview';
const FULL = apiError(503, { message: 'No capacity.', reason: 'MODEL_CAPACITY_EXHAUSTED' });
const DAILY = quotaExceeded({ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' });

describe('When a model does not answer', () => {
  const agent = useAgent();

  it('it is asked again, and every wait is reported with when and which attempt it is', async () => {
    const waits: number[] = [];
    agent.endpoint.reply(quotaExceeded({ retryDelay: '12s' }));
    agent.endpoint.reply('Hello');
    const session = await agent.open([], { onPause: (ms) => waits.push(ms) }).createSession();
    const events = await all(session, message('Hi'));
    const waiting = events.find((event) => event.type === 'custom' && event.kind === 'model_waiting');
    assert.ok(waiting?.type === 'custom' && waiting.kind === 'model_waiting');
    const { until, ...data } = waiting.data;
    assert.deepEqual(data, {
      model: FLASH,
      attempt: 2,
      attempts: 10,
      why: `${FLASH} is over its limit for this minute`,
    });
    assert.equal(until, Date.parse(waiting.timestamp) + 13_200);
    assert.deepEqual(waits, [13_200]);
    assert.equal(outline(events).at(-1), 'agent_end completed');
  });

  it('what came of it does not count: not in the log, not on the screen, not in the next request', async () => {
    agent.endpoint.reply(thought('Hm.'), 'Wrong st', cut());
    agent.endpoint.reply('Right');
    agent.endpoint.reply('Yes');
    const service = agent.open();
    const session = await service.createSession();
    const shown: Entry[][] = [];
    const transcript = new Transcript();
    session.subscribe((event) => {
      transcript.apply(event);
      shown.push(transcript.entries);
    });
    await all(session, message('Hi'));
    assert.ok(
      shown.some((entries) => textOf(entries).includes('Wrong st')),
      'it was seen',
    );
    assert.deepEqual(textOf(transcript.entries), ['Hi', 'Right']);
    await all(session, message('Really?'));
    assert.doesNotMatch(JSON.stringify(agent.endpoint.requests.at(-1)?.contents), /Wrong/);
    const before = [...session.events];
    const again = await agent.reopen(service, session);
    assert.deepEqual(again.events, before, 'the same events when it is read again');
    assert.deepEqual(textOf(entriesOf(again.events)), ['Hi', 'Right', 'Really?', 'Yes']);
  });

  it('the user is asked, and another model answers from then on, with a line that says so', async () => {
    for (const _ of [1, 2, 3]) agent.endpoint.reply(FULL);
    agent.endpoint.reply('Hello');
    agent.endpoint.reply('Hello again');
    const session = await agent.open().createSession();
    const run = all(session, message('Hi'));
    const asked = await question(session);
    assert.deepEqual(asked._meta?.modelChoice, { failed: FLASH, other: PRO });
    const [card] = entriesOf(session.events).filter(({ kind }) => kind === 'choice');
    assert.ok(card?.kind === 'choice');
    assert.deepEqual(
      card.options.map(({ label }) => label),
      ['Retry once', `Always use ${PRO}`],
    );
    await session.send(answered(asked, 'retry_always'));
    const events = await run;
    assert.equal(outline(events).at(-1), 'agent_end completed');
    assert.deepEqual(
      entriesOf(session.events).flatMap((entry) => (entry.kind === 'note' ? entry.text : [])),
      [`Switched from ${FLASH} to ${PRO}: ${FLASH} is overloaded`],
    );
    assert.ok(!entriesOf(session.events).some(({ kind }) => kind === 'choice' || kind === 'retry'));
    await all(session, message('And now?'));
    assert.deepEqual(
      agent.endpoint.requests.map(({ model }) => model),
      [FLASH, FLASH, FLASH, PRO, PRO],
    );
  });

  it('a used-up quota comes with Upgrade, and a no ends the request with what went wrong', async () => {
    agent.endpoint.reply(DAILY);
    const session = await agent.open().createSession();
    const run = all(session, message('Hi'));
    const asked = await question(session);
    const page = 'https://ai.google.dev/gemini-api/docs/rate-limits';
    assert.deepEqual(asked._meta?.modelChoice?.link, { label: 'Upgrade', url: page });
    const [card] = entriesOf(session.events).filter(({ kind }) => kind === 'choice');
    assert.ok(card?.kind === 'choice');
    assert.deepEqual(
      [card.options.map(({ decision }) => decision), card.link?.url],
      [['retry_once', 'retry_always'], page],
    );
    await session.send({ elicitations: [{ requestId: asked.requestId, action: 'decline', content: {} }] });
    const events = await run;
    assert.deepEqual(problems(events), ['quota']);
    const [problem] = entriesOf(events).filter(({ kind }) => kind === 'problem');
    assert.ok(problem?.kind === 'problem' && problem.problem.detail.endsWith(`To upgrade, open ${page}`));
    assert.equal(outline(events).at(-1), 'agent_end failed');
  });

  it('a question that waits dies with Stop, and with the window', async () => {
    agent.endpoint.reply(DAILY);
    agent.endpoint.reply(DAILY);
    const service = agent.open();
    const session = await service.createSession();
    const run = all(session, message('Hi'));
    await question(session);
    await session.abort();
    assert.equal(outline(await run).at(-1), 'agent_end aborted');
    assert.equal(entriesOf(session.events).at(-1)?.kind, 'note');
    const next = session.send(message('Again'));
    await next;
    await untilEvent(session, () => questionsIn(session.events).length === 2);
    const again = await agent.reopen(service, session);
    assert.equal(outline(again.events).at(-1), 'agent_end aborted');
    assert.ok(!entriesOf(again.events).some(({ kind }) => kind === 'choice'));
  });

  it('nobody is asked where nobody is, and in plan mode', async () => {
    // Plans are made by the strong one.
    for (const [options, from, to] of [
      [{ interactive: false }, FLASH, PRO],
      [{ approvalMode: 'plan' as const }, PRO, FLASH],
    ] as const) {
      agent.endpoint.reply(DAILY);
      agent.endpoint.reply('Hello');
      const events = await all(await agent.open([], options).createSession(), message('Hi'));
      const switched = events.find((event) => event.type === 'custom' && event.kind === 'model_switched');
      assert.ok(switched?.type === 'custom' && switched.kind === 'model_switched');
      assert.deepEqual(switched.data, { from, to, why: `${from} is over its limit for today` });
      assert.equal(outline(events).at(-1), 'agent_end completed');
    }
  });

  it('sessions and calls beside them know what one of them found out', async () => {
    agent.endpoint.reply(DAILY);
    agent.endpoint.always('Hello');
    const service = agent.open([], { interactive: false });
    await all(await service.createSession(), message('Hi'));
    const other = await service.createSession();
    assert.ok(outline(await all(other, message('Hi'))).includes('model_switched'), 'a line says why');
    const asked = { what: 'A commit message', instruction: '', text: 'The changes' };
    await service.complete(asked, new AbortController().signal);
    assert.deepEqual(
      agent.endpoint.requests.map(({ model }) => model),
      [FLASH, PRO, PRO, PRO],
    );
    await all(other, message('And?'));
    const lines = outline(other.events).filter((line) => line === 'model_switched');
    assert.equal(lines.length, 1, 'and does not say it again');
  });

  it('a file that was written before is not written again: Retry continues from there', async () => {
    let written = 0;
    const write = testTool('write', 'edit', async (_args, { writeFile }) => {
      await writeFile(join(agent.workspace, 'notes.txt'), Buffer.from(`${++written}`));
      return { content: 'written' };
    });
    agent.endpoint.reply(call('write', {}));
    agent.endpoint.always(serverError());
    const session = await agent.open([write]).createSession();
    declineModels(session);
    const run = all(session, message('Write it'));
    await allowFirst(session);
    const failed = await run;
    const [problem] = failed.flatMap((event) => (event.type === 'error' ? (event._meta?.problem ?? []) : []));
    assert.ok(problem?.actions.includes('retry-from-here'));
    assert.match(problem?.detail ?? '', /The effects of tools are kept, and the tools don't run again/);

    agent.endpoint.reply('It is written.');
    const retried = await all(session, { action: { type: 'retry', data: undefined } });
    assert.equal(outline(retried).at(-1), 'agent_end completed');
    assert.ok(!outline(retried).some((line) => line.startsWith('tool_request')));
    assert.equal(await readFile(join(agent.workspace, 'notes.txt'), 'utf8'), '1');
    assert.match(JSON.stringify(agent.endpoint.requests.at(-1)?.contents), /functionResponse/);
  });

  it('the answer says who gave it and how many attempts it took', async () => {
    agent.endpoint.reply(serverError());
    agent.endpoint.reply('Hello');
    const service = agent.open();
    const session = await service.createSession();
    await all(session, message('Hi'));
    const log = await readFile(join(agent.sessions, idOf(session), 'log.jsonl'), 'utf8');
    assert.match(log, new RegExp(`"customMetadata":{"model":"${FLASH}","attempts":2,`));
  });
});

async function question(session: AgentSession): Promise<ElicitationRequestEvent> {
  const event = await untilEvent(session, (other) => questionsIn([other]).length > 0);
  return event as ElicitationRequestEvent;
}

function questionsIn(events: readonly AgentEvent[]): ElicitationRequestEvent[] {
  return events.flatMap((event) => (event.type === 'elicitation_request' && event._meta?.modelChoice ? [event] : []));
}

function answered({ requestId }: ElicitationRequestEvent, decision: string) {
  return { elicitations: [{ requestId, action: 'accept' as const, content: { decision } }] };
}

function problems(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'error' ? (event._meta?.problem?.kind ?? []) : []));
}

function entriesOf(events: readonly AgentEvent[]): Entry[] {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript.entries;
}

function textOf(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'user' || entry.kind === 'answer' || entry.kind === 'thinking' ? entry.text : [],
  );
}
