import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distDir } from './dist.ts';

export interface HeadlessOptions {
  readonly cwd?: string;
  /**
   * The whole environment besides PATH and the home folders: a key on the developer's machine must not affect a test.
   * To find the sessions of an earlier process, a test passes the same `GANTRY_HOME` to both; otherwise, each process
   * has its own.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** The piped input; stdin is empty by default. `open` is a pipe that is neither written nor closed. */
  readonly stdin?: string | 'open';
}

export interface HeadlessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let compiled: string | undefined;

/** A folder for compiled code that all processes share, as on a user's machine. */
function compiledOnce(): string {
  if (compiled !== undefined) return compiled;
  const folder = mkdtempSync(join(tmpdir(), 'gantry-compiled-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  compiled = folder;
  return folder;
}

/** Lets processes with this home folder start as fast as all others. */
export function shareCompiled(home: string): void {
  symlinkSync(compiledOnce(), join(home, 'cache'), 'junction');
}

/** The production bundle as a child process. */
export class HeadlessProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<HeadlessResult>;
  private stdout = '';
  private stderr = '';

  constructor(args: readonly string[], options: HeadlessOptions = {}) {
    const { cwd = tmpdir(), environment = {}, stdin = '' } = options;
    const home = mkdtempSync(join(tmpdir(), 'gantry-home-'));
    shareCompiled(home);
    this.child = spawn(process.execPath, [join(distDir, 'headless.js'), ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, GANTRY_HOME: home, ...environment },
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // Some tests have a child that ends before it has read everything.
    this.child.stdin.on('error', () => undefined);
    if (stdin !== 'open') this.child.stdin.end(stdin);
    this.ended = once(this.child, 'close').then(([code]) => {
      rmSync(home, { recursive: true, force: true });
      return { code: typeof code === 'number' ? code : null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** Resolves when stdout contains the text. Rejects if the process ends without it. */
  async untilPrinted(text: string): Promise<void> {
    const ended = this.ended.then((result) => {
      throw new Error(`"${text}" was never printed: ${JSON.stringify(result)}`);
    });
    ended.catch(() => undefined);
    while (!this.stdout.includes(text)) await Promise.race([once(this.child.stdout, 'data'), ended]);
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }
}

export function runHeadless(args: readonly string[], options: HeadlessOptions = {}): Promise<HeadlessResult> {
  return new HeadlessProcess(args, options).ended;
}

export interface PrintedEvent {
  readonly type: string;
  readonly role?: string;
  readonly reason?: string;
}

/** The output of `--output stream-json`. */
export function eventsOf(stdout: string): readonly PrintedEvent[] {
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line): PrintedEvent => JSON.parse(line));
}
