import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { McpServerStatus } from '../../../../extension/mcp/mcp-servers.ts';
import type { ConfiguredServer } from '../../../../extension/mcp/server-catalog.ts';
import { actsFor } from '../../../../extension/vscode/mcp/server-acts.ts';
import {
  serverLabel,
  serverStateText,
  serversNotice,
  serversText,
  serverTarget,
} from '../../../../extension/vscode/mcp/server-texts.ts';

const PROGRAM: ConfiguredServer['reach'] = { kind: 'stdio', command: 'npx', args: ['-y', 'docs'], env: {} };
const ADDRESS: ConfiguredServer['reach'] = { kind: 'http', url: 'https://docs.example/mcp', headers: {} };

function server(reach: ConfiguredServer['reach'] = PROGRAM, name = 'docs'): ConfiguredServer {
  const origin = { file: '/work/.vscode/mcp.json', line: 3, scope: 'project' as const, root: '/work' };
  return { name, reach, timeoutMs: 1, trust: false, excludeTools: [], origin, hash: name, waits: true };
}

function status(state: McpServerStatus['state'], offers: Partial<McpServerStatus> = {}): McpServerStatus {
  return { name: 'docs', definition: server(), state, tools: 0, prompts: 0, resources: 0, ...offers };
}

describe('An MCP server that requires approval', () => {
  it('is shown whole: what is started, with which arguments and variables, in which folder and from where', () => {
    const reach = { ...PROGRAM, args: ['-y', 'a b', ''], env: { NODE_OPTIONS: '--require x' }, cwd: '/tmp' };
    assert.deepEqual(
      serversText([
        { ...server(reach), sandbox: { folders: ['~/.x'], network: [] } },
        server({ ...ADDRESS, headers: { 'X-Key': '1' } }, 'web'),
      ])
        .split('\n')
        .slice(3),
      [
        '1. docs',
        '   from /work/.vscode/mcp.json:3',
        '   where there is a sandbox, it can change only the open folders and ~/.x, and reaches no host',
        '   in the folder /tmp',
        '   with NODE_OPTIONS=--require x',
        '',
        '      npx',
        '        -y',
        '        "a b"',
        '        ""',
        '',
        '2. web',
        '   from /work/.vscode/mcp.json:3',
        '   with X-Key=1',
        '',
        '      https://docs.example/mcp',
        '',
      ],
    );
  });

  it('says which extension brings it along', () => {
    const origin = { file: '/home/x/gemini-extension.json', line: 3, scope: 'extension' as const, extension: 'issues' };
    const text = serversText([{ ...server(), origin }]);
    assert.match(text, /1\. docs\n {3}from \/home\/x\/gemini-extension\.json:3\n {3}of the extension issues\n/);
  });

  it('has nothing in it that looks like something else', () => {
    const text = serversText([server({ ...PROGRAM, command: 'a\u202eb', args: ['x\n1. other\n', '\u200b'] })]);
    assert.match(text, /a\\u\{202e\}b/);
    assert.match(text, /"x\\n1\. other\\n"/);
    assert.match(text, /\\u\{200b\}/);
    assert.doesNotMatch(text, /^1\. other/m);
  });

  it('hides nothing, however long it is', () => {
    const argument = `${' '.repeat(50_000)}; evil`;
    assert.ok(serversText([server({ ...PROGRAM, args: [argument] })]).includes(argument));
  });

  it('is one line in the list', () => {
    assert.equal(serverLabel(server(PROGRAM, 'two\nlines'), 2), '2. two lines');
    assert.equal(serverTarget({ ...PROGRAM, args: ['a b', 'c\nd'] }), 'npx "a b" "c d"');
    assert.equal(serverTarget(ADDRESS), 'https://docs.example/mcp');
  });
});

describe('How an MCP server is doing', () => {
  it('is said in words, from "sign in" to its tools', () => {
    const states: [McpServerStatus['state'], string][] = [
      [{ kind: 'waiting' }, 'requires approval'],
      [{ kind: 'stopped' }, 'not started yet'],
      [{ kind: 'starting' }, 'starting'],
      [{ kind: 'needs-sign-in' }, 'sign in'],
      [{ kind: 'disabled' }, 'off in this workspace'],
      [{ kind: 'failed', reason: 'no\nsuch file', retries: true }, 'failed and will be retried: no such file'],
      [{ kind: 'failed', reason: 'gone', retries: false }, 'failed: gone'],
    ];
    for (const [state, words] of states) assert.equal(serverStateText(status(state)), words);
    assert.equal(serverStateText(status({ kind: 'ready' }, { tools: 12 })), '12 tools');
    assert.equal(
      serverStateText(status({ kind: 'ready' }, { tools: 1, prompts: 2, resources: 1 })),
      '1 tool, 2 prompts, 1 resource',
    );
  });

  it('decides what can be done about it', () => {
    assert.deepEqual(actsFor(status({ kind: 'waiting' })), ['review', 'open', 'log']);
    assert.deepEqual(actsFor(status({ kind: 'disabled' })), ['enable', 'open', 'log']);
    assert.deepEqual(actsFor(status({ kind: 'needs-sign-in' })), ['signin', 'disable', 'open', 'log']);
    assert.deepEqual(actsFor(status({ kind: 'ready' })), ['tools', 'restart', 'disable', 'open', 'log']);
    const remote = { definition: server(ADDRESS) };
    const all = ['tools', 'restart', 'disable', 'signout', 'open', 'log'];
    assert.deepEqual(actsFor(status({ kind: 'ready' }, remote)), all);
    assert.deepEqual(actsFor(status({ kind: 'starting' })), ['restart', 'disable', 'open', 'log']);
    const failed = status({ kind: 'failed', reason: '', retries: false }, remote);
    assert.deepEqual(actsFor(failed), ['restart', 'signin', 'disable', 'open', 'log']);
  });

  it('is listed with where it is defined, and with what is wrong in the files', () => {
    const problems = [
      { file: '/work/.vscode/mcp.json', line: 9, text: '"servers.x" is ignored.' },
      { file: '/work/.vscode/mcp.json', line: 3, text: 'waits', waits: true },
    ];
    const shown = (path: string): string => path.replace('/work/', '');
    const noticeOf = (statuses: McpServerStatus[]) => serversNotice({ statuses, problems }, shown);
    const { title, rows, actions } = noticeOf([status({ kind: 'ready' }, { tools: 2 })]);
    assert.equal(title, 'MCP servers');
    assert.deepEqual(
      rows.map(({ name, value }) => [name, value]),
      [
        ['docs', '2 tools · .vscode/mcp.json:3'],
        ['.vscode/mcp.json:9', '"servers.x" is ignored.'],
      ],
    );
    assert.equal(actions, undefined);
    assert.deepEqual(
      noticeOf([status({ kind: 'waiting' })]).actions?.map(({ label }) => label),
      ['Review MCP servers'],
    );
    assert.equal(noticeOf([]).title, 'There are no MCP servers');
  });
});
