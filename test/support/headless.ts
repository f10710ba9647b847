import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distDir } from './dist.ts';

export interface HeadlessOptions {
  readonly cwd?: string;
  /**
   * The whole environment besides PATH and the homes: a key on the developer's machine must not decide a test. To find
   * the sessions of an earlier process, a test gives both the same `GANTRY_HOME`; else each has one of its own.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** What is piped in; without it stdin is empty. `open` is a pipe that nobody writes to or closes. */
  readonly stdin?: string | 'open';
}

export interface HeadlessResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
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
    // A child that ends before it has read everything is one of the cases.
    this.child.stdin.on('error', () => undefined);
    if (stdin !== 'open') this.child.stdin.end(stdin);
    this.ended = once(this.child, 'close').then(([code]) => {
      rmSync(home, { recursive: true, force: true });
      return { code: typeof code === 'number' ? code : null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** Resolves when stdout has come to contain the text; rejects when the process ends without it. */
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

/** What `--output stream-json` printed. */
export function eventsOf(stdout: string): readonly PrintedEvent[] {
  const lines = stdout.trimEnd().split('\n');
  return lines.map((line): PrintedEvent => JSON.parse(line));
}
