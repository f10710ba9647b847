import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ServerCatalog } from '../../../extension/mcp/server-catalog.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('The catalog of MCP servers', () => {
  let home: TempWorkspace;
  let root: TempWorkspace;
  let trusted: boolean;
  beforeEach(async () => {
    trusted = true;
    home = await createTempWorkspace();
    root = await createTempWorkspace();
  });
  afterEach(async () => {
    await home.dispose();
    await root.dispose();
  });

  const catalog = (setting: unknown = undefined): ServerCatalog =>
    new ServerCatalog({
      workspace: { roots: () => [root.path], isTrusted: () => trusted },
      environment: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'), TOOLS: 'tools' },
      home: home.path,
      acceptedFile: join(home.path, 'data', 'accepted-mcp-servers.json'),
      setting: () => setting,
      userFiles: () => [join(home.path, 'mcp.json')],
    });
  const gemini = (servers: unknown, mcp?: unknown): Record<string, string> => ({
    '.gemini/settings.json': JSON.stringify({ mcpServers: servers, ...(mcp !== undefined && { mcp }) }),
  });
  const seen = ({ servers }: ServerCatalog) => servers.map(({ name, waits }) => (waits ? `${name} waits` : name));
  const command = (name: string) => ({ command: name });

  it('joins the user, VS Code, the project and the setting', async () => {
    await home.write({
      ...gemini({ mine: command('a') }),
      'mcp.json': JSON.stringify({ servers: { vs: command('b') } }),
    });
    await root.write({
      ...gemini({ theirs: command('c') }),
      '.vscode/mcp.json': '{"servers":{"shared":{"command":"d"}}}',
    });
    const all = catalog({ set: command('e') });
    await all.refresh();
    assert.deepEqual(seen(all), ['set', 'mine', 'vs', 'shared waits', 'theirs waits']);
    assert.deepEqual(
      all.problems.map(({ file, waits }) => [file, waits]),
      [
        [join(root.path, '.vscode/mcp.json'), true],
        [join(root.path, '.gemini/settings.json'), true],
      ],
    );
  });

  it('lets no project take the name of a server of the user', async () => {
    await home.write(gemini({ github: command('mine') }));
    await root.write(gemini({ github: command('theirs') }));
    const all = catalog();
    await all.refresh();
    assert.deepEqual(
      all.servers.map(({ reach }) => reach.kind === 'stdio' && reach.command),
      ['mine'],
    );
    assert.match(all.problems[0]?.text ?? '', /has a server with the same name/);
  });

  it('asks again when a script changes that an accepted server starts, and does not start it before', async () => {
    await root.write(gemini({ theirs: { command: 'node', args: ['$TOOLS/server.js'] } }));
    await root.write({ 'tools/server.js': 'one' });
    const all = catalog();
    await all.refresh();
    await all.accept(all.servers.map(({ hash }) => hash));
    await all.refresh();
    const [server] = all.servers;
    assert.deepEqual(seen(all), ['theirs']);
    await root.write({ 'tools/server.js': 'two' });
    assert.equal(server && (await all.isAsApproved(server)), false);
    await all.refresh();
    assert.deepEqual(seen(all), ['theirs waits']);
  });

  it('names the headers and variables of a server that waits, and which keys it does not get', async () => {
    const headers = { Authorization: 'Bearer $GEMINI_API_KEY', 'X-Ci': '$CI_TOKEN' };
    const env = { KEY: '$GOOGLE_API_KEY' };
    await root.write(gemini({ far: { httpUrl: 'https://mcp.test', headers }, near: { command: 'a', env } }));
    await home.write(gemini({ mine: { httpUrl: 'https://mcp.test', headers } }));
    const all = catalog();
    await all.refresh();
    assert.deepEqual(
      all.problems.map(({ text }) => text.replace(/^This project[^:]*: /, '')),
      [
        '"far" does not get $GEMINI_API_KEY: a project\'s servers never get Gantry\'s own keys.',
        '"near" does not get $GOOGLE_API_KEY: a project\'s servers never get Gantry\'s own keys.',
        'https://mcp.test (with Authorization=Bearer $GEMINI_API_KEY, X-Ci=$CI_TOKEN)',
        'a (with KEY=$GOOGLE_API_KEY)',
      ],
    );
  });

  it('asks again for each change of an accepted server, and remembers the yes', async () => {
    await root.write(gemini({ theirs: { command: 'node', args: ['a.js'] } }));
    const first = catalog();
    await first.refresh();
    await first.accept(first.servers.map(({ hash }) => hash));
    assert.deepEqual(seen(first), ['theirs']);
    const later = catalog();
    await later.refresh();
    assert.deepEqual(seen(later), ['theirs']);
    await root.write(gemini({ theirs: { command: 'node', args: ['b.js'] } }));
    await later.refresh();
    assert.deepEqual(seen(later), ['theirs waits']);
  });

  it('sees an approval that was given in another window', async () => {
    await root.write(gemini({ theirs: command('a') }));
    const [here, there] = [catalog(), catalog()];
    await here.refresh();
    await there.refresh();
    await there.accept(there.servers.map(({ hash }) => hash));
    await here.refresh();
    assert.deepEqual(seen(here), ['theirs']);
  });

  it('accepts nothing where what was accepted cannot be read', async () => {
    await root.write(gemini({ theirs: command('a') }));
    const all = catalog();
    await all.refresh();
    await all.accept(all.servers.map(({ hash }) => hash));
    await home.write({ 'data/accepted-mcp-servers.json': '{"' });
    const later = catalog();
    await later.refresh();
    assert.deepEqual(seen(later), ['theirs waits']);
  });

  it('has nothing in Restricted Mode, and reads nothing', async () => {
    trusted = false;
    await home.write(gemini({ mine: command('a') }));
    const all = catalog({ set: command('e') });
    await all.refresh();
    assert.deepEqual([all.servers, all.problems], [[], []]);
    trusted = true;
    await all.refresh();
    assert.deepEqual(seen(all), ['set', 'mine']);
    trusted = false;
    assert.deepEqual(all.servers, []);
  });

  it('obeys the lists of every file, which can only take away', async () => {
    await home.write(gemini({ a: command('a'), b: command('b'), c: command('c') }, { allowed: ['a', 'b'] }));
    await root.write(gemini({}, { allowed: ['a', 'b', 'c'], excluded: ['b'] }));
    const all = catalog();
    await all.refresh();
    assert.deepEqual(seen(all), ['a']);
  });

  it('keeps what a file had while somebody types in it', async () => {
    await home.write(gemini({ mine: command('a') }));
    const all = catalog();
    await all.refresh();
    await home.write({ '.gemini/settings.json': '{ "mcpServers": {' });
    await all.refresh();
    assert.deepEqual(seen(all), ['mine']);
    assert.match(all.problems[0]?.text ?? '', /not valid JSON/);
    await rm(join(home.path, '.gemini/settings.json'));
    await all.refresh();
    assert.deepEqual([seen(all), all.problems], [[], []]);
  });
});
