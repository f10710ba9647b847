import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repoRoot } from '../repo.ts';

type Published = 'everything' | 'filesystem' | 'memory';

/** A definition that starts a server as it is published. */
export function publishedStdio(server: Published, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { command: process.execPath, args: [programOf(server)], ...more };
}

export interface PublishedSite {
  readonly url: string;
  dispose(): Promise<void>;
}

/** The server listens on all interfaces, on a fixed port. This makes it listen only locally, on a free port. */
const ONLY_HERE = `
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (port, ...more) {
    this.once('listening', () => console.error('PORT ' + this.address().port));
    return listen.call(this, 0, '127.0.0.1', ...more);
  };`;

/** Starts the published "everything" server over HTTP. */
export async function startEverything(way: 'streamableHttp' | 'sse'): Promise<PublishedSite> {
  const preload = `data:text/javascript,${encodeURIComponent(ONLY_HERE)}`;
  const child = spawn(process.execPath, ['--import', preload, programOf('everything'), way], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await portOf(child);
  return {
    url: `http://127.0.0.1:${port}/${way === 'sse' ? 'sse' : 'mcp'}`,
    dispose: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function programOf(server: Published): string {
  return join(repoRoot, 'node_modules', '@modelcontextprotocol', `server-${server}`, 'dist', 'index.js');
}

async function portOf({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('It was started without a stream of errors.');
  const lines: string[] = [];
  // Read to the end, because a full pipe would block the server.
  const reading = createInterface(stderr);
  return new Promise((resolve, reject) => {
    reading.on('line', (line) => {
      lines.push(line);
      const [, port] = /^PORT (\d+)$/.exec(line) ?? [];
      if (port !== undefined) resolve(port);
    });
    reading.on('close', () => reject(new Error(`The server did not start:\n${lines.join('\n')}`)));
  });
}
