import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { seconds } from '../output.ts';
import { repoRoot } from '../repo.ts';
import { describeError, type TestCounts } from '../reporter.ts';
import type { Section } from './ordered-output.ts';

export interface StepResult extends TestCounts {
  readonly name: string;
  readonly milliseconds: number;
}

export type Write = (line: string) => void;

/** A program that hangs is killed and counts as failed. */
const PROGRAM_TIMEOUT_MS = 10 * 60_000;

/** Runs one step with a heading and its duration. Any error in it counts as one failure. */
export async function runStep(
  name: string,
  { write, end }: Section,
  work: (write: Write) => Promise<TestCounts>,
): Promise<StepResult> {
  write(`\n▶ ${name}`);
  const start = Date.now();
  let counts: TestCounts;
  try {
    counts = await work(write);
    if (counts.passed + counts.failed === 0) {
      write('No test ran.');
      counts = { ...counts, failed: 1, failures: [`${name}: no test ran.`] };
    }
  } catch (error) {
    write(describeError(error));
    counts = { passed: 0, failed: 1, pending: 0, failures: [`${name}\n${describeError(error)}`] };
  }
  const milliseconds = Date.now() - start;
  const pending = counts.pending > 0 ? `, ${counts.pending} pending` : '';
  write(
    `${counts.failed > 0 ? '✗' : '✓'} ${name}: ${counts.passed} passed, ${counts.failed} failed${pending} in ${seconds(milliseconds)}`,
  );
  end();
  return { ...counts, name, milliseconds };
}

/** Runs a program with this Node. Its exit code is the whole result and counts as one test. */
export async function programStep(
  args: readonly string[],
  write: Write,
  env: NodeJS.ProcessEnv = process.env,
): Promise<TestCounts> {
  const child = spawn(process.execPath, [...args], { cwd: repoRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      write(line);
    });
  }
  const code = await exitCodeOf(child);
  return code === 0
    ? { passed: 1, failed: 0, pending: 0 }
    : { passed: 0, failed: 1, pending: 0, failures: [lines.join('\n')] };
}

function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`Stopped: not done after ${seconds(PROGRAM_TIMEOUT_MS)}.`));
    }, PROGRAM_TIMEOUT_MS);
    child.once('error', reject);
    // Not 'exit', because its last output may still be arriving then.
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}
