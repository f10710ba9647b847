import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message, outline, until } from '../../support/conversation.ts';
import { apiError } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { hold, usage } from '../../support/gemini/script.ts';
import { type SnapshotModel, snapshot, snapshotModel } from '../../support/gemini/snapshot-model.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { forEvents, settingsWith } from '../hooks/hook-builders.ts';

const COMPRESS = { action: { type: 'compress', data: undefined } } as const;
const LONG = Array.from({ length: 400 }, (_, at) => `Point ${at} was made of it. `).join('');

describe('Compressing a conversation by hand', () => {
  const agent = useAgent();
  let summaries: SnapshotModel;
  let home: TempWorkspace;
  beforeEach(async () => {
    summaries = snapshotModel(agent.endpoint);
    home = await createTempWorkspace();
  });
  afterEach(() => home.dispose());

  async function open(): Promise<AgentSession> {
    const environment = {
      GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
      GEMINI_CLI_HOME: home.path,
      PATH: process.env['PATH'] ?? '',
    };
    return agent.open([], { environment }).createSession();
  }

  async function turn(session: AgentSession, text: string, reply: string, tokens = 5000): Promise<void> {
    agent.endpoint.reply(reply, usage({ promptTokenCount: tokens }));
    assert.equal(outline(await all(session, message(text))).at(-1), 'agent_end completed');
  }

  const sent = (): string[] =>
    summaries
      .conversation()
      .at(-1)
      ?.contents.map(({ parts = [] }) => parts.map(({ text }) => text).join('')) ?? [];
  const refusedWith = (pattern: RegExp) => (error: unknown) =>
    ProblemError.is(error, 'bad-input') && pattern.test(error.problem.detail);

  it('makes a snapshot of all of it, which is a run of its own and nothing that was said', async () => {
    const session = await open();
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`);
    await until(session, 'session_update A title');
    const lines = outline(await all(session, COMPRESS)).filter((line) => line !== 'usage');
    assert.deepEqual(lines, ['agent_start', 'compacting', 'compacted', 'compaction_ended', 'agent_end completed']);
    assert.deepEqual(summaries.conversation().length, 1, 'the model was not told of it');
    await turn(session, 'What was it?', 'A bridge.');
    assert.match(sent()[0] ?? '', /number 1, checked/);
    assert.match(sent()[0] ?? '', /<first_message>\nBuild a bridge/);
    assert.deepEqual(sent().slice(2), ['What was it?']);
  });

  it('tells at once how much is left in use and that there is nothing more to do, also after a restart', async () => {
    let service = agent.open();
    let session = await service.createSession();
    const used = (): number => service.session(idOf(session)).contextUse.used;
    const reopened = async (): Promise<void> => {
      const id = idOf(session);
      await service.dispose();
      service = agent.open();
      session = await service.resumeSession(id);
    };
    const whyNot = (): string | undefined => service.session(idOf(session)).whyNotCompress;
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`, 19_000);
    assert.equal(used(), 19_000);
    assert.equal(whyNot(), undefined);
    await all(session, COMPRESS);
    assert.match(whyNot() ?? '', /too little new text since/);
    const [{ tokensAfter } = { tokensAfter: 0 }] = session.events.flatMap((event) =>
      event.type === 'custom' && event.kind === 'compacted' ? event.data : [],
    );
    assert.equal(used(), tokensAfter);
    assert.ok(tokensAfter > 0 && tokensAfter < 19_000, `${tokensAfter}`);
    await reopened();
    assert.equal(used(), tokensAfter);
    assert.match(whyNot() ?? '', /too little new text since/);
    agent.endpoint.reply(apiError(400));
    await all(session, message(`And a tunnel. ${LONG}`));
    assert.ok(used() > tokensAfter + 2000 && used() < tokensAfter + 7000, `${used()} after ${tokensAfter}`);
    assert.equal(whyNot(), undefined);
    await turn(session, 'What was it?', 'A bridge.', 18_000);
    assert.ok(used() >= 18_000 && used() < 18_100, `${used()}`);
    await reopened();
    assert.ok(used() >= 18_000 && used() < 18_100, `${used()}`);
  });

  it('can continue without another message', async () => {
    const session = await open();
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`);
    await all(session, COMPRESS);
    agent.endpoint.reply('I go on.');
    await all(session, { action: { type: 'continue', data: undefined } });
    assert.deepEqual(sent().slice(2), ['Continue with the next step.']);
  });

  it('is refused when nothing was said, when nothing is new, and while Gantry answers', async () => {
    const session = await open();
    await assert.rejects(session.send(COMPRESS), refusedWith(/There are no messages yet/));
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`);
    const door = gate();
    agent.endpoint.reply(hold(door), 'Yes.');
    const run = all(session, message('Sure?'));
    await door.reached;
    await assert.rejects(session.send(COMPRESS), refusedWith(/still answering/));
    door.open();
    await run;
    await all(session, COMPRESS);
    await assert.rejects(session.send(COMPRESS), refusedWith(/too little new text since/));
  });

  it('can be stopped, and says what came in the meantime afterwards', async () => {
    const session = await open();
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`);
    const first = gate();
    summaries.drafts.push([hold(first)]);
    const stopped = all(session, COMPRESS);
    await first.reached;
    await session.abort();
    assert.equal(outline(await stopped).at(-1), 'agent_end aborted');

    const second = gate();
    summaries.drafts.push([hold(second), snapshot('held')]);
    agent.endpoint.reply('Fine.');
    const run = all(session, COMPRESS);
    await second.reached;
    await session.send(message('And now?'));
    second.open();
    await run;
    await until(session, 'agent: Fine.');
    assert.deepEqual(sent().slice(2), ['And now?']);
  });

  it('says why it did not work, and leaves everything as it was', async () => {
    const session = await open();
    const transcript = new Transcript();
    session.subscribe((event) => void transcript.apply(event));
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`);
    const notes = (): string[] => transcript.entries.flatMap((entry) => (entry.kind === 'note' ? [entry.text] : []));
    summaries.drafts.push(apiError(400));
    assert.equal(outline(await all(session, COMPRESS)).at(-1), 'agent_end failed');
    summaries.checks.push(snapshot(LONG.repeat(5)));
    assert.equal(outline(await all(session, COMPRESS)).at(-1), 'agent_end failed');
    assert.equal(notes().length, 2);
    assert.match(notes()[0] ?? '', /was not compacted and continues in full\. .+/);
    assert.match(notes()[1] ?? '', /The summary would have been longer/);
    await turn(session, 'What was it?', 'A bridge.');
    assert.match(sent()[0] ?? '', /^Build a bridge/);
  });

  it('tells hooks that it will, and only then', async () => {
    const file = join(home.path, 'fired.txt');
    await home.write(settingsWith(forEvents({ PreCompress: `cat >> ${file}; echo >> ${file}` })));
    const session = await open();
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`);
    await turn(session, 'And?', 'Nothing.');
    const fired = async (): Promise<unknown[]> => {
      const lines = await readFile(file, 'utf8').catch(() => '');
      return lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line).trigger]));
    };
    assert.deepEqual(await fired(), []);
    await all(session, COMPRESS);
    assert.deepEqual(await fired(), ['manual']);
    await turn(session, `More. ${LONG}`, `Done. ${LONG}`, 600_000);
    await turn(session, 'Now.', 'Done.', 600_000);
    assert.deepEqual(await fired(), ['manual', 'auto']);
    // Still too full, and nothing left to summarise but this message.
    await assert.rejects(session.send(COMPRESS));
    assert.deepEqual(await fired(), ['manual', 'auto']);
  });

  it('is there again when the session is opened again', async () => {
    const session = await open();
    await turn(session, `Build a bridge. ${LONG}`, `Done. ${LONG}`);
    await all(session, COMPRESS);
    const log = await readFile(join(agent.sessions, idOf(session), 'log.jsonl'), 'utf8');
    assert.equal(log.split('\n').filter((line) => line.includes('"type":"compacted"')).length, 1);
    const copy = await agent.open().forkSession(idOf(session));
    await turn(copy, 'What was it?', 'A bridge.');
    assert.match(sent()[0] ?? '', /number 1, checked/);
  });
});
