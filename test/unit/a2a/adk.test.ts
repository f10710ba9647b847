import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import type { A2aServer } from '../../support/a2a-server.ts';
import { useA2a } from '../../support/a2a-suite.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';
import { type AdkCaller, startAdkCaller } from '../../support/remote-agents/adk-process.ts';

const ask = call('ask_user', { questions: [{ question: 'Which color?', header: 'Color', type: 'text' }] });

describe("ADK's RemoteA2AAgent, in a process of its own, at a server in another", () => {
  // ADK takes seconds to load on a busy machine, so the tests share its process.
  const suite = useA2a({ isShared: true });
  let server: A2aServer;
  let adk: AdkCaller;
  before(async () => {
    server = await suite.start();
    adk = await startAdkCaller(server.url, server.token);
  });
  beforeEach(() => adk.begin());
  after(() => adk.dispose());

  it('gets the answer, and continues the same session', async () => {
    suite.endpoint.reply('Hello', ' from here.');
    suite.endpoint.reply('Again.');
    const first = await adk.say('Hi');
    assert.deepEqual([first.errors, first.states.at(-1)], [[], 'completed']);
    assert.match(first.text, /Hello from here\./);
    assert.match((await adk.say('And now?')).text, /Again\./);
    const [, second] = suite.endpoint.requests;
    assert.match(JSON.stringify(second?.body), /"role":"model"/);
    assert.match(JSON.stringify(second?.body), /Hello from here/);
  });

  it('has a tool called', async () => {
    suite.endpoint.reply(call('read_file', { file_path: 'note.txt' }));
    suite.endpoint.reply('It is 42.');
    const { text, states } = await adk.say('What is the answer?');
    assert.match(text, /It is 42\./);
    assert.equal(states.at(-1), 'completed');
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.toolResults), /The answer is 42/);
  });

  it('answers a question, and its task goes on', async () => {
    suite.endpoint.reply(ask);
    suite.endpoint.reply('Blue it is.');
    assert.equal((await adk.say('Paint it.')).states.at(-1), 'input-required');
    const { text, states, errors } = await adk.say('Blue');
    assert.deepEqual(errors, []);
    assert.match(text, /Blue it is\./);
    assert.equal(states.at(-1), 'completed');
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.toolResults), /Blue/);
  });

  it('cannot approve a call with words, and ends with a cancel', async () => {
    suite.endpoint.reply(call('write_file', { file_path: 'new.txt', content: 'New.' }));
    const asked = await adk.say('Write it.');
    assert.equal(asked.states.at(-1), 'input-required');
    const { error } = await server.rpc('CancelTask', { id: asked.task });
    assert.equal(error, undefined);
    await assert.rejects(access(join(suite.workspace, 'new.txt')));
    assert.equal((await server.rpc('CancelTask', { id: asked.task })).error?.code, -32002);
  });

  it('hears that a task was canceled while it works', async () => {
    const door = gate();
    suite.endpoint.reply('One', pause(door), ' two.');
    const saying = adk.say('Count.');
    await door.reached;
    await server.rpc('CancelTask', { id: await adk.task() });
    door.open();
    assert.equal((await saying).states.at(-1), 'canceled');
  });
});
