import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { expandVariables } from '../../../extension/mcp/expand-variables.ts';
import { variablesFor } from '../../../extension/mcp/open-server.ts';
import { type ReadServers, readServers, type ServerFile } from '../../../extension/mcp/read-servers.ts';
import { serverHash } from '../../../extension/mcp/server-definition.ts';

const GEMINI: ServerFile = { path: '/home/me/.gemini/settings.json', scope: 'user', key: 'mcpServers' };
const VSCODE: ServerFile = { path: '/p/.vscode/mcp.json', scope: 'project', key: 'servers', root: '/p' };

const read = (value: unknown, file = GEMINI): ReadServers => readServers(JSON.stringify(value), file);
const one = (server: unknown, file = GEMINI) => read({ [file.key]: { s: server } }, file);
const dollars = (text: string): string => text.replaceAll('#{', `$${'{'}`);
const problemOf = (server: unknown, file = GEMINI): string => {
  const { servers, problems } = one(server, file);
  assert.deepEqual(servers, []);
  return problems.map(({ text }) => text).join(' ');
};

describe('Files with MCP servers', () => {
  it('say how a server is reached, in the words of Gemini CLI and of VS Code', () => {
    const reach = (server: unknown) => one(server).servers[0]?.reach;
    assert.deepEqual(reach({ command: 'npx', args: ['-y', 'x'], env: { A: '1', B: 2, C: null }, cwd: 'sub' }), {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'x'],
      env: { A: '1', B: '2' },
      cwd: 'sub',
    });
    const kinds = [
      { url: 'https://a' },
      { httpUrl: 'https://a' },
      { url: 'https://a', type: 'http' },
      { url: 'https://a', type: 'sse' },
    ].map((server) => reach(server)?.kind);
    assert.deepEqual(kinds, ['url', 'http', 'http', 'sse']);
    const { servers } = readServers(
      '{ // mine\n "servers": {\n  "s": { "type": "stdio", "command": "x", }, } }',
      VSCODE,
    );
    assert.deepEqual(servers[0]?.origin, { file: VSCODE.path, line: 3, scope: 'project', root: '/p' });
  });

  it('have limits and lists', () => {
    const [server] = one({ command: 'x', timeout: 1.5, includeTools: ['a'], excludeTools: ['b'], trust: true }).servers;
    assert.deepEqual(
      [server?.timeoutMs, server?.includeTools, server?.excludeTools, server?.trust],
      [2, ['a'], ['b'], true],
    );
    assert.equal(one({ command: 'x' }).servers[0]?.timeoutMs, 600_000);
    const { allowed, excluded } = read({ mcp: { allowed: ['a'], excluded: ['b'] } });
    assert.deepEqual([allowed, excluded], [['a'], ['b']]);
  });

  it('are taken without what is wrong in them, which is reported with its place and key', () => {
    const { servers, problems } = readServers(
      '{ "mcpServers": {\n "bad": { "command": 7 },\n "good": { "command": "x" } } }',
      GEMINI,
    );
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['good'],
    );
    assert.equal(problems[0]?.line, 2);
    assert.match(problems[0]?.text ?? '', /"mcpServers.bad" is ignored \("command"\)/);
    const broken = readServers('{ "mcpServers": {\n "a" ', GEMINI);
    assert.equal(broken.unreadable, true);
    assert.deepEqual([broken.problems[0]?.file, broken.problems[0]?.line], [GEMINI.path, 2]);
  });

  it('do not start what was meant otherwise', () => {
    assert.match(problemOf({ command: 'x', url: 'https://a' }), /one of "command", "url" and "httpUrl"/);
    assert.match(problemOf({}), /one of "command"/);
    assert.match(problemOf({ command: 'x', type: 'http' }), /"type"/);
    assert.match(problemOf({ url: 'file:///etc/passwd' }), /must start with http or https/);
    assert.match(problemOf({ command: 'x', env: { K: dollars('#{input:key}') } }), /\$\{input:key\}/);
    assert.match(problemOf({ command: 'x', envFile: '.env' }), /"envFile"/);
    assert.match(problemOf({ tcp: 'localhost:1', url: 'https://a' }), /"tcp"/);
    assert.match(
      read({ mcpServers: { 'a\u200Bb': { command: 'x' } } }).problems[0]?.text ?? '',
      /invisible characters/,
    );
    const nothing = { servers: [], excluded: [], disabled: ['s'], problems: [] };
    assert.deepEqual(one({ command: 'x', disabled: true }), nothing);
  });

  it('of a project cannot make its servers trusted', () => {
    const { servers, problems } = one({ command: 'x', trust: true }, VSCODE);
    assert.equal(servers[0]?.trust, false);
    assert.match(problems[0]?.text ?? '', /"trust" of "s" is ignored/);
  });

  it('survive anything that is JSON', () => {
    const odd = [null, 7, 'x', [], { mcpServers: [] }, { mcpServers: { a: null } }, { mcpServers: 3 }, { mcp: 'x' }];
    for (const value of odd) assert.deepEqual(read(value).servers, []);
    assert.deepEqual(readServers('{"mcpServers":{"__proto__":{"command":"x"}}}', GEMINI).servers, []);
    assert.equal(Object.hasOwn(Object.prototype, 'command'), false);
  });
});

