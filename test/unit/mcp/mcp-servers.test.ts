import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';
import type { Progress } from '../../../extension/mcp/connection-types.ts';
import { untilState } from '../../support/mcp/servers.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { callTool as call, NEVER, named, ready, saidIn as textOf, useMcpServers } from '../../support/mcp/suite.ts';
import { eventually } from '../../support/poll.ts';
import { isRunning, untilEnded } from '../../support/running.ts';

const suite = useMcpServers();
const { open, site, counted, starts } = suite;

describe('An MCP server', () => {
  const ways: Record<string, () => Promise<unknown>> = {
    'over stdio': () => Promise.resolve(stdio('good')),
    'over HTTP': async () => ({ httpUrl: (await site()).url }),
    'over HTTP with plain answers': async () => ({ httpUrl: (await site({ asJson: true })).url }),
    'over events': async () => ({ url: (await site({ onlyEvents: true })).url, type: 'sse' }),
    'that turns out to speak only events': async () => ({ url: (await site({ onlyEvents: true })).url }),
  };
  for (const [way, definition] of Object.entries(ways)) {
    it(`${way} tells what it has and does it, on one connection`, async () => {
      const server = await ready(await open({ s: await definition() }));
      assert.ok(server.offer.tools.some(({ name }) => name === 'echo'));
      assert.deepEqual(
        server.offer.prompts.map((prompt) => [prompt.name, prompt.arguments]),
        [
          ['greet', [{ name: 'who', description: 'Whom', required: true }]],
          ['obey', []],
        ],
      );
      assert.deepEqual(
        server.offer.resources.map(({ uri }) => uri),
        ['note://readme'],
      );
      assert.equal(server.instructions, 'Be kind.');
      assert.equal(textOf(await call(server, 'echo', { text: 'hi' })), 'hi');
      assert.equal(textOf(await call(server, 'count')), '1');
      assert.equal(textOf(await call(server, 'count')), '2');
      assert.match(JSON.stringify(await server.readResource('note://readme', NEVER)), /Read me\./);
      assert.match(JSON.stringify(await server.getPrompt('greet', { who: 'Ann' }, NEVER)), /hello to Ann/);
    });
  }

  it('is one process for all calls, and goes with its owner', async () => {
    const test = await open({ s: counted('good') });
    const server = await ready(test);
    await Promise.all([call(server, 'count'), call(server, 'count')]);
    await test.servers.refresh();
    const [pid, ...others] = await starts();
    assert.deepEqual(others, []);
    assert.ok(pid !== undefined && isRunning(pid));
    await test.servers.dispose();
    await untilEnded(pid);
  });

  it('that ends neither by itself nor when asked is ended', async () => {
    const test = await open({ s: counted('stubborn') });
    await ready(test);
    const [pid = 0] = await starts();
    await test.servers.dispose();
    await untilEnded(pid);
  });

  it('gets its own variables and none of ours', async () => {
    const environment = { GEMINI_API_KEY: 'secret', NODE_OPTIONS: '--no-warnings', TOKEN_OF_MINE: 't' };
    const server = await ready(
      await open({ s: stdio('good', { env: { OWN: `$TOKEN_OF_MINE`, TWO: 'x' } }) }, { environment }),
    );
    const seen = async (name: string) => textOf(await call(server, 'environment', { name }));
    assert.deepEqual(await Promise.all(['OWN', 'TWO', 'GEMINI_API_KEY', 'NODE_OPTIONS'].map(seen)), [
      't',
      'x',
      'not set',
      'not set',
    ]);
    assert.equal(textOf(await call(server, 'folder')), suite.folder);
  });

  it('gets the headers that were written for it', async () => {
    const { url, headers } = await site();
    await ready(await open({ s: { httpUrl: url, headers: { 'X-Key': '$KEY' } } }, { environment: { KEY: 'k' } }));
    assert.ok(headers.every((each) => each['x-key'] === 'k'));
  });

  it('knows the open folders', async () => {
    const server = await ready(await open({ s: { httpUrl: (await site()).url } }));
    assert.equal(textOf(await call(server, 'roots')), JSON.stringify([{ uri: pathToFileURL(suite.folder).href }]));
  });

  it('tells how far it is', async () => {
    const server = await ready(await open({ s: { httpUrl: (await site()).url } }));
    const seen: Progress[] = [];
    await server.callTool('slow', { steps: 3 }, { signal: NEVER, onProgress: (progress) => seen.push(progress) });
    assert.deepEqual(
      seen.map(({ progress, total, message }) => [progress, total, message]),
      [
        [1, 3, 'step 1'],
        [2, 3, 'step 2'],
        [3, 3, 'step 3'],
      ],
    );
  });

  it('is told that nobody waits any more, at once', async () => {
    const test = await open({ s: stdio('good') });
    const server = await ready(test);
    const stop = new AbortController();
    const slow = server.callTool('slow', { steps: 10_000 }, { signal: stop.signal, onProgress: () => stop.abort() });
    assert.equal(textOf(await slow), 'cancelled: Cancelled.');
    await eventually('the server to stop', () => test.log.some((line) => line.includes('slow was cancelled')));
    assert.equal(textOf(await call(server, 'count')), '1');
  });

  it('writes to the log what it wants people to know', async () => {
    const test = await open({ s: stdio('good') });
    await call(await ready(test), 'log');
    await eventually('the line', () => test.log.includes('[mcp s] warning: Something is odd.'));
  });

  it('may change its tools while one of them runs', async () => {
    const test = await open({ s: stdio('good') });
    const server = await ready(test);
    const has = () => server.offer.tools.some(({ name }) => name === 'added');
    assert.equal(has(), false);
    assert.equal(textOf(await call(server, 'swap')), 'swapped');
    await eventually('the new tool', has);
    assert.equal(textOf(await call(server, 'added')), 'I am new.');
    // Not asked again before a moment has passed.
    await call(server, 'swap');
    await eventually('a wait', () => test.waits.some(({ ms }) => ms === 500));
    assert.equal(has(), true);
    for (const { ring } of test.waits) ring();
    await eventually('the tool to go', () => !has());
  });

  it('asks a person only in the middle of a call', async () => {
    const server = await ready(await open({ s: { httpUrl: (await site()).url } }));
    assert.equal(textOf(await call(server, 'ask')), '{"action":"decline"}');
    const answer = await server.callTool('ask', {}, { signal: NEVER }, ({ message, schema }) => {
      assert.equal(message, 'Which colour?');
      assert.deepEqual(schema['required'], ['colour']);
      return Promise.resolve({ action: 'accept', content: { colour: 'red' } });
    });
    assert.equal(textOf(answer), '{"action":"accept","content":{"colour":"red"}}');
  });
});

