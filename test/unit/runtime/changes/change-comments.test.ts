import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Tool } from '../../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import type { AgentService } from '../../../../extension/runtime/agent-service.ts';
import type { ChangeComments } from '../../../../extension/runtime/changes/change-comments.ts';
import { idOf, useAgent } from '../../../support/agent.ts';
import { all, message, testTool } from '../../../support/conversation.ts';
import { deferred } from '../../../support/deferred.ts';
import { call } from '../../../support/gemini/script.ts';
import { eventually } from '../../../support/poll.ts';

describe('A comment on a change that was made already', () => {
  const agent = useAgent();
  const notes = (): string => join(agent.workspace, 'notes.txt');

  /** Named as one that rules allow in autoEdit. */
  function write(until: Promise<void> = Promise.resolve()): Tool {
    return testTool('replace', 'edit', async (_args, { writeFile: put }) => {
      await put(notes(), Buffer.from('2\n'));
      await until;
      return { content: 'written' };
    });
  }

  async function edited(): Promise<[AgentService, AgentSession]> {
    await writeFile(notes(), 'two\n');
    const service = agent.open([write()], { approvalMode: 'autoEdit' });
    const session = await service.createSession();
    agent.endpoint.reply(call('replace', {}));
    agent.endpoint.reply('done');
    await all(session, message('go'));
    return [service, session];
  }

  const commentsOf = (service: AgentService, session: AgentSession): ChangeComments =>
    service.session(idOf(session)).changes.comments;
  const comment = (id: string, text: string) => ({
    id,
    path: notes(),
    start: 0,
    end: 0,
    text,
    feedback: `notes.txt, line 1:\n> 2\n${text}`,
  });
  const idsIn = ({ waiting }: ChangeComments): string[] => waiting.map(({ id }) => id);
  const sent = (): string => JSON.stringify(agent.endpoint.requests.at(-1)?.contents);
  async function say(session: AgentSession, text: string): Promise<string> {
    agent.endpoint.reply('I see.');
    await all(session, message(text));
    return sent();
  }

  it('goes before the next message, with its place and lines, and once', async () => {
    const [service, session] = await edited();
    const comments = commentsOf(service, session);
    let told = 0;
    comments.onDidChange(() => told++);
    comments.add(comment('1', 'Roman, please'));
    comments.add(comment('2', 'Really'));
    assert.deepEqual([idsIn(comments), told], [['1', '2'], 2]);
    assert.match(
      await say(session, 'Go on'),
      /commented on one of them:\\nnotes\.txt, line 1:\\n> 2\\nRoman, please.*Really.*Go on/,
    );
    assert.deepEqual([idsIn(comments), told > 2], [[], true]);
    assert.equal((await say(session, 'And on')).match(/Roman, please/g)?.length, 1);
  });

  it('waits through a restart, and is not sent again after another one', async () => {
    const [service, session] = await edited();
    commentsOf(service, session).add(comment('1', 'Roman, please'));
    await service.dispose();
    const next = agent.open([write()]);
    const again = await next.resumeSession(idOf(session));
    assert.deepEqual(idsIn(commentsOf(next, again)), ['1']);
    assert.match(await say(again, 'Go on'), /Roman, please/);
    await next.dispose();
    const last = agent.open([write()]);
    const later = await last.resumeSession(idOf(session));
    assert.deepEqual(idsIn(commentsOf(last, later)), []);
    assert.equal((await say(later, 'And on')).match(/Roman, please/g)?.length, 1);
  });

  it('that is taken back is not sent, and one that was sent cannot be taken back', async () => {
    const [service, session] = await edited();
    const comments = commentsOf(service, session);
    comments.add(comment('1', 'Roman, please'));
    comments.add(comment('2', 'Arabic is fine'));
    comments.withdraw('1');
    assert.deepEqual(idsIn(comments), ['2']);
    const told = await say(session, 'Go on');
    assert.doesNotMatch(told, /Roman/);
    assert.match(told, /Arabic is fine/);
    comments.withdraw('2');
    assert.match(await say(session, 'And on'), /Arabic is fine/);
  });

  it('goes with the next step of a run that is on', async () => {
    await writeFile(notes(), 'two\n');
    const hold = deferred<void>();
    const service = agent.open([write(hold.promise)], { approvalMode: 'autoEdit' });
    const session = await service.createSession();
    agent.endpoint.reply(call('replace', {}));
    agent.endpoint.reply('I see.');
    const running = all(session, message('go'));
    await eventually('the change', () => service.session(idOf(session)).changes.list.length === 1, { intervalMs: 10 });
    commentsOf(service, session).add(comment('1', 'Roman, please'));
    hold.resolve();
    await running;
    assert.match(sent(), /Roman, please/);
    assert.deepEqual(idsIn(commentsOf(service, session)), []);
  });

  it('outlives a rewind when nobody has heard it', async () => {
    const [service, session] = await edited();
    commentsOf(service, session).add(comment('1', 'Roman, please'));
    const first = session.events.find((event) => event.type === 'message' && event.role === 'user');
    const messageId = String(first?.type === 'message' ? first._meta?.['messageId'] : '');
    await service.session(idOf(session)).rewind.rewind({ messageId, what: 'conversation' });
    assert.deepEqual(idsIn(commentsOf(service, session)), ['1']);
    assert.match(await say(session, 'Anew'), /Roman, please/);
  });

  it('is refused on a file that the conversation did not change', async () => {
    const [service, session] = await edited();
    const other = { ...comment('1', 'Why?'), path: join(agent.workspace, 'other.txt') };
    assert.throws(
      () => commentsOf(service, session).add(other),
      (error) => ProblemError.is(error, 'bad-input'),
    );
  });
});
