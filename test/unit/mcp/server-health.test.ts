import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { untilState } from '../../support/mcp/servers.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { callTool, NEVER, named, ready, saidIn, useMcpServers } from '../../support/mcp/suite.ts';
import { untilEnded } from '../../support/running.ts';

const suite = useMcpServers();
const { open, site, counted, starts } = suite;

describe('The health of an MCP server', () => {
  it('is looked after: one that ends while nobody calls it is started again after a moment', async () => {
    const test = await open({ s: counted('good') });
    const server = await ready(test);
    const tools = test.servers.tools();
    const [pid = 0] = await starts();
    process.kill(pid, 'SIGKILL');
    await untilState(test.servers, 's', 'failed');
    assert.match(JSON.stringify(server.state), /ended by SIGKILL.*"retries":true/);
    assert.equal(test.servers.tools(), tools, 'what the model is offered does not come and go');
    const wait = test.waits.find(({ ms }) => ms === 1000);
    assert.ok(wait);
    wait.ring();
    await untilState(test.servers, 's', 'ready');
    assert.equal(saidIn(await callTool(server, 'count')), '1');
    assert.equal((await starts()).length, 2);
  });

  it('is asked for after a call without an answer: one that does not even answer that is started anew', async function () {
    // The question has five seconds.
    this.timeout(60_000);
    const test = await open({ s: counted('good', { timeout: 3000 }), other: stdio('good') });
    const [server, other] = [await ready(test), await ready(test, 'other')];
    const [pid = 0] = await starts();
    assert.match(saidIn(await callTool(server, 'freeze')), /^timeout: /);
    assert.equal(saidIn(await callTool(other, 'count')), '1');
    await untilState(test.servers, 's', 'failed');
    assert.match(JSON.stringify(server.state), /does not answer any more/);
    assert.equal(saidIn(await callTool(server, 'count')), '1');
    assert.equal((await starts()).length, 2);
    await untilEnded(pid);
  });

  it('is no matter of time as long as it tells how far it is', async () => {
    const server = await ready(await open({ s: stdio('good', { timeout: 1500 }) }));
    const slow = (onProgress?: () => void) =>
      server.callTool('slow', { seconds: 2 }, { signal: NEVER, ...(onProgress && { onProgress }) });
    assert.equal(saidIn(await slow(() => undefined)), 'done');
    assert.match(saidIn(await slow()), /^timeout: /);
  });
});

describe('A bad MCP server, further,', () => {
  it('that answers with 20 MB over server-sent events loses that answer', async () => {
    const definition = { url: (await site({ onlyEvents: true })).url, type: 'sse' };
    const test = await open({ s: definition, other: stdio('good') });
    const [server, other] = [await ready(test), await ready(test, 'other')];
    assert.match(saidIn(await callTool(server, 'huge', { megabytes: 20 })), /^closed: Its answer was too large/);
    assert.equal(saidIn(await callTool(other, 'count')), '1');
    assert.equal(saidIn(await callTool(server, 'echo', { text: 'again' })), 'again');
  });

  it('that lists 20 MB of tools has none, and the others have theirs', async () => {
    const test = await open({ s: stdio('huge-list'), other: stdio('good') });
    await ready(test, 'other');
    await untilState(test.servers, 's', 'failed');
    assert.match(JSON.stringify(named(test, 's').state), /larger than 16 MB/);
    assert.ok(test.servers.tools().every(({ server }) => server !== 's'));
    assert.ok(test.servers.tools().some(({ server }) => server === 'other'));
  });

  it('that writes 20 MB of errors works, and fills no log', async () => {
    const test = await open({ s: stdio('noisy') });
    assert.equal(saidIn(await callTool(await ready(test), 'count')), '1');
    assert.ok(test.log.join('').length < 1_000_000);
  });
});

describe('The tools of an MCP server', () => {
  it('are those that its lists name, for the model and where they are counted', async () => {
    const test = await open({
      some: stdio('good', { includeTools: ['echo', 'count', 'fail(now)'], excludeTools: ['count'] }),
      most: stdio('good', { excludeTools: ['die', 'freeze'] }),
    });
    await Promise.all([ready(test, 'some'), ready(test, 'most')]);
    const of = (name: string): string[] =>
      test.servers
        .tools()
        .filter(({ server }) => server === name)
        .map((tool) => tool.name);
    assert.deepEqual(of('some'), ['mcp_some_echo', 'mcp_some_fail']);
    assert.ok(of('most').includes('mcp_most_count') && !of('most').includes('mcp_most_die'));
    assert.deepEqual(
      test.servers.statuses.map(({ name, tools }) => [name, tools]),
      [
        ['some', 2],
        ['most', of('most').length],
      ],
    );
  });
});

describe('A yes to an MCP server of the folder', () => {
  it('is over with the next change: the old one is ended, the new one waits', async () => {
    const write = (more = {}) =>
      writeFile(
        join(suite.folder, '.vscode/mcp.json'),
        JSON.stringify({ servers: { s: counted('good', more), other: stdio('good') } }),
      );
    await mkdir(join(suite.folder, '.vscode'));
    await write();
    const test = await open({});
    await test.servers.accept(test.servers.statuses.map(({ definition }) => definition.hash));
    await ready(test);
    const other = await ready(test, 'other');
    const [pid = 0] = await starts();
    await write({ env: { NODE_OPTIONS: '--require ./theirs.js' } });
    await test.servers.refresh();
    assert.deepEqual(
      test.servers.statuses.map(({ name, state }) => [name, state.kind]),
      [
        ['s', 'waiting'],
        ['other', 'ready'],
      ],
    );
    await untilEnded(pid);
    assert.equal((await starts()).length, 1);
    assert.equal(named(test, 'other'), other);
  });
});
