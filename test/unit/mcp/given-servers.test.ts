import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { GivenServers } from '../../../extension/mcp/given-servers.ts';
import { readServerSetting } from '../../../extension/mcp/read-servers.ts';

const file = { path: '/home/me/.gemini/agents/scout.md', scope: 'user', key: 'mcpServers' } as const;
const read = readServerSetting({ own: { command: 'own' }, taken: { command: 'taken' }, odd: { command: 7 } }, file);

describe('Servers that came with something that was said yes to', () => {
  let trusted = true;
  const servers = new GivenServers(read, { isTrusted: () => trusted }, (name) =>
    name === 'taken' ? 'there is one' : undefined,
  );

  it('wait for no other yes, and take no name that is taken', () => {
    assert.deepEqual(
      servers.servers.map(({ name, waits }) => [name, waits]),
      [['own', false]],
    );
    assert.deepEqual(
      servers.problems.map(({ file: path, text }) => [path, text.replace(/:.*/, '')]),
      [
        [file.path, '"mcpServers.odd" is ignored ("command")'],
        [file.path, 'The server "taken" is ignored'],
      ],
    );
  });

  it('are none in Restricted Mode', () => {
    trusted = false;
    assert.deepEqual([servers.isTrusted, servers.servers, servers.problems], [false, [], []]);
    trusted = true;
    assert.equal(servers.servers.length, 1);
  });
});
