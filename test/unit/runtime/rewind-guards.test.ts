import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, allowFirst, message, testTool, until } from '../../support/conversation.ts';
import { cut } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';

describe('Going back', () => {
  const agent = useAgent();

  /** A message waits for the next request of a run that failed. */
  async function withWaitingMessage(service: AgentService): Promise<AgentSession> {
    const door = gate();
    agent.endpoint.reply(pause(door), cut());
    agent.endpoint.always(cut());
    const session = await service.createSession();
    await session.send(message('first'));
    await door.reached;
    await session.send(message('and also this'));
    door.open();
    await until(session, 'agent_end failed');
    return session;
  }

  it('takes along messages that waited, so that none is said unseen', async () => {
    const service = agent.open();
    const session = await withWaitingMessage(service);
    await service.session(idOf(session)).rewind.rewind({ messageId: firstMessage(session), what: 'conversation' });
    agent.endpoint.reply('ok');
    await all(session, message('something else'));
    assert.doesNotMatch(JSON.stringify(agent.endpoint.requests.at(-1)?.contents), /and also this/);
  });

  it('brings them back when it is undone', async () => {
    const service = agent.open();
    const session = await withWaitingMessage(service);
    const before = textsOf(session);
    const rewind = service.session(idOf(session)).rewind;
    await rewind.rewind({ messageId: firstMessage(session), what: 'conversation' });
    await rewind.undo();
    assert.deepEqual(textsOf(session), before);
    agent.endpoint.reply('ok');
    await all(session, { action: { type: 'retry', data: undefined } });
    assert.match(JSON.stringify(agent.endpoint.requests.at(-1)?.contents), /first.*and also this/);
  });

  it('is off where nothing can be stored, which is said once, and files change all the same', async () => {
    const blocked = join(agent.workspace, 'blocked');
    await writeFile(blocked, 'in the way of the folder of sessions');
    const paths = ['a.txt', 'b.txt'].map((name) => join(agent.workspace, name));
    for (const path of paths) await writeFile(path, 'old');
    const write = testTool('write', 'edit', async (_args, tool) => {
      for (const path of paths) await tool.writeFile(path, Buffer.from('new'));
      return { content: 'written' };
    });
    agent.endpoint.reply(call('write', {}));
    agent.endpoint.reply('done');
    const service = agent.open([write], { sessions: join(blocked, 'sessions') });
    const session = await service.createSession();
    const titles: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') titles.push(event._meta?.problem?.title ?? '');
    });
    const run = all(session, message('first'));
    await allowFirst(session);
    await run;
    assert.deepEqual(titles, ['This conversation is not being saved', 'File changes cannot be rewound']);
    for (const path of paths) assert.equal(await readFile(path, 'utf8'), 'new');
    const steps = await service.session(idOf(session)).rewind.preview(firstMessage(session));
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      ['lost', 'lost'],
    );
  });

  it('lets a message that comes meanwhile wait until the files are back', async () => {
    const path = join(agent.workspace, 'notes.txt');
    const write = testTool('write', 'edit', async (_args, { writeFile }) => {
      await writeFile(path, Buffer.from('new'));
      return { content: 'written' };
    });
    agent.endpoint.reply(call('write', {}));
    agent.endpoint.reply('done');
    const service = agent.open([write]);
    const session = await service.createSession();
    const run = all(session, message('first'));
    await allowFirst(session);
    await run;
    const rewind = service.session(idOf(session)).rewind;
    const going = rewind.rewind({ messageId: firstMessage(session), what: 'both' });
    await assert.rejects(rewind.undo(), (error) => ProblemError.is(error, 'bad-input'));
    let back = false;
    void going.then(() => {
      back = true;
    });
    agent.endpoint.reply('ok');
    await all(session, message('next'));
    assert.ok(back);
    assert.doesNotMatch(JSON.stringify(agent.endpoint.requests.at(-1)?.contents), /first/);
    await assert.rejects(readFile(path), { code: 'ENOENT' });
  });

  it('changes nothing where the session can only be read', async () => {
    agent.endpoint.reply('ok');
    const session = await agent.open().createSession();
    await all(session, message('first'));
    await until(session, 'session_update A title');
    const reader = agent.open();
    const read = await reader.resumeSession(idOf(session));
    const going = reader.session(idOf(session)).rewind.rewind({ messageId: firstMessage(session), what: 'both' });
    await assert.rejects(going, (error) => ProblemError.is(error, 'session-locked'));
    assert.deepEqual(read.events, session.events);
  });
});

function firstMessage({ events }: AgentSession): string {
  const first = events.find((event) => event.type === 'message');
  return first?._meta?.messageId ?? '';
}

function textsOf({ events }: AgentSession): string[] {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript.entries.flatMap((entry) => (entry.kind === 'user' ? entry.text : []));
}
