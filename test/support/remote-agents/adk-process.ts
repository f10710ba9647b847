import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { atExit } from '../at-exit.ts';
import { deferred } from '../deferred.ts';

export interface AdkProcess {
  readonly cardUrl: string;
  dispose(): Promise<void>;
}

const FOLDER = 'out/test/support/remote-agents';
const PROGRAM = resolve(FOLDER, 'adk-agent.mjs');
const CALLER = resolve(FOLDER, 'adk-caller.mjs');

/** An agent of ADK, served by its own `toA2a` in a process of its own. With a token, it wants one. */
export async function startAdkAgent(token = ''): Promise<AdkProcess> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const forget = atExit(() => child.kill('SIGKILL'));
  return {
    cardUrl: await printedUrl(child.stdout),
    dispose: () => kill(child, forget),
  };
}

async function kill(child: ChildProcess, forget: () => void): Promise<void> {
  const ended = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await ended;
  forget();
}

/** ADK also logs there. */
async function printedUrl(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) if (line.startsWith('http://')) return line;
  throw new Error('The agent ended before it was there.');
}

/** What came back for a message. */
interface AdkReply {
  readonly text: string;
  readonly states: readonly string[];
  readonly errors: readonly string[];
  readonly task: string;
}

export interface AdkCaller {
  /** The next message is the first of a new session. */
  begin(): void;
  /** Sends a message, and resolves when ADK's run has ended. */
  say(text: string): Promise<AdkReply>;
  /** The current task, once the server has named it. */
  task(): Promise<string>;
  dispose(): Promise<void>;
}

const line = z.object({
  ready: z.boolean().optional(),
  end: z.boolean().optional(),
  task: z.string().optional(),
  state: z.string().optional(),
  text: z.string().optional(),
  partial: z.boolean().optional(),
  errorMessage: z.string().optional(),
});

/** ADK's agent for the A2A server at this address, in a process of its own. */
export async function startAdkCaller(url: string, token: string): Promise<AdkCaller> {
  const child = spawn(process.execPath, [CALLER], {
    env: { ...process.env, URL: url, TOKEN: token },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const forget = atExit(() => child.kill('SIGKILL'));
  const lines = printed(child.stdout);
  await lines.next();
  let task = deferred<string>();
  return {
    begin: () => void child.stdin.write('\n'),
    say: async (text) => {
      task = deferred();
      child.stdin.write(`${text}\n`);
      const reply = { text: '', states: [] as string[], errors: [] as string[], task: '' };
      for (let next = await lines.next(); !next.done && !next.value.end; next = await lines.next()) {
        const { task: id, state, text: said = '', partial, errorMessage } = next.value;
        if (id !== undefined) {
          reply.task = id;
          task.resolve(id);
        }
        if (state !== undefined) reply.states.push(state);
        if (errorMessage !== undefined) reply.errors.push(errorMessage);
        // ADK repeats what came in pieces as a whole.
        reply.text = partial ? reply.text + said : reply.text || said;
      }
      return reply;
    },
    task: () => task.promise,
    dispose: () => kill(child, forget),
  };
}

async function* printed(output: Readable): AsyncGenerator<z.infer<typeof line>> {
  for await (const text of createInterface({ input: output }))
    if (text.startsWith('@')) yield line.parse(JSON.parse(text.slice(1)));
}
