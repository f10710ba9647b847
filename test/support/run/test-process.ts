import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { seconds } from '../output.ts';
import { repoRoot } from '../repo.ts';
import type { TestCounts } from '../reporter.ts';

/** The response of `test/suite.ts` when it has run a file. */
export interface FileResult {
  readonly counts: TestCounts;
  readonly lines: readonly string[];
}

export interface TestProcessOptions {
  readonly timeoutMs: number;
  readonly grep: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** The time limit of a file, in test timeouts: nothing else ends a test that blocks its process. */
const TESTS_IN_A_FILE = 30;

/** A process that runs one test file after another. */
export class TestProcess {
  private readonly child: ChildProcess;
  private readonly fileTimeoutMs: number;

  constructor({ timeoutMs, grep, env }: TestProcessOptions) {
    this.fileTimeoutMs = timeoutMs * TESTS_IN_A_FILE;
    const grepArgs = grep === undefined ? [] : ['--grep', grep];
    this.child = fork(
      join(repoRoot, 'out', 'test', 'suite.mjs'),
      ['--serve', '--timeout', String(timeoutMs), ...grepArgs],
      { cwd: repoRoot, execArgv: ['--enable-source-maps'], env },
    );
  }

  /** Rejects if the process ends. The results of earlier files stay valid, but the process can't run any more files. */
  async run(path: string): Promise<FileResult> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.child.kill('SIGKILL');
        reject(new Error(`Stopped: not done after ${seconds(this.fileTimeoutMs)}.`));
      }, this.fileTimeoutMs);
      const ended = (code: number | null): void => {
        clearTimeout(timer);
        reject(new Error(`The test process ended with code ${code} before it was done.`));
      };
      if (this.hasEnded) ended(this.child.exitCode);
      this.child.once('exit', ended);
      this.child.once('message', (message) => {
        clearTimeout(timer);
        this.child.off('exit', ended);
        resolve(message as FileResult);
      });
      this.child.send(path, () => undefined);
    });
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async end(): Promise<void> {
    if (this.hasEnded) return;
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}
