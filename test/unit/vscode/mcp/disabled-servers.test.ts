import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DisabledServers } from '../../../../extension/vscode/mcp/disabled-servers.ts';

describe('MCP servers that were turned off', () => {
  it('stay off for the workspace until they are turned on', async () => {
    const kept = new Map<string, unknown>();
    const state = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    };
    const disabled = new DisabledServers(state);
    await disabled.disable('a');
    await disabled.disable('a');
    await disabled.disable('b');
    const later = new DisabledServers(state);
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => later.isDisabled(name)),
      [true, true, false],
    );
    await later.enable('a');
    assert.deepEqual(
      ['a', 'b'].map((name) => disabled.isDisabled(name)),
      [false, true],
    );
  });

  it('are none where what was kept makes no sense', () => {
    for (const value of [undefined, 'a', [1, { a: 1 }]])
      assert.equal(new DisabledServers({ get: () => value, update: async () => undefined }).isDisabled('a'), false);
  });
});
