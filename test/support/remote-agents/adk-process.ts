import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { atExit } from '../at-exit.ts';

export interface AdkProcess {
  readonly cardUrl: string;
  dispose(): Promise<void>;
}

const PROGRAM = resolve('out/test/support/remote-agents/adk-agent.mjs');

/** An agent of ADK, served by its own `toA2a` in a process of its own. With a token, it wants one. */
export async function startAdkAgent(token = ''): Promise<AdkProcess> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const forget = atExit(() => child.kill('SIGKILL'));
  return {
    cardUrl: await printedUrl(child.stdout),
    dispose: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      forget();
    },
  };
}

/** ADK also logs there. */
async function printedUrl(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) if (line.startsWith('http://')) return line;
  throw new Error('The agent ended before it was there.');
}