describe('Variables in definitions', () => {
  const places = { environment: { A: 'one', EMPTY: '' }, home: '/home/me', root: '/p/app' };
  // Written with # in the place of $, which looks like a mistake before a brace.
  const cases: [string, string][] = [
    ['$A-#{A}-#{env:A}', 'one-one-one'],
    ['$MISSING #{MISSING} #{env:MISSING}', '$MISSING #{MISSING} '],
    ['#{MISSING:-two} #{EMPTY:-two} #{A:-two}', 'two two one'],
    ['#{workspaceFolder}/x #{workspaceFolderBasename} #{userHome}', '/p/app/x app /home/me'],
    ['costs 5$ and $$ and #{} and #{a b}', 'costs 5$ and $$ and #{} and #{a b}'],
  ];
  for (const [text, expected] of cases) {
    it(`make ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () => {
      assert.equal(expandVariables(dollars(text), places), dollars(expected));
    });
  }

  it('of a project give it no key that is ours, and none of the editor', () => {
    const environment = { GEMINI_API_KEY: 'k', Google_Api_Key: 'k', VSCODE_IPC_HOOK: 'k', PROXY_KEY: 'k', CI: 'yes' };
    const ports = {
      environment: () => environment,
      childEnvironment: () => ({ ...environment, PROXY_KEY: undefined }),
    };
    const text = '$GEMINI_API_KEY #{env:Google_Api_Key} #{VSCODE_IPC_HOOK:-x} $PROXY_KEY $CI';
    const seen = (scope: 'project' | 'user' | 'extension') => {
      const origin = { file: '/f', line: 1, scope };
      return expandVariables(dollars(text), { ...places, environment: variablesFor({ origin }, ports) });
    };
    assert.equal(seen('project'), '$GEMINI_API_KEY  x $PROXY_KEY yes');
    for (const scope of ['user', 'extension'] as const) assert.equal(seen(scope), 'k k k k yes');
  });

  it('are not looked up in values', () => {
    assert.equal(expandVariables('$A', { ...places, environment: { A: '$B', B: 'no' } }), '$B');
  });
});

describe('What the approval of a server is bound to', () => {
  const base = { command: 'x', args: ['a'], env: { A: '1' }, cwd: 'c' };
  const hash = (server: unknown, name = 's') => {
    const [definition] = read({ mcpServers: { [name]: server } }).servers;
    assert.ok(definition);
    return serverHash(definition);
  };

  it('is everything that decides what runs', () => {
    const changes = [
      { command: 'y' },
      { args: ['a', 'b'] },
      { args: ['b'] },
      { env: { B: '1' } },
      { env: { A: '2' } },
      { cwd: 'd' },
    ];
    const hashes = [{}, ...changes].map((change) => hash({ ...base, ...change }));
    assert.equal(new Set(hashes).size, changes.length + 1);
    assert.notEqual(hash(base), hash(base, 'other'));
    assert.notEqual(hash({ url: 'https://a' }), hash({ url: 'https://b' }));
    assert.notEqual(hash({ url: 'https://a' }), hash({ url: 'https://a', headers: { X: '1' } }));
  });

  it('is not how it is described', () => {
    assert.equal(hash(base), hash({ ...base, description: 'new', timeout: 5, excludeTools: ['x'] }));
    assert.equal(hash({ command: 'x', env: { A: '1', B: '2' } }), hash({ command: 'x', env: { B: '2', A: '1' } }));
  });
});
