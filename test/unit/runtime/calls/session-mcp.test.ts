import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { problemText } from '../../../../extension/protocol/agent/problem.ts';
import { SessionMcp } from '../../../../extension/runtime/calls/session-mcp.ts';
import { stdio } from '../../../support/mcp/stdio.ts';
import { useMcpServers } from '../../../support/mcp/suite.ts';
import { eventually } from '../../../support/poll.ts';
import { testHost } from '../../../support/test-host.ts';

describe('MCP servers where nobody looks on', () => {
  const suite = useMcpServers();

  const session = (setting: unknown, interactive = false) => {
    const test = suite.create(setting);
    const told: string[] = [];
    const host = testHost({ roots: [suite.folder], interactive });
    const warn = (problem: Parameters<typeof problemText>[0]): void => void told.push(problemText(problem));
    return { test, told, mcp: new SessionMcp({ servers: test.servers, host, warn }) };
  };

  const BAD: readonly [what: string, definition: unknown, said: RegExp][] = [
    [
      'is missing',
      { command: '/no/such/program' },
      /^The MCP server "s" is not available\. There is no program \/no\/such\/program\./,
    ],
    [
      'crashes',
      stdio('exits'),
      /^The MCP server "s" is not available\. It ended with exit code 7\.\nno configuration found/,
    ],
    [
      'refuses',
      { url: 'http://127.0.0.1:1/mcp' },
      /^The MCP server "s" is not available\. .*(?:ECONNREFUSED|fetch failed|bad port)/,
    ],
    [
      'prints garbage',
      stdio('only-garbage'),
      /^The MCP server "s" has not started yet\. It wrote something that is no message: /,
    ],
  ];
  for (const [what, definition, said] of BAD) {
    it(`are named at once when one ${what}`, async () => {
      const { test, told, mcp } = session({ s: definition, other: stdio('good') });
      const prepared = mcp.prepare();
      await eventually('a word about it', () => told.some((text) => said.test(text)));
      assert.deepEqual(
        told.filter((text) => !text.includes('"s"')),
        [],
      );
      test.waits.find(({ ms }) => ms === 2000)?.ring();
      await prepared;
      mcp.dispose();
    });
  }

  it('are waited for two seconds, named when that is not enough, and join later', async () => {
    const { test, told, mcp } = session({ s: stdio('hangs') });
    const prepared = mcp.prepare();
    await eventually('the wait', () => test.waits.some(({ ms }) => ms === 2000));
    test.waits.find(({ ms }) => ms === 2000)?.ring();
    await prepared;
    assert.deepEqual(told, [
      'The MCP server "s" has not started yet. It has not answered for 2 s. Its tools become available when it does.',
    ]);
    await mcp.prepare();
    assert.equal(told.length, 1);
  });

  it('are left to the panel where there is one', async () => {
    const { told, mcp } = session({ s: { command: '/no/such/program' } }, true);
    await mcp.prepare();
    assert.deepEqual(told, []);
  });
});
