import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '@google/genai';
import { beforeEach, describe, it } from 'mocha';
import { FIRST_ASK, NEXT_ASK } from '../../../extension/context/compaction/snapshot-prompts.ts';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { createWriteTodosTool } from '../../../extension/tools/conversation/write-todos.ts';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { idOf, openQuestions, useAgent } from '../../support/agent.ts';
import { all, answer, message, outline, testTool, until } from '../../support/conversation.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';
import { apiError } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, finish, hold, type Piece, together, usage } from '../../support/gemini/script.ts';
import { type SnapshotModel, snapshot, snapshotModel } from '../../support/gemini/snapshot-model.ts';

const LONG = Array.from({ length: 400 }, (_, at) => `Point ${at} was made of it. `).join('');
/** More than half of the window. */
const FULL = usage({ promptTokenCount: 600_000, candidatesTokenCount: 10 });
const SMALL = usage({ promptTokenCount: 20_000, candidatesTokenCount: 10 });

describe('A conversation that fills the window', () => {
  const agent = useAgent();
  let summaries: SnapshotModel;
  beforeEach(() => {
    summaries = snapshotModel(agent.endpoint);
  });

  async function turn(session: AgentSession, text: string, ...reply: Piece[]): Promise<AgentEvent[]> {
    agent.endpoint.reply(...reply);
    const seen = await all(session, message(text));
    assert.equal(outline(seen).at(-1), 'agent_end completed');
    return seen;
  }

  /** Three turns, the last of which says that the window is more than half full. */
  async function filled(tools: readonly Tool[] = [], service: AgentService = agent.open(tools)): Promise<AgentSession> {
    const session = await service.createSession();
    await turn(session, `Build a bridge. ${LONG}`, `Which one? ${LONG}`, SMALL);
    await turn(session, 'The long one.', `Fine. ${LONG}`, SMALL);
    await turn(session, 'Go on.', 'Half of it is there.', FULL);
    assert.equal(summaries.requests().length, 0);
    return session;
  }

  const sent = (at = -1): readonly Content[] => summaries.conversation().at(at)?.contents ?? [];
  const textOf = (content: Content | undefined): string => content?.parts?.map(({ text }) => text ?? '').join('') ?? '';
  const compacted = (session: AgentSession) =>
    session.events.flatMap((event) => (event.type === 'custom' && event.kind === 'compacted' ? [event.data] : []));
  const freezeHistory = (service: AgentService): void => {
    for (const { journal } of service['live'].values()) {
      for (const { content } of journal.history.events) deepFreeze(content);
    }
  };

  it('is sent as a snapshot and what came after it, again in the same bytes, also after a restart', async () => {
    const service = agent.open([]);
    const session = await filled([], service);
    freezeHistory(service);
    const before = summaries.conversation().at(-1)?.systemText;
    const ended: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'custom') ended.push(event.kind);
    });
    await turn(session, 'And now?', 'The rest.', SMALL);

    const [draft, check, ...more] = summaries.requests();
    assert.equal(more.length, 0);
    assert.equal(draft?.lastUserText, FIRST_ASK);
    assert.match(textOf(draft?.contents[0]), /^Build a bridge/);
    assert.match(textOf(check?.contents.at(-2)), /<scratchpad>Draft 1/);
    assert.deepEqual(draft?.toolNames, []);

    const [summary, understood, ...tail] = sent();
    assert.match(textOf(summary), /<overall_goal>number 1, checked<\/overall_goal>/);
    assert.doesNotMatch(textOf(summary), /Draft|Checked\./, 'the snapshot alone');
    assert.match(textOf(summary), /<first_message>\nBuild a bridge\./);
    assert.equal(understood?.role, 'model');
    assert.deepEqual(tail.map(textOf), ['Go on.', 'Half of it is there.', 'And now?']);
    assert.equal(summaries.conversation().at(-1)?.systemText, before, 'rules and instructions stay');
    assert.deepEqual(ended, ['compacting', 'compacted', 'compaction_ended']);

    const [data] = compacted(session);
    assert.equal(data?.trigger, 'auto');
    assert.equal(data?.summary, snapshot('number 1, checked'));
    assert.ok((data?.tokensBefore ?? 0) >= 600_000 && (data?.tokensAfter ?? 0) < (data?.tokensBefore ?? 0));

    const first = sent();
    freezeHistory(service);
    await turn(session, 'Sure?', 'Yes.', SMALL);
    assert.deepEqual(sent().slice(0, first.length), first);
    const again = await agent.reopen(service, session);
    assert.deepEqual(compacted(again), compacted(session));
    await turn(again, 'Really?', 'Yes.', SMALL);
    assert.deepEqual(sent().slice(0, first.length), first);
    assert.equal(summaries.requests().length, 2);
    assert.equal(again.events.filter((event) => event.type === 'message' && event.role === 'user').length, 6);
  });

  it('still has the todo list, the first message and the last in it', async () => {
    const service = agent.open([createWriteTodosTool()]);
    const session = await service.createSession();
    agent.endpoint.reply(
      call('write_todos', { todos: [{ description: 'Lay the stone', status: 'in_progress' }] }),
      SMALL,
    );
    await turn(session, `Build a bridge. ${LONG}`, `Begun. ${LONG}`, SMALL);
    await turn(session, 'Only by hand, please.', `Fine. ${LONG}`, SMALL);
    await turn(session, 'Next.', 'Done.', FULL);
    await turn(session, 'Next.', 'Done.', SMALL);
    const summary = textOf(sent()[0]);
    assert.match(summary, /<todo_list>\nThe todo list is now:\n1\. \[in_progress\] Lay the stone\n<\/todo_list>/);
    assert.match(summary, /<first_message>\nBuild a bridge/);
    assert.match(summary, /<last_message>\nOnly by hand, please\.\n<\/last_message>/);
  });

  it('has at once what the summary replaced: facts about the workspace, and instructions of a subfolder', async () => {
    await mkdir(join(agent.workspace, 'src'));
    await writeFile(join(agent.workspace, 'src', 'GEMINI.md'), 'No classes.');
    await writeFile(join(agent.workspace, 'src', 'a.ts'), 'export {};');
    // Everything is known in time, however slow the machine is.
    const alarm = (): (() => void) => () => undefined;
    const session = await agent.open(productTools, { sendsEnvironment: true, alarm }).createSession();
    agent.endpoint.reply(call('read_file', { file_path: 'src/a.ts' }), SMALL);
    await turn(session, `Build a bridge. ${LONG}`, `Begun. ${LONG}`, SMALL);
    await turn(session, 'Only by hand, please.', `Fine. ${LONG}`, SMALL);
    await turn(session, 'Next.', 'Done.', FULL);
    const whole = (): readonly Content[] => summaries.conversation().at(-1)?.body.contents ?? [];
    const told = [/Operating system/g, /No classes\./g];
    const tellings = (): unknown => told.map((fact) => whole().map(textOf).join('\n').match(fact)?.length);
    assert.deepEqual(tellings(), [1, 1]);
    await turn(session, 'Next.', 'Done.', SMALL);
    assert.match(textOf(whole()[0]), /number 1, checked/);
    assert.deepEqual(tellings(), [1, 1]);
    const first = whole();
    await turn(session, 'Next.', 'Done.', SMALL);
    assert.deepEqual(whole().slice(0, first.length), first);
    assert.deepEqual(tellings(), [1, 1]);
  });

  it('is summarised again with the earlier snapshot', async () => {
    const session = await filled();
    await turn(session, 'More.', `Here. ${LONG}`, SMALL);
    await turn(session, 'More.', `Here. ${LONG}`, FULL);
    await turn(session, 'The end?', 'Yes.', SMALL);
    const third = summaries.requests()[2];
    assert.equal(third?.lastUserText, NEXT_ASK);
    assert.match(textOf(third?.contents[0]), /number 1, checked/);
    const [summary, , ...tail] = sent();
    assert.match(textOf(summary), /number 2, checked/);
    assert.doesNotMatch(textOf(summary), /number 1/);
    assert.match(textOf(summary), /<first_message>\nBuild a bridge/);
    assert.deepEqual(tail.map(textOf), ['The end?']);
    assert.equal(compacted(session).length, 2);
  });

  it('continues where the threshold of the user is higher', async () => {
    const session = await filled([], agent.open([], { compressionThreshold: 0.9 }));
    await turn(session, 'And now?', 'The rest.');
    assert.equal(summaries.requests().length, 0);
  });

  it('is compacted by what was added since the server counted', async () => {
    const session = await agent.open().createSession();
    await turn(session, `Build a bridge. ${LONG}`, `Which one? ${LONG}`, usage({ promptTokenCount: 300_000 }));
    await turn(session, 'word '.repeat(300_000), 'Read.', SMALL);
    assert.equal(compacted(session).length, 1);
    assert.match(textOf(sent().at(-1)), /^word word/);
  });

  describe('when something goes wrong', () => {
    /** The turn ends well, and the request had all of the conversation. */
    async function wholeTurn(session: AgentSession, notes: RegExp): Promise<void> {
      const told: string[] = [];
      const stop = session.subscribe((event) => {
        if (event.type === 'custom' && event.kind === 'compaction_ended')
          told.push(`${event.data.status} ${event.data.why}`);
      });
      await turn(session, 'And now?', 'The rest.', FULL);
      stop();
      assert.match(textOf(sent()[0]), /^Build a bridge/);
      assert.equal(compacted(session).length, 0);
      assert.match(told.join('\n'), notes);
    }

    it('continues in full when no snapshot can be asked for, and asks again with the next message', async () => {
      const read = testTool('read', 'read', () => Promise.resolve({ content: 'seen' }));
      const session = await filled([read]);
      summaries.drafts.push(apiError(400));
      agent.endpoint.reply(call('read', {}), FULL);
      await wholeTurn(session, /^FAILED .+/);
      assert.equal(summaries.requests().length, 1, 'once in a run');
      await turn(session, 'Next.', 'Done.', SMALL);
      assert.equal(compacted(session).length, 1);
    });

    it('continues in full when the snapshot cannot be checked', async () => {
      const session = await filled();
      summaries.checks.push(apiError(400));
      await wholeTurn(session, /^FAILED .+/);
      assert.equal(summaries.requests().length, 2);
    });

    it('continues in full when there is no snapshot in the answer', async () => {
      const session = await filled();
      summaries.drafts.push('I had rather not.');
      summaries.checks.push('No.');
      await wholeTurn(session, /^EMPTY/);
    });

    it('continues in full when the snapshot was cut off at the length limit', async () => {
      const session = await filled();
      summaries.drafts.push([snapshot('half of it'), finish('MAX_TOKENS')]);
      await wholeTurn(session, /^FAILED A snapshot of the conversation is not complete/);
      assert.equal(summaries.requests().length, 1);
    });

    it('takes the first snapshot when the second answer has none', async () => {
      const session = await filled();
      summaries.checks.push('It was fine.');
      await turn(session, 'And now?', 'The rest.', SMALL);
      assert.match(textOf(sent()[0]), /<overall_goal>number 1<\/overall_goal>/);
    });

    it('only cuts outputs after a snapshot that was longer than what it stood for, unless the user asks', async () => {
      const read = testTool('read', 'read', () => Promise.resolve({ content: 'line '.repeat(30_000) }));
      const service = agent.open([read]);
      const session = await filled([read], service);
      summaries.checks.push(snapshot('x'.repeat(200_000)));
      await wholeTurn(session, /^INFLATED/);
      assert.equal(summaries.requests().length, 2);

      agent.endpoint.reply(call('read', {}), call('read', {}), FULL);
      await turn(session, 'Read it twice.', 'Read.', FULL);
      await turn(session, 'And?', 'Nothing.', FULL);
      assert.equal(summaries.requests().length, 2, 'no other try');
      const outputs = sent().flatMap(({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) => functionResponse ?? []),
      );
      const [first, second] = outputs.map(({ response }) => String(response?.['output']));
      const file = /The whole output is in (\S+)\]/.exec(first ?? '')?.[1] ?? '';
      assert.equal(second, 'line '.repeat(30_000), 'the newest is whole');
      assert.equal(await readFile(file, 'utf8'), second);
      assert.deepEqual(await readdir(join(agent.sessions, idOf(session), 'outputs')), [file.split('/').at(-1)]);
      assert.ok(outline(session.events).includes('outputs_cut'));

      const again = await agent.reopen(service, session, [read]);
      await turn(again, 'And now?', 'Nothing.', FULL);
      assert.equal(summaries.requests().length, 2, 'none after a restart either');

      await all(again, { action: { type: 'compress', data: undefined } });
      assert.equal(compacted(again).at(-1)?.trigger, 'manual');
      await turn(again, 'More.', `Here. ${LONG}`, FULL);
      await turn(again, 'And?', 'Nothing.', SMALL);
      assert.equal(compacted(again).at(-1)?.trigger, 'auto', 'after one that was a gain');
    });

    it('is stopped with the run, and nothing is compacted', async () => {
      const session = await filled();
      const door = gate();
      summaries.drafts.push([hold(door)]);
      const run = all(session, message('And now?'));
      await door.reached;
      await session.abort();
      assert.equal(outline(await run).at(-1), 'agent_end aborted');
      assert.equal(await summaries.requests()[0]?.closed, 'disconnected');
      assert.equal(compacted(session).length, 0);
      await turn(session, 'Again.', 'The rest.', SMALL);
      assert.deepEqual(sent().slice(2).map(textOf), ['Go on.', 'Half of it is there.', 'And now?', 'Again.']);
    });
  });

  describe('of a model that takes less than the one before', () => {
    const SMALL_MODEL = { modelName: 'gemma-4-31b-it' };

    /** So many outputs, each of so many characters, and the session in a window with the smaller model. */
    async function outgrown(outputs: number, chars: number): Promise<AgentSession> {
      const line = 'This is what a line of it says. ';
      const read = testTool('read', 'read', () =>
        Promise.resolve({ content: line.repeat(Math.ceil(chars / line.length)) }),
      );
      const service = agent.open([read], { loopDetection: false });
      const session = await service.createSession();
      const tenCalls = Array.from({ length: 10 }, () => call('read', {}));
      for (let at = 0; at < outputs; at += 10) agent.endpoint.reply(together(...tenCalls), SMALL);
      await turn(session, 'Read all of it.', 'Read.', SMALL);
      await turn(session, 'Thanks.', 'Fine.', usage({ promptTokenCount: 300_000 }));
      await service.dispose();
      return agent.open([read], { ...SMALL_MODEL, loopDetection: false }).resumeSession(idOf(session));
    }

    it('is summarised with its long outputs cut when it does not fit otherwise', async () => {
      const session = await outgrown(20, 60_000);
      await turn(session, 'And now?', 'The rest.', SMALL);
      const outputs = (summaries.requests()[0]?.contents ?? []).flatMap(({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) =>
          functionResponse ? String(functionResponse.response?.['output']) : [],
        ),
      );
      assert.equal(outputs.length, 20);
      assert.ok(outputs.filter((output) => output.includes('The whole output is in ')).length > 15);
      assert.equal(compacted(session).length, 1);
    });

    it('continues without a summary when not even that fits, and says so', async () => {
      const session = await outgrown(40, 41_000);
      const told: unknown[] = [];
      session.subscribe((event) => {
        if (event.type === 'custom' && event.kind === 'compaction_ended') told.push(event.data);
      });
      await turn(session, 'And now?', 'The rest.', SMALL);
      assert.equal(summaries.requests().length, 0, 'nothing that cannot be read is sent');
      assert.equal(compacted(session).length, 0);
      const why =
        /^The conversation is too long to summarize\. Its older part has about [\d,]+ tokens, and the model's limit is 256,000/;
      assert.equal(told.length, 1);
      assert.match(JSON.stringify(told[0]), /"status":"FAILED"/);
      assert.match((told[0] as { why: string }).why, why);
      assert.match(textOf(sent()[0]), /^Read all of it\./);
    });
  });

  describe('and is rewound', () => {
    const rewindTo = (service: AgentService, session: AgentSession, text: string) => {
      const id = session.events.findLast(
        (event) => event.type === 'message' && event.role === 'user' && JSON.stringify(event.content).includes(text),
      )?._meta?.['messageId'];
      return service.session(idOf(session)).rewind.rewind({ messageId: String(id), what: 'conversation' });
    };

    it('keeps its snapshot after the cut, and loses it before', async () => {
      const service = agent.open([]);
      const session = await filled([], service);
      await turn(session, 'And now?', 'The rest.', SMALL);
      await rewindTo(service, session, 'And now?');
      await turn(session, 'Or else?', 'Else.', SMALL);
      assert.match(textOf(sent()[0]), /number 1, checked/);
      assert.deepEqual(sent().slice(2).map(textOf), ['Go on.', 'Half of it is there.', 'Or else?']);

      await rewindTo(service, session, 'The long one.');
      await turn(session, 'The short one.', 'Fine.', SMALL);
      assert.match(textOf(sent()[0]), /^Build a bridge/);
      assert.equal(sent().length, 3);
      assert.equal(summaries.requests().length, 2);
    });

    it('has its snapshot back when that is undone', async () => {
      const service = agent.open([]);
      const session = await filled([], service);
      await turn(session, 'And now?', 'The rest.', SMALL);
      const before = sent();
      await rewindTo(service, session, 'The long one.');
      await service.session(idOf(session)).rewind.undo();
      await turn(session, 'More?', 'No.', SMALL);
      assert.deepEqual(sent().slice(0, before.length), before);
    });
  });

  it('gives the model a message that came while it was compacted', async () => {
    const session = await filled();
    const door = gate();
    summaries.drafts.push([hold(door), snapshot('held')]);
    agent.endpoint.reply('The rest.', SMALL);
    agent.endpoint.reply('By hand.', SMALL);
    const run = all(session, message('And now?'));
    await door.reached;
    await session.send(message('By hand, please.'));
    door.open();
    await run;
    await until(session, 'agent: By hand.');
    assert.equal(textOf(sent().at(-1)), 'By hand, please.');
  });

  it('has a call in it that was allowed after a restart', async () => {
    const act = testTool('act', 'execute', () => Promise.resolve({ content: 'acted' }));
    const service = agent.open([act]);
    const session = await filled([act], service);
    summaries.drafts.push(snapshot('one'));
    agent.endpoint.reply(call('act', {}), FULL);
    await session.send(message('Do it.'));
    await until(session, 'elicitation_request');
    const again = await agent.reopen(service, session, [act]);
    agent.endpoint.reply('Done.', SMALL);
    const [question = ''] = openQuestions(again);
    await again.send(answer(question, 'accept'));
    await until(again, 'agent: Done.');
    const names = sent().flatMap(({ parts = [] }) =>
      parts.flatMap((part) => part.functionCall?.name ?? part.functionResponse?.name ?? []),
    );
    assert.deepEqual(names, ['act', 'act']);
    assert.ok(sent().some((content) => textOf(content) === 'Do it.'));
  });
});
