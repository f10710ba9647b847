import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ShellExit } from '../../ports/shell.ts';
import { PlainLog } from './plain-log.ts';
import { type RunningCommand, RunningCommands, type StoppedBy } from './running-command.ts';
import { terminalText } from './terminal-text.ts';

/** A command that runs, or has run, in the background. */
export interface BackgroundProcess {
  readonly pid: number;
  /** The id of the call that started it. */
  readonly callId: string;
  readonly command: string;
  readonly folder: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Undefined while it runs. */
  readonly exit: ShellExit | undefined;
  /** Who stopped it, if anyone did. */
  readonly stoppedBy: StoppedBy | 'agent' | undefined;
  /** The file with its whole output, if outputs are saved. */
  readonly logFile: string | undefined;
}

export interface ProcessTableOptions {
  /** Absolute. If undefined, no logs are saved. */
  readonly outputFolder?: string | undefined;
  readonly onEnded?: (process: BackgroundProcess) => void;
}

interface Entry {
  readonly pid: number;
  readonly callId: string;
  stoppedByAgent: boolean;
  readonly command: RunningCommand;
  readonly log: PlainLog | undefined;
  /** Resolves when its end has been fully processed. */
  readonly settled: Promise<void>;
}

/** The same limit as in Gemini CLI. */
const MAX_FINISHED = 100;
const MAX_READ_CHARS = 64 * 1024;
/** The wait after all attempts to end a process. A process of another user may continue. */
const END_WAIT_MS = 5000;

/** The processes of one session: those in the background and, in `foreground`, those that the agent waits for. */
export class ProcessTable {
  readonly foreground = new RunningCommands();
  private readonly entries = new Map<number, Entry>();
  private readonly options: ProcessTableOptions;

  constructor(options: ProcessTableOptions = {}) {
    this.options = options;
  }

  /** Takes over a command that was started. Its log includes its earlier output. */
  adopt(command: RunningCommand, callId: string): BackgroundProcess | undefined {
    const { pid } = command;
    if (pid === undefined) return undefined;
    const log = this.startLog(pid, command);
    const entry = { pid, callId, stoppedByAgent: false, command, log, settled: this.whenEnded(pid, command, log) };
    // The system may have reused the id of a process that ended.
    this.entries.delete(pid);
    this.entries.set(pid, entry);
    return describe(entry);
  }

  list(): readonly BackgroundProcess[] {
    return [...this.entries.values()].map(describe);
  }

  get(pid: number): BackgroundProcess | undefined {
    const entry = this.entries.get(pid);
    return entry && describe(entry);
  }

  /** The last lines of its output, as a person would see them. */
  async read(pid: number, lines: number): Promise<string | undefined> {
    const entry = this.entries.get(pid);
    if (!entry) return undefined;
    const head = entry.command.output.last(MAX_READ_CHARS);
    const text = await terminalText({ head, dropped: 0, tail: '' });
    return text.split('\n').slice(-lines).join('\n');
  }

  /** Resolves when the process and everything that it started have ended, or when nothing more can be done. */
  async stop(pid: number): Promise<void> {
    const entry = this.entries.get(pid);
    if (!entry) return;
    if (!entry.command.exit) entry.stoppedByAgent = true;
    await entry.command.kill();
    const waiting = new AbortController();
    await Promise.race([entry.settled, delay(END_WAIT_MS, undefined, waiting).catch(() => undefined)]);
    waiting.abort();
    if (!entry.command.exit) entry.stoppedByAgent = false;
  }

  async dispose(): Promise<void> {
    await Promise.all([this.foreground.killAll(), ...[...this.entries.keys()].map((pid) => this.stop(pid))]);
  }

  private startLog(pid: number, command: RunningCommand): PlainLog | undefined {
    const { outputFolder } = this.options;
    if (outputFolder === undefined) return undefined;
    // Includes the time, because process ids are reused.
    const log = new PlainLog(join(outputFolder, `background-${pid}-${command.startedAt}.log`));
    const { head, dropped, tail } = command.output.read();
    log.push(dropped === 0 ? head : `${head}\r\n[${dropped} characters are missing here]\r\n${tail}`);
    command.onOutput((chunk) => log.push(chunk));
    return log;
  }

  private async whenEnded(pid: number, command: RunningCommand, log: PlainLog | undefined): Promise<void> {
    await command.ended;
    await log?.close();
    const ended = this.get(pid);
    this.forgetOldest();
    if (ended) this.options.onEnded?.(ended);
  }

  private forgetOldest(): void {
    const finished = [...this.entries.values()].filter(({ command }) => command.exit !== undefined);
    for (const { pid } of finished.slice(0, Math.max(0, finished.length - MAX_FINISHED))) this.entries.delete(pid);
  }
}

function describe({ pid, callId, stoppedByAgent, command, log }: Entry): BackgroundProcess {
  return {
    pid,
    callId,
    command: command.command,
    folder: command.folder,
    startedAt: command.startedAt,
    endedAt: command.endedAt,
    exit: command.exit,
    stoppedBy: command.stoppedBy ?? (stoppedByAgent ? 'agent' : undefined),
    logFile: log?.path,
  };
}
