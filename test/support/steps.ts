import { type ChildProcess, fork, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { print, seconds } from './output.ts';
import { repoRoot } from './repo.ts';
import { describeError, type TestCounts } from './reporter.ts';

export interface StepResult extends TestCounts {
  readonly name: string;
  readonly milliseconds: number;
}

/** A step that hangs is stopped and counts as failed. As long as the whole run may take. */
const stepTimeoutMs = 40 * 60_000;

/** Runs one step with a heading and its duration; whatever goes wrong in it counts as one failure. */
export async function runStep(name: string, work: () => Promise<TestCounts>): Promise<StepResult> {
  print(`\n▶ ${name}`);
  const start = Date.now();
  let counts: TestCounts;
  try {
    counts = await work();
    if (counts.passed + counts.failed === 0) {
      print('No test ran.');
      counts = { ...counts, failed: 1 };
    }
  } catch (error) {
    print(describeError(error));
    counts = { passed: 0, failed: 1, pending: 0 };
  }
  const milliseconds = Date.now() - start;
  const pending = counts.pending > 0 ? `, ${counts.pending} pending` : '';
  print(
    `${counts.failed > 0 ? '✗' : '✓'} ${name}: ${counts.passed} passed, ${counts.failed} failed${pending} in ${seconds(milliseconds)}`,
  );
  return { ...counts, name, milliseconds };
}

/** A program whose exit code is the whole result: one test. */
export async function programStep(program: string, args: readonly string[]): Promise<TestCounts> {
  const child = spawn(program, [...args], { cwd: repoRoot, stdio: 'inherit' });
  const passed = (await exitCodeOf(child)) === 0;
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, pending: 0 };
}

export interface MochaStepOptions {
  /** Folders below `out/test` whose `*.test.mjs` files are run. */
  readonly folders: readonly string[];
  readonly timeoutMs: number;
  readonly grep: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** Test files in a mocha process of their own. */
export async function mochaStep({ folders, timeoutMs, grep, env }: MochaStepOptions): Promise<TestCounts> {
  const files = (await Promise.all(folders.map(testFilesIn))).flat().sort();
  if (files.length === 0) {
    return { passed: 0, failed: 0, pending: 0 };
  }
  const grepArgs = grep === undefined ? [] : ['--grep', grep];
  const child = fork(
    join(repoRoot, 'out', 'test', 'suite.mjs'),
    ['--timeout', String(timeoutMs), ...grepArgs, ...files],
    { cwd: repoRoot, execArgv: ['--enable-source-maps'], env: { ...process.env, ...env } },
  );
  let counts: TestCounts | undefined;
  child.on('message', (message) => {
    counts = message as TestCounts;
  });
  const code = await exitCodeOf(child);
  if (counts === undefined) {
    throw new Error(`The test process ended with code ${code} before it reported its counts.`);
  }
  return counts;
}

async function testFilesIn(folder: string): Promise<string[]> {
  const root = join(repoRoot, 'out', 'test', folder);
  const names = await readdir(root, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.test.mjs')).map((name) => join(root, name));
}

function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`Stopped: not done after ${seconds(stepTimeoutMs)}.`));
    }, stepTimeoutMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}