describe('A bad MCP server', () => {
  it('that writes garbage between its messages is understood', async () => {
    const test = await open({ s: stdio('garbage') });
    assert.equal(textOf(await call(await ready(test), 'echo', { text: 'hi' })), 'hi');
    assert.ok(test.log.some((line) => line.includes('Welcome to my server!')));
  });

  for (const manner of ['hangs', 'only-garbage']) {
    it(`that ${manner} fails in time and holds up nothing`, async () => {
      const test = await open({ s: counted(manner, { timeout: 300 }), good: stdio('good') });
      assert.equal(textOf(await call(await ready(test, 'good'), 'count')), '1');
      await untilState(test.servers, 's', 'failed');
      const { state } = named(test, 's');
      assert.match(state.kind === 'failed' ? state.reason : '', /timed out/);
      const [pid = 0] = await starts();
      await untilEnded(pid);
    });
  }

  it('that does not start says why, is tried again a few times and then left alone', async () => {
    const test = await open({ s: counted('exits') });
    const waited: number[] = [];
    for (;;) {
      await untilState(test.servers, 's', 'failed');
      const wait = test.waits.shift();
      if (!wait) break;
      waited.push(wait.ms);
      wait.ring();
      await untilState(test.servers, 's', 'starting');
    }
    assert.deepEqual(waited, [1000, 2000, 4000, 8000, 16000]);
    assert.equal((await starts()).length, 6);
    const { state } = named(test, 's');
    assert.deepEqual(state.kind === 'failed' && state.retries, false);
    assert.match(state.kind === 'failed' ? state.reason : '', /exit code 7.*no configuration found/s);
    assert.match(textOf(await call(named(test, 's'), 'count')), /closed: .*does not run/);
    assert.equal((await starts()).length, 6);
  });

  it('that is not there at all says so', async () => {
    const test = await open({ s: { command: 'there-is-no-such-program' }, web: { httpUrl: 'http://127.0.0.1:1/mcp' } });
    await untilState(test.servers, 's', 'failed');
    await untilState(test.servers, 'web', 'failed');
    const reason = (name: string): string => {
      const { state } = named(test, name);
      return state.kind === 'failed' ? state.reason : '';
    };
    assert.match(reason('s'), /^There is no program /);
    assert.notEqual(reason('web'), '');
  });

  it('that answers with 20 MB loses that answer and nothing else', async () => {
    const test = await open({ s: counted('good') });
    const server = await ready(test);
    const [huge, echoed] = await Promise.all([
      call(server, 'huge', { megabytes: 20 }),
      call(server, 'echo', { text: 'hi' }),
    ]);
    assert.match(textOf(huge), /larger than 16 MB/);
    assert.equal(textOf(echoed), 'hi');
    assert.equal(textOf(await call(server, 'huge', { megabytes: 8 })).length, 8 * 1024 * 1024);
    assert.equal((await starts()).length, 1);
  });

  for (const asJson of [false, true]) {
    it(`that answers with 20 MB over HTTP loses that answer too (${asJson ? 'JSON' : 'events'})`, async () => {
      const server = await ready(await open({ s: { httpUrl: (await site({ asJson })).url } }));
      assert.match(textOf(await call(server, 'huge', { megabytes: 20 })), /larger than/);
      assert.equal(textOf(await call(server, 'count')), '1');
    });
  }

  it('that dies in a call is there again for the next one', async () => {
    const test = await open({ s: counted('good') });
    const server = await ready(test);
    assert.match(textOf(await call(server, 'die')), /^closed: It ended with exit code 3/);
    assert.equal(server.state.kind, 'failed');
    assert.ok(server.offer.tools.length > 0, 'its tools stay while it is started again');
    assert.equal(textOf(await call(server, 'count')), '1');
    assert.equal((await starts()).length, 2);
  });

  it('that has forgotten us is introduced to us again, and asked once more', async () => {
    const { url, forget } = await site();
    const server = await ready(await open({ s: { httpUrl: url } }));
    await call(server, 'count');
    forget();
    assert.equal(textOf(await call(server, 'count')), '1');
  });

  it('that takes too long is given up on for this call alone', async () => {
    const server = await ready(await open({ s: counted('good', { timeout: 1500 }) }));
    assert.match(textOf(await call(server, 'slow', { steps: 1000 })), /^timeout: /);
    assert.equal(textOf(await call(server, 'count')), '1');
    assert.equal((await starts()).length, 1);
  });
});

