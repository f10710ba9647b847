import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repoRoot } from '../support/repo.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { median } from './statistics.ts';

/** Two programs side by side, in processes of their own. */
export interface Comparison {
  readonly bare: number;
  readonly Gantry: number;
}

/** Of each program. */
const PROCESSES = 7;
export const benchProgram = (name: string): string => join(repoRoot, 'out/test/bench', `${name}.mjs`);

/** A model that runs in a process of its own, so that its work is not counted as anybody's. */
export interface ForkedModel {
  readonly url: string;
  readonly child: ChildProcess;
}

export async function forkModel(
  program: 'endpoint' | 'model-server',
  ...args: readonly string[]
): Promise<ForkedModel> {
  const child = fork(benchProgram(program), args);
  const [url] = (await once(child, 'message')) as [string];
  return { url, child };
}

/** The figures that a program of the bench prints at its end. */
export async function result(program: string, ...args: readonly string[]): Promise<Record<string, number>> {
  const running = spawn(process.execPath, [benchProgram(program), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(running.stdout));
}

/** Megabytes at the most, over turns with a file read in each. */
export async function measureMemory(turns: number): Promise<Comparison> {
  const { url, child } = await forkModel('endpoint');
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
  return { bare: median(bareRuns.slice(1)), Gantry: median(gantryRuns.slice(1)) };
}
