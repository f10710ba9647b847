import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atExit } from '../support/at-exit.ts';
import { eventually } from '../support/poll.ts';
import { freePort } from '../support/web-server.ts';
import { unpackPeer } from './peers.ts';

/** Gemini CLI's own A2A server. Its bundle needs none of its dependencies. */
const PACKAGE = { npmPackage: '@google/gemini-cli-a2a-server', version: '0.25.2' };
export const GEMINI_SERVER = `Gemini CLI ${PACKAGE.version}`;

/** It takes 7 s on a quiet machine, and half a minute on a busy one. */
const START_MS = 120_000;

export interface GeminiServerOptions {
  /** The endpoint of the model. */
  readonly model: string;
  readonly workspace: string;
  readonly home: string;
  /** Whether it runs calls without asking about them. */
  readonly isYolo?: boolean;
}

export interface ServerProcess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  stop(): Promise<void>;
}

export const unpackGeminiServer = (): Promise<string> => unpackPeer(PACKAGE);

/** Starts the unpacked server, and resolves when it answers. */
export async function startGeminiServer(folder: string, options: GeminiServerOptions): Promise<ServerProcess> {
  const { model, workspace, home, isYolo = false } = options;
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    GEMINI_API_KEY: 'test-key',
    GOOGLE_GEMINI_BASE_URL: model,
    CODER_AGENT_PORT: String(port),
    CODER_AGENT_WORKSPACE_PATH: workspace,
    GEMINI_YOLO_MODE: String(isYolo),
    // It keeps checkpoints with Git.
    GIT_CONFIG_COUNT: '2',
    ...{ GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Bench' },
    ...{ GIT_CONFIG_KEY_1: 'user.email', GIT_CONFIG_VALUE_1: 'bench@localhost' },
  };
  const child = spawn(process.execPath, [join(folder, 'dist/a2a-server.mjs')], {
    cwd: workspace,
    env,
    stdio: 'ignore',
  });
  const forget = atExit(() => child.kill('SIGKILL'));
  const url = `http://localhost:${port}/`;
  await untilHealthy(url);
  return { url, headers: {}, pid: child.pid ?? 0, stop: () => kill(child, forget) };
}

/** Resolves when the server says what it is. */
export async function untilHealthy(url: string): Promise<void> {
  const answers = (): Promise<boolean> =>
    fetch(new URL('.well-known/agent-card.json', url)).then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
  await eventually(`a server at ${url}`, answers, { timeoutMs: START_MS });
}

async function kill(child: ChildProcess, forget: () => void): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await ended;
  forget();
}
