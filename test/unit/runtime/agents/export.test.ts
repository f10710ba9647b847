import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { idOf, untilAsked, useAgent } from '../../../support/agent.ts';
import { all, message } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { invoke, report, Subagents, threadsOf } from '../../../support/subagents.ts';

describe('An exported conversation with agents', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);

  async function worked(): Promise<{ readonly service: AgentService; readonly session: AgentSession }> {
    await agents.define('outer', 'tools: [invoke_agent, read_file]');
    await agents.define('scout', 'tools: [read_file]');
    agents.script('Go', invoke('outer', 'Organise'), 'Thanks.');
    agents.script('Organise', ['I hand it on. ', invoke('scout', 'Look')], report('Organised.'));
    agents.script('Look', ['Here: </details> PASSWORD=hunter2 ', call('read_file')], report('Found.'));
    const service = agents.open();
    const session = await service.createSession();
    await all(session, message('Go'));
    return { service, session };
  }

  async function exported(
    { library }: AgentService,
    session: AgentSession,
    format: 'markdown' | 'json',
  ): Promise<string> {
    assert.ok(library);
    return library.export(idOf(session), format);
  }

  it('has what each of them was asked and did, below the call that it worked for', async () => {
    const { service, session } = await worked();
    const text = await exported(service, session, 'markdown');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.includes(' · '));
    assert.deepEqual(lines, [
      'Go',
      '- **Invoke Agent** `Organise` – done',
      '<details>',
      '<summary>Thread of outer</summary>',
      '> Organise',
      'I hand it on.',
      '- **Invoke Agent** `Look` – done',
      '<details>',
      '<summary>Thread of scout</summary>',
      '> Look',
      'Here: &lt;/details> PASSWORD=[redacted]',
      '- **read_file** `read_file`',
      '> 1 secret was removed before sending (password in an answer)',
      '- **Complete Task** `Found.` – done',
      '</details>',
      '- **Complete Task** `Organised.` – done',
      '</details>',
      'Thanks.',
    ]);
  });

  it('has the records of each of them in JSON', async () => {
    const { service, session } = await worked();
    const text = await exported(service, session, 'json');
    assert.doesNotMatch(text, /hunter2/);
    const { threads } = JSON.parse(text);
    const [outer, scout] = threadsOf(session);
    assert.deepEqual(
      threads.map(({ session: { id, agent: name, parent } }: ExportedThread) => [id, name, parent.sessionId]),
      [
        [outer, 'outer', idOf(session)],
        [scout, 'scout', outer],
      ],
    );
    for (const { records } of threads) assert.equal(records.at(-1).type, 'run_ended');
  });

  it('shows in a page what they did last', async () => {
    const { service, session } = await worked();
    const replay = await service.library?.replay(idOf(session));
    const card = replay?.entries.find(({ kind }) => kind === 'tool');
    assert.ok(card?.kind === 'tool' && card.agent);
    assert.deepEqual(
      [card.agent.name, card.agent.steps.map(({ name, status }) => `${name} ${status}`)],
      ['outer', ['invoke_agent success', 'complete_task success']],
    );
  });

  it('names the session of one that no longer exists', async () => {
    const { service, session } = await worked();
    const [outer = ''] = threadsOf(session);
    await rm(join(agent.sessions, outer), { recursive: true });
    assert.match(
      await exported(service, session, 'markdown'),
      new RegExp(`\\n> The thread of the agent, session \`${outer}\`, cannot be read any more\\.\\n`),
    );
    assert.deepEqual(JSON.parse(await exported(service, session, 'json')).threads, [
      { session: { id: outer }, missing: true },
    ]);
  });

  it('has what is there of one that still waits', async () => {
    await agents.define('smith', 'tools: [write_file]');
    agents.script('Go', invoke('smith', 'Forge'), 'Thanks.');
    agents.script('Forge', ['I begin. ', call('write_file')], report('Forged.'));
    const service = agents.open();
    const session = await service.createSession();
    void session.send(message('Go'));
    await untilAsked(session);
    assert.match(
      await exported(service, session, 'markdown'),
      /<summary>Thread of smith<\/summary>\n\n> Forge\n\nI begin\./,
    );
    assert.doesNotMatch(JSON.stringify(await service.library?.replay(idOf(session))), /"waits":true|"running"/);
  });
});

interface ExportedThread {
  readonly session: { readonly id: string; readonly agent: string; readonly parent: { readonly sessionId: string } };
}
