import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { type Tool, toolError } from '../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import type { SessionRewind } from '../../../extension/runtime/changes/session-rewind.ts';
import { idOf, openQuestions, useAgent } from '../../support/agent.ts';
import { all, answer, message, outline, testTool, until } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';

const isBadInput = (error: unknown): boolean => ProblemError.is(error, 'bad-input');

describe('Going back to a message', () => {
  const agent = useAgent();

  const notes = (): string => join(agent.workspace, 'notes.txt');
  const content = (): Promise<string> => readFile(notes(), 'utf8').catch(() => 'not there');

  /** Adds a line to the notes each time. */
  function append(): Tool {
    return testTool('append', 'edit', async (_args, { writeFile: write }) => {
      const before = await readFile(notes(), 'utf8').catch(() => '');
      await write(notes(), Buffer.from(`${before}line\n`));
      return { content: 'appended' };
    });
  }

  /** Two messages, each of which adds a line to the notes. */
  async function twoTurns(service: AgentService = agent.open([append()])): Promise<AgentSession> {
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
    });
    for (const text of ['first', 'second']) {
      agent.endpoint.reply(call('append', {}));
      agent.endpoint.reply(`${text} done`);
      await all(session, message(text));
    }
    assert.equal(await content(), 'line\nline\n');
    return session;
  }

  async function sentNext(session: AgentSession): Promise<string> {
    agent.endpoint.reply('ok');
    await all(session, message('next'));
    return JSON.stringify(agent.endpoint.requests.at(-1)?.contents);
  }

  it('leaves the files as they are when only the conversation goes back', async () => {
    const service = agent.open([append()]);
    const session = await twoTurns(service);
    const outcome = await service
      .session(idOf(session))
      .rewind.rewind({ messageId: idOfMessage(session, 'second'), what: 'conversation' });
    assert.deepEqual(outcome.files, []);
    assert.equal(await content(), 'line\nline\n');
    const sent = await sentNext(session);
    assert.match(sent, /first done/);
    assert.doesNotMatch(sent, /second/);
    assert.equal(outline(session.events).filter((line) => line === 'rewind').length, 1);
  });

  it('leaves the conversation as it is when only the files go back', async () => {
    const service = agent.open([append()]);
    const session = await twoTurns(service);
    await service.session(idOf(session)).rewind.rewind({ messageId: idOfMessage(session, 'second'), what: 'files' });
    assert.equal(await content(), 'line\n');
    assert.match(await sentNext(session), /second done/);
  });

  it('takes both back, after a preview, and brings both again when undone, also after a restart', async () => {
    const service = agent.open([append()]);
    const session = await twoTurns(service);
    const rewind = service.session(idOf(session)).rewind;
    const first = idOfMessage(session, 'first');
    assert.deepEqual(
      (await rewind.preview(first)).map(({ path, kind }) => [path, kind]),
      [[notes(), 'remove']],
    );
    await rewind.rewind({ messageId: first, what: 'both' });
    assert.equal(await content(), 'not there');
    await service.dispose();
    const later = agent.open([append()]);
    const again = await later.resumeSession(idOf(session));
    const undo = later.session(idOf(session)).rewind;
    assert.equal(undo.canUndo, true);
    await undo.undo();
    assert.equal(await content(), 'line\nline\n');
    assert.equal(undo.canUndo, false);
    assert.match(await sentNext(again), /first done.*second done/);
  });

  it('cannot be undone once the conversation went on, or when there was none', async () => {
    const service = agent.open([append()]);
    const session = await twoTurns(service);
    const rewind = service.session(idOf(session)).rewind;
    await assert.rejects(rewind.undo(), isBadInput);
    await rewind.rewind({ messageId: idOfMessage(session, 'second'), what: 'both' });
    await sentNext(session);
    assert.equal(rewind.canUndo, false);
    await assert.rejects(rewind.undo(), isBadInput);
    assert.equal(await content(), 'line\n');
  });

  it('is refused for a message that is not there, or not there any more', async () => {
    const service = agent.open([append()]);
    const session = await twoTurns(service);
    const rewind = service.session(idOf(session)).rewind;
    const second = idOfMessage(session, 'second');
    await assert.rejects(rewind.rewind({ messageId: 'none', what: 'both' }), isBadInput);
    await rewind.rewind({ messageId: second, what: 'conversation' });
    await assert.rejects(rewind.rewind({ messageId: second, what: 'both' }), isBadInput);
    assert.throws(() => service.session('none').rewind, isBadInput);
  });

  it('is refused while it works, and no approval from before outlives it', async () => {
    const service = agent.open([append()]);
    const session = await service.createSession();
    agent.endpoint.reply(call('append', {}));
    await session.send(message('first'));
    await until(session, 'elicitation_request');
    const [question = ''] = openQuestions(session);
    const rewind = service.session(idOf(session)).rewind;
    const back = { messageId: idOfMessage(session, 'first'), what: 'both' } as const;
    await assert.rejects(rewind.rewind(back), isBadInput);
    await session.abort();
    await rewind.rewind(back);
    await assert.rejects(session.send(answer(question, 'accept')), (error) => ProblemError.is(error, 'not-waiting'));
    assert.equal(await content(), 'not there');
    await service.dispose();
    const again = await agent.open([append()]).resumeSession(idOf(session));
    await assert.rejects(again.send(answer(question, 'accept')), (error) => ProblemError.is(error, 'not-waiting'));
    assert.doesNotMatch(await sentNext(again), /first|append/);
  });

  it('keeps what somebody else wrote since, unless told to overwrite it', async () => {
    const service = agent.open([append()]);
    const session = await twoTurns(service);
    await writeFile(notes(), 'mine\n');
    const rewind: SessionRewind = service.session(idOf(session)).rewind;
    const messageId = idOfMessage(session, 'second');
    const kept = await rewind.rewind({ messageId, what: 'both' });
    assert.deepEqual(
      kept.files.map(({ kind }) => kind),
      ['kept'],
    );
    assert.equal(await content(), 'mine\n');
    await rewind.undo();
    const restored = await rewind.rewind({ messageId, what: 'both', overwrite: [notes()] });
    assert.deepEqual(
      restored.files.map(({ kind }) => kind),
      ['restored'],
    );
    assert.equal(await content(), 'line\n');
    await rewind.undo();
    assert.equal(await content(), 'mine\n');
  });

  it('to a message that steered cuts the run there', async () => {
    const service = agent.open([look()]);
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type === 'tool_request') void session.send(message('steer'));
    });
    agent.endpoint.reply(call('look', {}));
    agent.endpoint.reply('done');
    await all(session, message('first'));
    await service
      .session(idOf(session))
      .rewind.rewind({ messageId: idOfMessage(session, 'steer'), what: 'conversation' });
    const sent = await sentNext(session);
    assert.match(sent, /first.*look.*next/);
    assert.doesNotMatch(sent, /steer|done/);
  });

  it('goes another way in a copy, and leaves the original alone', async () => {
    const service = agent.open([append()]);
    const session = await twoTurns(service);
    await until(session, 'session_update A title');
    const before = [...session.events];
    const fork = await service.forkSession(idOf(session), idOfMessage(session, 'second'));
    const sent = await sentNext(fork);
    assert.match(sent, /first done/);
    assert.doesNotMatch(sent, /second/);
    assert.deepEqual(session.events, before);
    await service.session(idOf(fork)).rewind.rewind({ messageId: idOfMessage(fork, 'first'), what: 'conversation' });
    await assert.rejects(service.forkSession(idOf(session), 'none'), isBadInput);
    const { header } = (await service.library?.read(idOf(fork))) ?? assert.fail();
    assert.deepEqual(header.origin, { kind: 'fork', of: idOf(session) });
  });

  it('tells the model nothing of a call that was cut off with its message', async () => {
    const service = agent.open([failing()]);
    const session = await service.createSession();
    agent.endpoint.reply(call('fail', {}));
    agent.endpoint.reply('sorry');
    await all(session, message('first'));
    await service.session(idOf(session)).rewind.rewind({ messageId: idOfMessage(session, 'first'), what: 'both' });
    assert.doesNotMatch(await sentNext(session), /fail|sorry|first/);
  });
});

function look(): Tool {
  return testTool('look', 'read', async () => ({ content: 'seen' }));
}

function failing(): Tool {
  return testTool('fail', 'read', async () => toolError('file_not_found', 'Not there.'));
}

function idOfMessage(session: AgentSession, text: string): string {
  const found = session.events.find((event) => outline([event])[0] === `user: ${text}`);
  return found?.type === 'message' ? (found._meta?.messageId ?? '') : '';
}