describe('The MCP servers of a window', () => {
  it('do not exist in Restricted Mode, and end when they are not wanted any more', async () => {
    const test = suite.create({ s: counted('good') });
    test.trusted = false;
    await test.servers.refresh();
    assert.deepEqual([test.servers.servers, test.servers.statuses, await starts()], [[], [], []]);
    test.trusted = true;
    await test.servers.refresh();
    await ready(test);
    const [pid = 0] = await starts();
    test.setting = {};
    await test.servers.refresh();
    assert.deepEqual(test.servers.servers, []);
    await untilEnded(pid);
  });

  it('are other ones when their definition changes, and the same when nothing does', async () => {
    const test = await open({ s: counted('good'), t: stdio('good') });
    const [s, t] = [await ready(test), await ready(test, 't')];
    test.setting = { s: counted('good', { env: { A: '1' } }), t: stdio('good') };
    await test.servers.refresh();
    assert.notEqual(await ready(test), s);
    assert.equal(named(test, 't'), t);
    assert.equal((await starts()).length, 2);
  });

  it('are not even started when they were turned off before, until they are turned on', async () => {
    const test = suite.create({ s: counted('good') });
    test.disabled = ['s'];
    await test.servers.refresh();
    assert.deepEqual([named(test, 's')?.state.kind, await starts()], ['disabled', []]);
    test.disabled = [];
    await test.servers.restart('s');
    assert.deepEqual([named(test, 's')?.state.kind, (await starts()).length], ['ready', 1]);
  });

  it('are off, on and started anew as the user wants', async () => {
    const test = await open({ s: counted('good') });
    const server = await ready(test);
    await test.servers.disable('s');
    assert.deepEqual(
      test.servers.statuses.map(({ state, tools }) => [state.kind, tools]),
      [['disabled', 0]],
    );
    assert.match(textOf(await call(server, 'count')), /is off/);
    await test.servers.refresh();
    assert.equal(server.state.kind, 'disabled');
    await test.servers.restart('s');
    assert.equal(textOf(await call(server, 'count')), '1');
    assert.equal((await starts()).length, 2);
  });

  it('require approval when they came with the folder', async () => {
    await mkdir(join(suite.folder, '.vscode'));
    await writeFile(join(suite.folder, '.vscode/mcp.json'), JSON.stringify({ servers: { s: counted('good') } }));
    const test = await open({});
    assert.deepEqual(
      test.servers.statuses.map(({ state }) => state.kind),
      ['waiting'],
    );
    assert.deepEqual([test.servers.servers, await starts()], [[], []]);
    await test.servers.accept(test.servers.statuses.map(({ definition }) => definition.hash));
    await ready(test);
  });

  it('are waited for as long as it is worth it', async () => {
    const test = await open({ s: stdio('good'), slow: stdio('hangs') });
    const settled = test.servers.settled(2000);
    await ready(test);
    const wait = await eventually('the limit', () => test.waits.find(({ ms }) => ms === 2000));
    wait.ring();
    await settled;
    assert.equal(named(test, 'slow').state.kind, 'starting');
  });
});
