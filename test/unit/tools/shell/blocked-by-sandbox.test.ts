import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  blockedLines,
  type InsideRun,
  sandboxBlock,
  sandboxFact,
} from '../../../../extension/tools/shell/blocked-by-sandbox.ts';
import { processorTimeOf } from '../../../support/processor-time.ts';

const inside = (output: string, changes: Partial<InsideRun['confinement']> = {}): InsideRun => ({
  output,
  folder: '/ws',
  failed: true,
  confinement: { blocked: () => Promise.resolve({ paths: [] }), network: () => ({ refused: [] }), ...changes },
});

describe('What the sandbox has blocked', () => {
  const cases: readonly [line: string, kind: 'files' | 'network' | undefined][] = [
    ["touch: cannot touch '/etc/x': Read-only file system", 'files'],
    ["EROFS: read-only file system, open '/home/me/.cache/x'", 'files'],
    ['bash: .vscode/tasks.json: Read-only file system', 'files'],
    ["mv: cannot move '.git' to '.g': Device or resource busy", 'files'],
    ['curl: (6) Could not resolve host: example.com', 'network'],
    ['npm error errno EAI_AGAIN request to https://registry.example failed', 'network'],
    ['ping: connect: Network is unreachable', 'network'],
    ['3 tests failed', undefined],
  ];
  for (const [line, kind] of cases) {
    it(line, () => {
      const expected = { files: kind === 'files' ? [line] : [], network: kind === 'network' ? [line] : [] };
      assert.deepEqual(blockedLines(`before\r\n${line}\r\nafter`), expected);
      assert.equal(sandboxFact(inside(line))?.includes('outside_sandbox'), kind !== undefined);
    });
  }

  const hosts: readonly [output: string, ...hosts: string[]][] = [
    ['curl: (6) Could not resolve host: example.com', 'example.com'],
    ["fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com", 'github.com'],
    ['ssh: Could not resolve hostname git.example.org: Temporary failure in name resolution', 'git.example.org'],
    ['wget: unable to resolve host address ‘ftp.example.org’', 'ftp.example.org'],
    ['npm error errno ENOTFOUND\nnpm error getaddrinfo ENOTFOUND registry.npmjs.org', 'registry.npmjs.org'],
    [
      'Error: getaddrinfo EAI_AGAIN a.example.com\nError: getaddrinfo EAI_AGAIN b.example.com',
      'a.example.com',
      'b.example.com',
    ],
    [
      "HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded (Caused by NewConnectionError('[Errno -3] Temporary failure in name resolution'))",
      'pypi.org',
    ],
    ["HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded (Caused by ProxyError('502 Bad Gateway'))"],
    [
      "Failed to resolve 'files.pythonhosted.org' ([Errno -3] Temporary failure in name resolution)",
      'files.pythonhosted.org',
    ],
    ['[6] Could not resolve hostname (Could not resolve host: index.crates.io)', 'index.crates.io'],
    ['dial tcp: lookup proxy.golang.org on 127.0.0.53:53: server misbehaving', 'proxy.golang.org'],
    ["E: Failed to fetch: Temporary failure resolving 'deb.debian.org'", 'deb.debian.org'],
    ['java.net.UnknownHostException: repo.maven.apache.org', 'repo.maven.apache.org'],
    [
      'Failed to open TCP connection to rubygems.org:443 (getaddrinfo: Temporary failure in name resolution)',
      'rubygems.org',
    ],
    ['ping: Example.COM: Temporary failure in name resolution', 'example.com'],
    ['<urlopen error [Errno -3] Temporary failure in name resolution>'],
    ['Could not resolve host: localhost'],
    ['3 tests failed in file.test.ts'],
  ];
  for (const [output, ...named] of hosts) {
    it(`names ${named.join(' and ') || 'no host'}: ${output}`, async () => {
      const { hosts: openable, closedHosts = [] } = (await sandboxBlock(inside(output))) ?? { hosts: [] };
      assert.deepEqual([openable, closedHosts], [[], named]);
    });
  }

  it('names the paths that the policy closes, of those that the program names', async () => {
    const output = "touch: cannot touch '/a/x': Read-only file system\ntouch: cannot touch 'y': Read-only file system";
    const blocked = (named: readonly string[]) =>
      Promise.resolve({ paths: named.filter((path) => path.startsWith('/a')), folders: ['/a'] });
    assert.deepEqual(await sandboxBlock(inside(output, { blocked })), { paths: ['/a/x'], hosts: [], folders: ['/a'] });
    assert.equal(await sandboxBlock(inside(output)), undefined);
  });

  it('names a path in the folder of the command without that folder, unless the user can open it', async () => {
    const paths = ['/ws/.vscode/tasks.json', '/ws/open/x', '/ws-2/y', '/ws'];
    const block = await sandboxBlock(inside('', { blocked: async () => ({ paths, folders: ['/ws/open'] }) }));
    assert.deepEqual(block?.paths, ['.vscode/tasks.json', '/ws/open/x', '/ws-2/y', '/ws']);
  });

  it('is what the proxy has refused, where that is known, also of a command that went on without', async () => {
    const refused = ['a.example.com', 'b.example.com:8443'];
    const output = [
      'ssh: Could not resolve hostname ssh.example.com: Name or service not known',
      'curl: (6) Could not resolve host: b.example.com',
    ].join('\n');
    for (const failed of [true, false]) {
      const run = { ...inside(output, { network: () => ({ refused }) }), failed };
      const past = failed ? { closedHosts: ['ssh.example.com'] } : {};
      assert.deepEqual(await sandboxBlock(run), { paths: [], hosts: refused, ...past, folders: [] });
      assert.match(
        sandboxFact(run) ?? '',
        /^Sandbox: it ran in one, where it may not reach a\.example\.com, b\.example\.com:8443\./,
      );
    }
    const succeeded = { ...inside(output), failed: false };
    assert.deepEqual([await sandboxBlock(succeeded), sandboxFact(succeeded)], [undefined, undefined]);
  });

  it('is reported with the reason where there is no way to a network', () => {
    const network = () => ({ missing: 'There is no "nsenter".' });
    const said = sandboxFact(inside('curl: (6) Could not resolve host: example.com', { network }));
    assert.match(said ?? '', /it has no network \(There is no "nsenter"\.\)/);
  });

  it('reads a long and hostile output in no time', async () => {
    for (const piece of ['a.', 'a-', 'lookup a.', "Could not resolve host: a.b'", '\u2018']) {
      const text = piece.repeat(100_000);
      assert.ok((await processorTimeOf(async () => void (await sandboxBlock(inside(text))))) < 500, piece);
    }
  });
});
