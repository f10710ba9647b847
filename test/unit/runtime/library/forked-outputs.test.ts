import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Tool } from '../../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { forkedOutputs } from '../../../../extension/runtime/library/new-session.ts';
import { createReadFileTool } from '../../../../extension/tools/files/read-file.ts';
import { idOf, useAgent } from '../../../support/agent.ts';
import { all, message, testTool } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';

const LONG = Array.from({ length: 9000 }, (_, at) => `Line ${at} says something.\n`).join('');
const long: Tool = { ...testTool('look', 'read', () => Promise.resolve({ content: LONG })), longOutput: true };

describe('A copy of a session', () => {
  const agent = useAgent();

  /** What the last request says of where the first output is. */
  const fileNamed = (): string => {
    const sent = JSON.stringify(agent.endpoint.requests.at(-1)?.contents);
    return /The whole output is in ([^\]]+)\]/.exec(sent)?.[1] ?? '';
  };
  async function ask(session: AgentSession, text: string, ...calls: string[]): Promise<void> {
    for (const name of calls) agent.endpoint.reply(call(name, {}));
    agent.endpoint.reply('Seen.');
    await all(session, message(text));
  }

  it('has the outputs that it speaks of, also when the other one is gone', async () => {
    const service = agent.open([long, createReadFileTool()]);
    const session = await service.createSession();
    await ask(session, 'first', 'look');
    const theirs = fileNamed();
    await ask(session, 'second', 'look');
    const second = session.events.findLast((event) => event.type === 'message' && event.role === 'user');
    const fork = await service.forkSession(idOf(session), String(second?._meta?.['messageId']));
    await service.closeSession(idOf(session));
    await service.library?.delete(idOf(session));
    await service.library?.store.emptyTrash(-1);

    agent.endpoint.reply('Fine.');
    await all(fork, message('And now?'));
    const mine = fileNamed();
    assert.ok(mine.startsWith(join(agent.sessions, idOf(fork), 'outputs')) && mine !== theirs);
    assert.deepEqual(await readdir(join(agent.sessions, idOf(fork), 'outputs')), [mine.split('/').at(-1)]);
    agent.endpoint.reply(call('read_file', { file_path: mine, start_line: 4000, end_line: 4001 }));
    await ask(fork, 'Read it');
    const answer = agent.endpoint.requests.at(-1)?.contents.at(-1)?.parts?.[0]?.functionResponse?.response;
    assert.match(String(answer?.['output']), /Line 3999 says something/);
  });

  it('has no files of names that lead elsewhere', () => {
    const [from, to] = [join('/s', 'one', 'outputs'), join('/s', 'two', 'outputs')];
    const at = '2026-03-01T10:00:00.000Z';
    const title = (text: string) => ({ type: 'title', at, title: text, by: 'user' }) as const;
    const texts = [`${from}/a_1.txt, ${from}/b.log.`, `${from}/../../x`, `${from}/.hidden`, '/s/one/outputsx/y'];
    const { records, names } = forkedOutputs(texts.map(title), from, to);
    assert.deepEqual(names, ['a_1.txt', 'b.log']);
    assert.deepEqual(
      records.map((record) => (record.type === 'title' ? record.title : '')),
      [`${to}/a_1.txt, ${to}/b.log.`, `${to}/../../x`, `${to}/.hidden`, '/s/one/outputsx/y'],
    );
  });
});
