import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { useA2a } from '../../support/a2a-suite.ts';
import { type HeadlessResult, runHeadless } from '../../support/headless.ts';
import { eventually } from '../../support/poll.ts';
import { createTempWorkspace } from '../../support/temp-workspace.ts';

interface Told {
  readonly url: string;
  readonly tokenFile: string;
  readonly pid: number;
  readonly workspace: string;
}

const told = ({ stdout, stderr }: HeadlessResult): Told => {
  assert.match(stdout, /^\{.*\}\n$/, `it said: ${stderr}`);
  return JSON.parse(stdout) as Told;
};

describe('A detached server', function () {
  // Whole processes start here, one after another.
  this.timeout(120_000);
  const suite = useA2a();
  let port = '';

  const gantry = (...args: readonly string[]): Promise<HeadlessResult> =>
    runHeadless(['serve', ...args], { environment: suite.environment });
  const detach = (...flags: readonly string[]): Promise<HeadlessResult> =>
    gantry('--detach', '--workspace', suite.workspace, '--trust', ...flags);
  const health = async ({ url, tokenFile }: Told): Promise<{ pid: number } | undefined> => {
    try {
      const headers = { Authorization: `Bearer ${await readFile(tokenFile, 'utf8')}` };
      return (await (await fetch(`${url}health`, { headers })).json()) as { pid: number };
    } catch {
      return undefined;
    }
  };

  afterEach(async () => {
    if (port !== '') await gantry('--stop', '--port', port);
    port = '';
  });

  it('survives the process that started it, writes to a file, and is used again by the next one', async () => {
    const server = told(await detach('--port', '0'));
    port = new URL(server.url).port;
    assert.equal((await health(server))?.pid, server.pid);
    assert.equal(server.workspace, suite.workspace);
    assert.deepEqual(told(await detach('--port', port)), server, 'the same one');
    const folder = join(suite.home, 'a2a');
    const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
    const [log = ''] = logs;
    assert.equal((await stat(join(folder, log))).mode & 0o777, 0o600);
    assert.match(await readFile(join(folder, log), 'utf8'), new RegExp(`"pid":${server.pid}`));
    assert.deepEqual(told(await gantry('--status', '--port', port)), server);

    const other = await createTempWorkspace({});
    const refused = await gantry('--detach', '--workspace', other.path, '--port', port);
    await other.dispose();
    assert.equal(refused.code, 42);
    assert.match(refused.stderr, new RegExp(`Another server is at port ${port}`));
    assert.ok(refused.stderr.includes(suite.workspace) && refused.stderr.includes(String(server.pid)));

    assert.equal((await gantry('--stop', '--port', port)).code, 0);
    assert.equal(await health(server), undefined);
    const none = await gantry('--status', '--port', port);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.equal((await gantry('--stop', '--port', port)).code, 1);
    port = '';
  });

  it('starts again at the same port after a crash, and not after it was stopped', async () => {
    const server = told(await detach('--port', '0'));
    port = new URL(server.url).port;
    process.kill(server.pid, 'SIGKILL');
    await eventually('another server', async () => ![undefined, server.pid].includes((await health(server))?.pid), {
      timeoutMs: 90_000,
    });
    const files = await readdir(join(suite.home, 'a2a'));
    assert.ok(files.includes(`${port}.token`));
    assert.equal((await gantry('--stop', '--port', port)).code, 0);
    await eventually('the end of what keeps it', async () => {
      return !(await readdir(join(suite.home, 'a2a'))).some(
        (name) => name.endsWith('.keeper') || name.endsWith('.token'),
      );
    });
    assert.equal(await health(server), undefined);
  });

  it('says why it did not start, with the exit code that it would have had', async () => {
    const environment = { GANTRY_HOME: suite.home };
    const args = ['serve', '--detach', '--port', '0', '--workspace', suite.workspace];
    const noModel = await runHeadless(args, { environment });
    assert.equal(noModel.code, 41);
    assert.match(noModel.stderr, /did not start/);
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    assert.ok(address && typeof address === 'object');
    const taken = await detach('--port', String(address.port));
    blocker.close();
    assert.equal(taken.code, 42);
    assert.match(taken.stderr, new RegExp(`Port ${address.port} is in use`));
  });

  it('is not taken for another program that listens where it crashed, which could have any process ended', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const says = { status: 'ok', name: 'gantry', pid: other.pid, version: '0.1.0', workspace: suite.workspace };
    const impostor = http.createServer((_, response) => response.end(JSON.stringify({ ...says, answer: '' })));
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    const { port: taken } = impostor.address() as AddressInfo;
    try {
      await mkdir(join(suite.home, 'a2a'), { recursive: true });
      await writeFile(join(suite.home, 'a2a', `${taken}.token`), 'left after a crash');
      for (const task of ['--status', '--stop']) {
        const { code, stdout, stderr } = await gantry(task, '--port', String(taken));
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /No server of yours/);
      }
      assert.equal(other.exitCode ?? other.signalCode, null);
    } finally {
      impostor.close();
      other.kill('SIGKILL');
    }
  });

  it('is asked for in one way at a time', async () => {
    assert.match((await gantry('--status', '--stop')).stderr, /cannot be combined/);
    assert.match((await gantry('--stop', '--port', '0')).stderr, /needs the port/);
    assert.match((await runHeadless(['--detach', '-p', 'Hi'])).stderr, /belongs to "gantry serve"/);
  });
});
