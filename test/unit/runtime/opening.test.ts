import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message, outline } from '../../support/conversation.ts';

describe('Opening a session', () => {
  const agent = useAgent();

  async function store(id: string, lines: readonly object[]): Promise<void> {
    const header = { type: 'session', version: 1, id, workspace: '' };
    const at = new Date(0).toISOString();
    await mkdir(join(agent.sessions, id));
    const text = [header, ...lines].map((line) => `${JSON.stringify({ ...line, at })}\n`).join('');
    await writeFile(join(agent.sessions, id, 'log.jsonl'), text);
  }

  it('twice at once gives nobody a session that is not ready', async () => {
    const parts = [{ functionCall: { id: 'c', name: 'write', args: {} } }];
    await store('cut', [
      { type: 'sent', streamId: 's' },
      { type: 'run_started' },
      { type: 'event', event: { id: 'e', author: 'gantry', content: { role: 'model', parts } } },
      // Looking whether it was made takes a moment.
      { type: 'file_change', path: join(agent.workspace, 'a.txt'), before: null, after: 'x', callId: 'c' },
    ]);
    const service = agent.open();
    const first = service.resumeSession('cut');
    while (!service.isOpen('cut')) await tick();
    assert.equal(outline((await service.resumeSession('cut')).events).at(-1), 'agent_end aborted');
    await first;
  });

  it('waits for the same one to be closed', async () => {
    agent.endpoint.reply('Hello.');
    const service = agent.open();
    const session = await service.createSession();
    await all(session, message('Hi'));
    const closing = service.closeSession(idOf(session));
    const again = await service.resumeSession(idOf(session));
    await closing;
    assert.notEqual(again, session);
    assert.equal(service.holderOf(idOf(session)), undefined);
  });

  it('whose folder was copied by hand leaves the other one alone', async () => {
    agent.endpoint.reply('Hello.');
    const service = agent.open();
    const session = await service.createSession();
    await all(session, message('Hi'));
    await cp(join(agent.sessions, idOf(session)), join(agent.sessions, 'copy'), { recursive: true });
    const copy = await service.resumeSession('copy');
    assert.equal(idOf(copy), 'copy');
    assert.ok(service.isOpen('copy'));
    assert.equal(await service.resumeSession(idOf(session)), session);
  });

  it('that fails leaves it free for the next try', async () => {
    let broken = true;
    const service = agent.open([], {}, { clock: { now: () => (broken ? Number.NaN : Date.now()) } });
    await store('late', [{ type: 'sent', streamId: 's' }, { type: 'run_started' }]);
    await assert.rejects(service.resumeSession('late'), (error) => ProblemError.is(error, 'session-unreadable'));
    assert.equal(service.isOpen('late'), false);
    broken = false;
    await service.resumeSession('late');
    assert.equal(service.holderOf('late'), undefined);
  });
});
