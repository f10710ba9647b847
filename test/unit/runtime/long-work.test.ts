import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import { beforeEach, describe, it } from 'mocha';
import { z } from 'zod';
import { contextWindow } from '../../../extension/model/catalog/known-models.ts';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { createWriteTodosTool } from '../../../extension/tools/conversation/write-todos.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message, outline, testTool } from '../../support/conversation.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';
import { apiError } from '../../support/gemini/faults.ts';
import type { RecordedRequest } from '../../support/gemini/request.ts';
import { call, type Piece, usage } from '../../support/gemini/script.ts';
import { type SnapshotModel, snapshotModel } from '../../support/gemini/snapshot-model.ts';

/** With the smallest window there is. */
const MODEL = 'gemma-4-31b-it';
const WINDOW = contextWindow(MODEL);
/** More than is quoted of a message when it is only told of. */
const TASK = `Build a bridge. ${Array.from({ length: 400 }, (_, at) => `Wish ${at} is to be heeded. `).join('')}`;
/** Calls keep what they were called with, which no masking shortens. */
const TEXT = Array.from({ length: 1800 }, (_, at) => `Stone ${at} lies on the one below. `).join('');

describe('Long work on one message', () => {
  const agent = useAgent();
  let summaries: SnapshotModel;
  let service: AgentService;
  beforeEach(() => {
    summaries = snapshotModel(agent.endpoint);
    service = agent.open([write, createWriteTodosTool()], { modelName: MODEL, loopDetection: false });
  });

  const write: Tool = {
    ...testTool('write', 'read', () => {
      for (const { journal } of service['live'].values()) {
        for (const { content } of journal.history.events) deepFreeze(content);
      }
      return Promise.resolve({ content: `Written. ${TEXT.slice(0, 2000)}` });
    }),
    schema: z.strictObject({ at: z.number(), text: z.string() }),
  };

  /** Four characters a token, as the server of these tests counts. */
  const tokensOf = ({ contents, systemText }: RecordedRequest): number =>
    Math.ceil((JSON.stringify(contents).length + systemText.length) / 4);
  const counted = (...pieces: Piece[]): Piece => {
    return (request) => [...pieces, usage({ promptTokenCount: tokensOf(request), candidatesTokenCount: 10 })];
  };
  const compacted = ({ events }: AgentSession) =>
    events.filter((event) => event.type === 'custom' && event.kind === 'compacted');
  const textOf = ({ parts = [] }: Content): string => parts.map(({ text = '' }) => text).join('');
  const sent = (): readonly Content[] => summaries.conversation().at(-1)?.contents ?? [];

  function plan(rounds: number): void {
    agent.endpoint.reply(
      counted(call('write_todos', { todos: [{ description: 'Lay the stone', status: 'in_progress' }] })),
    );
    for (let at = 0; at < rounds; at++) agent.endpoint.reply(counted(call('write', { at, text: `${at} ${TEXT}` })));
    agent.endpoint.reply(counted('The bridge is there.'));
  }

  it('is never more than the window takes, and has the message, the todo list and the latest calls in it', async () => {
    const rounds = 38;
    plan(rounds);
    const session = await service.createSession();
    assert.equal(outline(await all(session, message(TASK))).at(-1), 'agent_end completed');
    assert.ok((rounds * TEXT.length) / 4 > 2 * WINDOW, 'all of it is more than that');
    for (const request of agent.endpoint.requests) assert.ok(tokensOf(request) < WINDOW);
    assert.ok(compacted(session).length > 1);
    assert.equal(summaries.requests().length, 2 * compacted(session).length);

    for (const [index, { contents }] of summaries.conversation().entries()) {
      assert.equal(contents[0]?.parts?.[0]?.text, TASK);
      const roles = contents.map(({ role }) => role);
      assert.deepEqual(
        roles,
        roles.map((_, at) => (at % 2 === 0 ? 'user' : 'model')),
      );
      if (index > 1) assert.match(JSON.stringify(contents.slice(-2)), new RegExp(`"at":${index - 2},`));
    }
    const [first] = sent();
    assert.match(textOf(first ?? {}), /number \d+, checked/);
    assert.match(textOf(first ?? {}), /<todo_list>\nThe todo list is now:\n1\. \[in_progress\] Lay the stone/);
    assert.doesNotMatch(textOf(first ?? {}), /<(first|last)_message>/, 'nothing twice');
    const done = outline(session.events).filter((line) => line === 'tool_response write ok');
    assert.equal(done.length, rounds, 'the log has all of it');
  });

  it('is sent in the same bytes after a restart', async () => {
    plan(12);
    const session = await service.createSession();
    await all(session, message(TASK));
    const before = sent();
    assert.equal(compacted(session).length, 1);
    const again = await agent.reopen(service, session);
    agent.endpoint.reply(counted('Yes.'));
    await all(again, message('Sure?'));
    assert.equal(JSON.stringify(sent().slice(0, before.length)), JSON.stringify(before));
    assert.equal(textOf(sent().at(-1) ?? {}), 'Sure?');
  });

  it('keeps what the user said meanwhile, and what the conversation began with', async () => {
    const session = await service.createSession();
    agent.endpoint.reply(counted('Hello.'));
    await all(session, message('Good morning.'));
    agent.endpoint.reply(counted(call('write', { at: 0, text: TEXT })));
    agent.endpoint.reply(() => {
      void session.send(message('By hand, please.'));
      return counted(call('write', { at: 0, text: TEXT }));
    });
    plan(14);
    await all(session, message(TASK));
    const [first] = sent();
    assert.deepEqual(
      first?.parts?.slice(0, 2).map(({ text }) => text),
      [TASK, 'By hand, please.'],
    );
    assert.match(first?.parts?.[2]?.text ?? '', /<first_message>\nGood morning\.\n<\/first_message>/);
  });

  it('continues in full when no snapshot can be asked for, as long as there is room', async () => {
    plan(12);
    summaries.drafts.push(apiError(400));
    const session = await service.createSession();
    assert.equal(outline(await all(session, message(TASK))).at(-1), 'agent_end completed');
    assert.equal(summaries.requests().length, 1, 'once in a run');
    assert.equal(compacted(session).length, 0);
    assert.equal(sent().length, 1 + 2 * 13);
  });
});
