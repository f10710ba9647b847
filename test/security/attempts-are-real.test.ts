import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { type AttemptPlaces, differences, guardedFiles, prepareAttempts } from '../support/attempts/attempt-folder.ts';
import { possible, READS, WRITES } from '../support/attempts/attempts.ts';
import type { Attempt } from '../support/attempts/protected-attempts.ts';
import type { TempRepository } from '../support/git-repository.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { isFullRun } from '../support/test-size.ts';

const run = promisify(execFile);
const AT_ONCE = 4;

/** What takes minutes. */
function inFullRun(title: string, tests: () => void): void {
  if (isFullRun && process.platform === 'linux') describe(title, tests);
}

/** What nothing holds back does what it says: otherwise it would show nothing that the judge and the sandbox stop it. */
inFullRun('An attempt that nothing holds back', () => {
  let folder: TempFolder;
  let repository: TempRepository;
  let server: Server;
  let other: ChildProcess;
  let original: AttemptPlaces;

  before(async () => {
    folder = await tempFolder('attempts');
    original = { workspace: '', home: join(folder.path, 'home'), outside: join(folder.path, 'outside') };
    for (const path of [original.home, original.outside]) await mkdir(path);
    repository = await prepareAttempts(original.home, original.outside);
    original = { ...original, workspace: repository.path };
    server = createServer((socket) => socket.on('error', () => undefined).end('SECRET of a service'));
    server.listen({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    other = spawn('sleep', ['600'], { env: { ...process.env, SECRET_OF_OTHERS: 'SECRET of a process' } });
  });
  after(async () => {
    other?.kill();
    server?.close();
    await repository?.dispose();
    await folder?.dispose();
  });

  /** In copies of everything, so that each finds it as it was. */
  async function attempt(
    line: string,
    name: string,
  ): Promise<{ readonly changes: readonly string[]; readonly output: string }> {
    const at = (part: string): string => join(folder.path, name, part);
    const places = { workspace: at('workspace'), home: at('home'), outside: at('outside') };
    await mkdir(join(folder.path, name));
    for (const part of ['workspace', 'home', 'outside'] as const) await run('cp', ['-a', original[part], places[part]]);
    for (const [link, target] of [
      ['out-link', places.outside],
      ['dangling', join(places.outside, 'missing')],
    ] as const)
      await run('ln', ['-sfn', target, join(places.workspace, link)]);
    const address = server.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const { home, outside } = places;
    const environment = { PATH: process.env['PATH'], LANG: 'C', HOME: home, home, outside, port };
    const script = `exec </dev/null\n(\n${line}\n)`;
    const output = await run('bash', ['-c', script], {
      cwd: places.workspace,
      env: environment,
      timeout: 60_000,
      maxBuffer: 64 * 1024 * 1024,
    }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout?: string }) => stdout ?? '',
    );
    const changes = differences(await guardedFiles(original), await guardedFiles(places));
    await rm(join(folder.path, name), { recursive: true, force: true });
    return { changes, output };
  }

  /** Those that do nothing although all they need is here. */
  async function unreal(
    attempts: readonly Attempt[],
    isReal: (done: Awaited<ReturnType<typeof attempt>>) => boolean,
  ): Promise<readonly string[]> {
    const left = possible(attempts)
      .filter(({ isRare }) => !isRare)
      .entries();
    const found: string[] = [];
    const work = async (): Promise<void> => {
      for (const [index, { line }] of left) if (!isReal(await attempt(line, String(index)))) found.push(line);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found;
  }

  for (const [about, attempts] of WRITES) {
    it(`changes a file: ${about} (${attempts.length})`, async () => {
      assert.deepEqual(await unreal(attempts, ({ changes }) => changes.length > 0), []);
    });
  }

  it('shows a secret', async () => {
    assert.deepEqual(await unreal(READS, ({ output }) => output.includes('SECRET')), []);
  });
});
