import { existsSync, readlinkSync } from 'node:fs';
import { type LineProcess, startLineProcess } from '../processes/line-process.ts';
import { bareEnvironment, runProgram } from '../processes/run-program.ts';
import { bubblewrapGround, bubblewrapHolder } from './bubblewrap.ts';
import type { JoinedNetwork, ProxyRoute } from './sandbox-policy.ts';

/** A separate network with a port that leads to the proxy outside. The commands of a window join it. */
export interface NetworkRelay {
  readonly route: ProxyRoute;
  /** Resolves when the relay has ended. */
  readonly ended: Promise<unknown>;
  kill(): Promise<void>;
}

/** Absolute paths, so that a program in a workspace is never found instead. */
const NSENTER: readonly string[] = ['/usr/bin/nsenter', '/bin/nsenter', '/run/current-system/sw/bin/nsenter'];
const TIMEOUT_MS = 10_000;

/** Runs in its own Node process. It exits when its standard input ends, which happens when this process ends. */
const RELAY = `
const { connect, createServer } = require('node:net');
const server = createServer({ allowHalfOpen: true }, (inside) => {
  const outside = connect({ path: process.argv[1], allowHalfOpen: true });
  for (const [one, other] of [[inside, outside], [outside, inside]]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
    one.pipe(other);
  }
});
server.maxConnections = 512;
server.listen(0, '127.0.0.1', () => process.stdout.write(process.pid + ' ' + server.address().port + '\\n'));
process.stdin.on('end', () => process.exit()).resume();
`;

/**
 * Started once per window, because starting Node takes about as long as ten commands. Rejects with the reason if it
 * doesn't work.
 */
export async function startRelay(bubblewrap: string, socket: string): Promise<NetworkRelay> {
  const nsenter = NSENTER.find(existsSync);
  if (nsenter === undefined)
    throw new Error('There is no "nsenter" on this machine, which the package "util-linux" has.');
  const { line, relay } = await firstLine([...bubblewrapHolder(bubblewrap), process.execPath, '-e', RELAY, socket]);
  const [pid = 0, port = 0] = line.split(' ').map(Number);
  const joins: JoinedNetwork = { nsenter, pid };
  try {
    await requireApart(bubblewrap, joins);
  } catch (error) {
    await relay.kill();
    throw error;
  }
  return { route: { port, joins }, ended: relay.ended, kill: () => relay.kill() };
}

function firstLine([file = '', ...args]: readonly string[]): Promise<{
  readonly line: string;
  readonly relay: LineProcess;
}> {
  return new Promise((resolve, reject) => {
    let said = '';
    const relay = startLineProcess(
      // The variable makes the editor's executable behave as Node.
      { file, args, folder: '/', environment: { ...ENVIRONMENT, ELECTRON_RUN_AS_NODE: '1' }, maxLineBytes: 1024 },
      {
        line: (line) => {
          clearTimeout(timer);
          resolve({ line, relay });
        },
        overlong: () => undefined,
        errorLine: (line) => {
          said = line;
        },
      },
    );
    const timer = setTimeout(() => void relay.kill(), TIMEOUT_MS);
    void relay.started.catch((error: unknown) => reject(error));
    void relay.ended.then(() => {
      clearTimeout(timer);
      reject(new Error(`The relay to the proxy did not start. ${said}`));
    });
  });
}

/** Checks that joining works and leads to a network other than ours. */
async function requireApart(file: string, network: JoinedNetwork): Promise<void> {
  const [program = '', ...args] = bubblewrapGround(file, network);
  const end = await runProgram({
    file: program,
    args: [...args, 'readlink', '/proc/self/ns/net'],
    folder: '/',
    environment: ENVIRONMENT,
    signal: new AbortController().signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: 4096,
  });
  const there = end.stdout.trim();
  if (end.exitCode === 0 && there.startsWith('net:') && there !== readlinkSync('/proc/self/ns/net')) return;
  throw new Error(`Commands cannot join the network of the proxy. ${end.failure ?? end.stderr.trim()}`);
}

const ENVIRONMENT = {
  ...bareEnvironment(process.env),
  PATH: '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin',
};
