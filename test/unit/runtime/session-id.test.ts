import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';

describe('The id of a session', () => {
  const agent = useAgent();

  it('is known before anything happened in it, and is the one that it has then', async () => {
    const service = agent.open([]);
    const session = await service.createSession();
    const id = session.id;
    assert.ok(service.isOpen(id));
    assert.deepEqual(await service.session(id).knowledge.memory.refresh(), []);
    agent.endpoint.reply('Hello.');
    await all(session, message('Hi'));
    assert.equal(idOf(session), id);
  });

  it('opens no session that is closed', async () => {
    const service = agent.open([]);
    const session = await service.createSession();
    await service.closeSession(session.id);
    assert.ok(!service.isOpen(session.id));
    await assert.rejects(service.runUserCommand(session, 'true'));
  });
});
