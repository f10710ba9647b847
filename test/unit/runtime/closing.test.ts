import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { answer, message, testTool } from '../../support/conversation.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';

describe('Closing a session while it works', () => {
  const agent = useAgent();

  it('lets no tool change a file that could not be brought back', async () => {
    const path = join(agent.workspace, 'notes.txt');
    const door = gate();
    const ended = gate();
    const write = testTool('write', 'edit', async (_args, { writeFile }) => {
      await door.pass(new AbortController().signal);
      try {
        await writeFile(path, Buffer.from('late'));
      } finally {
        void ended.pass(AbortSignal.abort());
      }
      return { content: 'written' };
    });
    agent.endpoint.reply(call('write', {}));
    const service = agent.open([write]);
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
    });
    await session.send(message('go'));
    await door.reached;
    const closing = service.dispose();
    door.open();
    await closing;
    await ended.reached;
    const { records } = (await service.library?.read(idOf(session))) ?? assert.fail();
    const recorded = records.some(({ type }) => type === 'file_change');
    const written = await readFile(path, 'utf8').catch(() => undefined);
    assert.equal(written !== undefined, recorded);
    assert.equal(written, undefined);
  });

  it('lets nobody believe that a message was taken which came too late', async () => {
    const door = gate();
    agent.endpoint.reply(pause(door));
    const service = agent.open();
    const session = await service.createSession();
    await session.send(message('go'));
    await door.reached;
    const closing = service.closeSession(idOf(session));
    const isBadInput = (error: unknown): boolean => ProblemError.is(error, 'bad-input');
    await assert.rejects(session.send(message('meanwhile')), isBadInput);
    await closing;
    await assert.rejects(session.send(message('afterwards')), isBadInput);
  });
});
