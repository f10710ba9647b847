import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { NO_SANDBOX, Sandbox } from '../../../extension/sandbox/sandbox.ts';
import {
  type AttemptPlaces,
  differences,
  guardedFiles,
  prepareAttempts,
} from '../../support/attempts/attempt-folder.ts';
import { possible, READS, WRITES } from '../../support/attempts/attempts.ts';
import type { TempRepository } from '../../support/git-repository.ts';
import { createProcessMark, type ProcessMark } from '../../support/marked-processes.ts';
import { createPtyShell, watch } from '../../support/shells.ts';
import { type TempFolder, tempFolderInSight } from '../../support/temp-folder.ts';

/** Slow ones in a full run only, and those whose program is here. */
const WAYS = possible(WRITES.flatMap(([, attempts]) => attempts));

describe('A command in the sandbox', () => {
  let repository: TempRepository;
  let home: TempFolder;
  let outside: TempFolder;
  let mark: ProcessMark;
  let sandbox: Sandbox;
  let servers: Server[];
  let before_: ReadonlyMap<string, string>;
  let attempted: Promise<string> | undefined;

  before(async function () {
    sandbox = new Sandbox({
      environment: () => ({ SSH_AUTH_SOCK: join(home.path, 'agents/ssh.sock') }),
      settings: () => NO_SANDBOX,
      secrets: () => [],
      home: '',
    });
    const support = await sandbox.support();
    // Where there is none, the product says so: see sandbox-support.test.ts.
    if ('missing' in support) this.skip();
    [home, outside] = await Promise.all([tempFolderInSight('home'), tempFolderInSight('outside')]);
    repository = await prepareAttempts(home.path, outside.path);
    mark = createProcessMark();
    servers = await Promise.all([
      listen({ host: '127.0.0.1', port: 0 }),
      listen({ path: join(home.path, 'agents/ssh.sock') }),
      listen({ path: `\0gantry-${home.path}` }),
    ]);
    before_ = await guardedFiles(places());
  });
  after(async () => {
    await mark?.expectNone();
    for (const server of servers ?? []) server.close();
    await sandbox.dispose();
    await Promise.all([repository, home, outside].map((folder) => folder?.dispose()));
  });

  const places = (): AttemptPlaces => ({ workspace: repository.path, home: home.path, outside: outside.path });

  /** What all attempts write. They run once, in the first test, which has more time than the setup on a busy machine. */
  const output = (): Promise<string> => (attempted ??= attempt());

  async function attempt(): Promise<string> {
    const port = String(portOf(servers[0]));
    const own = new Sandbox({
      environment: () => ({ SSH_AUTH_SOCK: join(home.path, 'agents/ssh.sock') }),
      settings: () => NO_SANDBOX,
      secrets: () => [join(home.path, 'extra-secret')],
      home: home.path,
    });
    const confinement = await own.confine({ roots: [repository.path], readOnly: false });
    const environment = {
      ...process.env,
      ...mark.environment,
      HOME: home.path,
      home: home.path,
      outside: outside.path,
      port,
    };
    const script = [
      'echo ALLOWED; echo mine > mine.txt && cat mine.txt; echo t > /tmp/t && cat /tmp/t; test -t 1 && echo terminal',
      'git add mine.txt && git -c user.name=a -c user.email=a@b commit -qm Mine && git log -1 --format=%s; git status --short',
      ...WAYS.map(({ line }, index) => `(\n${line.replaceAll('PWN', `PWN-${index}-`)}\n) >/dev/null 2>&1 </dev/null`),
      ...READS.map(({ line }, index) => `echo READ-${index}; ( ${line} ) 2>/dev/null </dev/null`),
      `echo SOCKETS; "$node" -e '${CONNECT}' 2>&1`,
      'echo PROCESSES; ls -d /proc/[0-9]* | wc -l; ls -l /proc/self/fd; kill -0 $tests && echo ALIVE',
      '(setsid sleep 300 &) ; (nohup sleep 300 >/dev/null 2>&1 &)',
      'exit 7',
    ].join('\n');
    const shell = createPtyShell({ ...environment, node: process.execPath, tests: String(process.pid) });
    const watched = watch(shell.start(script, { folder: repository.path, confinement }));
    assert.deepEqual(await watched.exit, { exitCode: 7, signal: null }, watched.output());
    // The shell takes the placeholders away; asking again waits until it has.
    await confinement.release();
    await own.dispose();
    return watched.output();
  }

  it(`changes nothing that is protected or outside, in ${WAYS.length} ways`, async () => {
    await output();
    const changed = differences(before_, await guardedFiles(places()));
    assert.deepEqual(changed.map(attemptIn), []);
  });

  it('reads no secret and reaches no service of others', async () => {
    const read = await section('READ-0', 'SOCKETS');
    const found = read.split('\n').filter((line) => line.includes('SECRET'));
    assert.deepEqual(found, [], read);
    assert.equal((await section('SOCKETS', 'PROCESSES')).trim(), 'none');
  });

  it('sees no other process, and none is left', async () => {
    const seen = await section('PROCESSES');
    assert.ok(Number(/^\d+/m.exec(seen)?.[0]) < 10, seen);
    assert.doesNotMatch(seen, /ALIVE|socket:|gantry-home/);
  });

  it('works in the workspace, on a terminal, and commits', async () => {
    const allowed = await section('ALLOWED', 'READ-0');
    for (const line of ['mine', 't', 'terminal', 'Mine']) assert.match(allowed, new RegExp(`^${line}\\r?$`, 'm'));
    assert.doesNotMatch(allowed, /\.(gemini|idea|claude|cursor)\b/);
  });

  async function section(from: string, to?: string): Promise<string> {
    const all = await output();
    const start = all.indexOf(`${from}\r\n`);
    return all.slice(start + from.length + 2, to === undefined ? undefined : all.indexOf(`${to}\r\n`, start));
  }
});

const CONNECT = `
const paths = [process.env.SSH_AUTH_SOCK, "$home/agents/ssh.sock", "\\0gantry-$home", "/run/docker.sock", "/var/run/docker.sock"];
const reached = paths.filter(Boolean).map((path) => path.replace("$home", process.env.home)).map((path) => new Promise((done) => {
  const socket = require("net").connect({ path });
  socket.on("connect", () => done(path)); socket.on("error", () => done());
}));
Promise.all(reached).then((all) => { console.log(all.filter(Boolean).join() || "none"); process.exit(); });
`;

async function listen(
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).end('SECRET of a service'));
  server.listen(where);
  await once(server, 'listening');
  return server;
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Most write their number. */
function attemptIn(change: string): string {
  const [, index] = /PWN-(\d+)-/.exec(change) ?? [];
  return index === undefined ? change : `${change}: ${WAYS[Number(index)]?.line}`;
}
