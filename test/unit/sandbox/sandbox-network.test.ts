import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'mocha';
import type { SandboxSettings } from '../../../extension/ports/settings.ts';
import { SessionSandbox } from '../../../extension/runtime/policy/session-sandbox.ts';
import { Sandbox } from '../../../extension/sandbox/sandbox.ts';
import { SessionHistory } from '../../../extension/sessions/session-history.ts';
import type { RecordBody } from '../../../extension/sessions/session-record.ts';
import { createProcessMark, type ProcessMark } from '../../support/marked-processes.ts';
import { eventually } from '../../support/poll.ts';
import { createPtyShell, type Watched, watch } from '../../support/shells.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { testHost } from '../../support/test-host.ts';

/** Of this machine, and not the address that the sandbox has itself. */
const ADDRESS = '127.0.0.2';

describe('The network of a command in the sandbox', () => {
  let workspace: TempFolder;
  let mark: ProcessMark;
  let web: Server;
  let url: string;
  let settings: SandboxSettings;
  let window: Sandbox;
  let session: SessionSandbox;

  before(async function () {
    settings = { mode: 'required', autoAllow: false, folders: [], network: [] };
    window = new Sandbox({
      settings: () => settings,
      environment: () => ({}),
      secrets: () => [],
      home: '/nowhere',
      resolve: async (name) => (name === 'inner.example' ? [ADDRESS] : []),
    });
    // Where there is no sandbox, the product says so: see sandbox-support.test.ts. Without curl nobody asks the proxy.
    if ('missing' in (await window.support()) || !isInstalled('curl')) this.skip();
    workspace = await tempFolder('network');
    mark = createProcessMark();
    web = createServer((request, response) => response.end(`served ${request.url}`));
    web.listen(0, ADDRESS);
    await once(web, 'listening');
    const address = web.address();
    url = `http://${ADDRESS}:${typeof address === 'object' && address ? address.port : 0}`;
    const base = testHost({ roots: [workspace.path], trusted: true });
    const host = { ...base, settings: { ...base.settings, sandbox: () => settings } };
    const history = new SessionHistory();
    const append = (body: RecordBody): void => history.take({ ...body, at: '2026-01-01T00:00:00.000Z' });
    session = new SessionSandbox({ host, sandbox: window, mode: () => 'default', journal: { append, history } });
  });
  after(async () => {
    await window.dispose();
    web?.close();
    await mark?.expectNone();
    await workspace?.dispose();
  });

  async function start(command: string): Promise<{ readonly watched: Watched; refused(): readonly string[] }> {
    const confinement = await session.confine(false);
    assert.ok(confinement);
    const shell = createPtyShell({ ...process.env, ...mark.environment, node: process.execPath });
    const watched = watch(shell.start(command, { folder: workspace.path, confinement }));
    const refused = (): readonly string[] => {
      const network = confinement.network();
      assert.ok('refused' in network, JSON.stringify(network));
      return network.refused;
    };
    return { watched, refused };
  }

  async function run(command: string): Promise<{ readonly output: string; readonly refused: readonly string[] }> {
    const { watched, refused } = await start(command);
    await watched.exit;
    return { output: watched.output(), refused: refused() };
  }

  it('has no host where none is allowed, says which one it wanted, and asks at once', async () => {
    const { output, refused } = await run(
      `curl -sS ${url}/plain; curl -sS https://tls.example/; curl -sS --noproxy '*' ${url}/direct; echo done`,
    );
    assert.match(output, /does not let this command reach 127\.0\.0\.2:\d+\./);
    assert.doesNotMatch(output, /served/);
    assert.match(output, /done/);
    assert.deepEqual(refused, [url.slice('http://'.length), 'tls.example']);
  });

  it('has the host that was allowed for the session, and no other, from the next command on', async () => {
    session.allow({ callId: '1', kind: 'host', what: url.slice('http://'.length), always: false });
    const { output, refused } = await run(
      `curl -sS ${url}/plain; echo; curl -sSp ${url}/tunnel; echo; curl -sS http://inner.example/; curl -sS --noproxy '*' ${url}/direct`,
    );
    assert.match(output, /^served \/plain\r\nserved \/tunnel\r\n/);
    assert.doesNotMatch(output, /direct\r?$/m);
    assert.deepEqual(refused, ['inner.example']);
  });

  it('has the hosts of the settings, where their names do not lead to this machine', async () => {
    settings = { ...settings, network: ['inner.example', 'not a host'] };
    const { output, refused } = await run('curl -sS http://inner.example/');
    assert.match(output, /leads to an address that its rule is not about/);
    assert.deepEqual(refused, []);
  });

  it('is one for all commands of the window: what one serves, the next one reaches', async () => {
    const server = await start(
      `"$node" -e 'require("http").createServer((q, s) => s.end("from inside")).listen(0, "127.0.0.1", function () { console.log("port " + this.address().port + ";") })'`,
    );
    const [, port = ''] = await server.watched.sees(/port (\d+);/);
    const { output } = await run(`curl -sS http://127.0.0.1:${port}/`);
    assert.match(output, /from inside/);
    const outside = await fetch(`http://127.0.0.1:${port}/`)
      .then((answer) => answer.text())
      .catch(() => 'nothing');
    assert.notEqual(outside, 'from inside');
    await server.watched.process.kill();
    await server.watched.exit;
  });

  it('is made anew for the next command when its process is gone', async () => {
    const first = await relayPid();
    process.kill(first, 'SIGKILL');
    await eventually('another process', async () => (await relayPid()) !== first);
    assert.deepEqual((await run('curl -sS http://again.example/')).refused, ['again.example']);
  });

  /** Of the process whose network commands join. */
  async function relayPid(): Promise<number> {
    const confinement = await session.confine(false);
    const start = confinement?.wrap({ file: '/bin/sh', args: [], folder: '/', environment: {} });
    await confinement?.release();
    return Number(/\/proc\/(\d+)\/ns\/net/.exec(start?.args.join(' ') ?? '')?.[1]);
  }
});

describe('A sandbox that cannot lead to a network', () => {
  it('confines commands without one, and says why', async () => {
    const file = '/nowhere/bwrap';
    const sandbox = new Sandbox({
      settings: () => ({ mode: 'auto', autoAllow: false, folders: [], network: ['example.com'] }),
      environment: () => ({}),
      secrets: () => [],
      home: '/nowhere',
      find: async () => ({ tool: { kind: 'bubblewrap', file, resetsSignals: false } }),
    });
    const confinement = await sandbox.confine({ roots: [], readOnly: false });
    const network = confinement.network();
    assert.match('missing' in network ? network.missing : '', /nsenter|no program/);
    const start = confinement.wrap({ file: '/bin/sh', args: [], folder: '/', environment: { HTTP_PROXY: 'mine' } });
    assert.deepEqual([start.file, start.args[0], start.environment['HTTP_PROXY']], [file, '--unshare-net', 'mine']);
    await sandbox.dispose();
  });
});

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
