import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { GantryApi } from '../../../extension/protocol/agent/gantry-api.ts';
import { publicApi } from '../../../extension/vscode/public-api.ts';
import { idOf, useAgent } from '../../support/agent.ts';

describe('Another extension', () => {
  const agent = useAgent();

  function api(confirms: boolean): { api: GantryApi; asked: string[]; modeOf: (id: string) => string } {
    const service = agent.open();
    const asked: string[] = [];
    const confirm = async (why: string): Promise<boolean> => {
      asked.push(why);
      return confirms;
    };
    const made = publicApi('0', { load: async () => service }, confirm, () => undefined);
    return { api: made, asked, modeOf: (id) => service.session(id).approvalMode };
  }

  it('gets no session in which everything runs, and cannot change to it, unless the user says so', async () => {
    agent.endpoint.reply('Hello.');
    const { api: refused, asked, modeOf } = api(false);
    await assert.rejects(refused.createSession({ approvalMode: 'yolo' }), /did not allow/);
    const session = await refused.createSession({ approvalMode: 'autoEdit' });
    await session.send({ message: { content: [{ type: 'text', text: 'Hi' }] } });
    await assert.rejects(session.send({ update: { config: { approvalMode: 'yolo' } } }), /did not allow/);
    assert.equal(modeOf(idOf(session)), 'autoEdit');
    assert.equal(asked.length, 2);
  });

  it('cannot change what it asked for once that was looked at', async () => {
    agent.endpoint.reply('Hello.');
    const { api: refused, modeOf } = api(false);
    const options: { approvalMode: 'default' | 'yolo' } = { approvalMode: 'default' };
    const created = refused.createSession(options);
    options.approvalMode = 'yolo';
    const session = await created;
    await session.send({ message: { content: [{ type: 'text', text: 'Hi' }] } });
    assert.equal(modeOf(idOf(session)), 'default');
    const config = { approvalMode: 'autoEdit' };
    const sent = session.send({ update: { config } });
    config.approvalMode = 'yolo';
    await sent;
    assert.equal(modeOf(idOf(session)), 'autoEdit');
    let looks = 0;
    const fickle = Object.defineProperty({}, 'approvalMode', {
      enumerable: true,
      get: () => (looks++ === 0 ? 'default' : 'yolo'),
    });
    await session.send({ update: { config: fickle } });
    assert.equal(modeOf(idOf(session)), 'default');
  });

  it('gets one when the user says so', async () => {
    agent.endpoint.reply('Hello.');
    const { api: allowed, modeOf } = api(true);
    const session = await allowed.createSession({ approvalMode: 'yolo' });
    await session.send({ message: { content: [{ type: 'text', text: 'Hi' }] } });
    assert.equal(modeOf(idOf(session)), 'yolo');
  });
});
