import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readsThenAnswers } from '../support/gemini/conversation.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { repoRoot } from '../support/repo.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { ANSWER } from './endpoint-answer.ts';
import { median } from './statistics.ts';

/** Two programs side by side, in processes of their own. */
export interface Comparison {
  readonly bare: number;
  readonly gantry: number;
  readonly ratio: number;
}

/** Of each program. */
export const PROCESSES = 7;
const bench = (name: string): string => join(repoRoot, 'out/test/bench', `${name}.mjs`);

/** An endpoint in a process of its own, so that its work is not counted as anybody's. */
export async function forkEndpoint(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const child = fork(bench('endpoint'));
  const [url] = (await once(child, 'message')) as [string];
  return { url, child };
}

/** The figures that a program of the bench prints at its end. */
export async function result(program: string, ...args: readonly string[]): Promise<Record<string, number>> {
  const running = spawn(process.execPath, [bench(program), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(running.stdout));
}

/** Milliseconds from the start of the process to the arrival of its first request: all that a user waits for us. */
export async function measureStart(): Promise<Comparison> {
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n' });
  const home = await tempFolder('bench-home');
  // This process only waits meanwhile, so the endpoint may be in it, and one clock tells both times.
  const endpoint = await startGeminiEndpoint();
  endpoint.always(readsThenAnswers({ filePath: 'a.txt', answer: ANSWER }));
  const env = { PATH: process.env['PATH'], HOME: home.path, GANTRY_HOME: home.path, GEMINI_API_KEY: 'test-key' };
  const start = async (...args: readonly string[]): Promise<number> => {
    endpoint.startOver();
    endpoint.always(readsThenAnswers({ filePath: 'a.txt', answer: ANSWER }));
    const options = { env: { ...env, GOOGLE_GEMINI_BASE_URL: endpoint.url }, cwd: workspace.path };
    const started = performance.now();
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
    const [{ receivedAt }] = await Promise.all([endpoint.waitForRequest(1), once(child, 'close')]);
    return receivedAt - started;
  };
  try {
    return await compare(
      () => start(bench('bare-loop'), endpoint.url, join(workspace.path, 'a.txt'), '1'),
      () => start(join(repoRoot, 'dist/headless.js'), '-p', 'hi'),
    );
  } finally {
    await endpoint.dispose();
    await workspace.dispose();
    await home.dispose();
  }
}

/** Megabytes at the most, over turns with a file read in each. */
export async function measureMemory(turns: number): Promise<Comparison> {
  const { url, child } = await forkEndpoint();
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const home = await tempFolder('bench-home');
  const peak = async (program: string): Promise<number> => {
    const { maxRssKilobytes = Number.NaN } = await result(
      program,
      url,
      join(workspace.path, 'a.txt'),
      String(turns),
      home.path,
    );
    return maxRssKilobytes / 1000;
  };
  try {
    return await compare(
      () => peak('bare-loop'),
      () => peak('gantry-loop'),
    );
  } finally {
    child.disconnect();
    await workspace.dispose();
    await home.dispose();
  }
}

/** Turn about, so that a busy moment of the machine hits both. The first of each only warms the disk's cache. */
async function compare(bareRun: () => Promise<number>, gantryRun: () => Promise<number>): Promise<Comparison> {
  const bareRuns: number[] = [];
  const gantryRuns: number[] = [];
  for (let round = 0; round <= PROCESSES; round++) {
    bareRuns.push(await bareRun());
    gantryRuns.push(await gantryRun());
  }
  const [bare, gantry] = [median(bareRuns.slice(1)), median(gantryRuns.slice(1))];
  return { bare, gantry, ratio: gantry / bare };
}
