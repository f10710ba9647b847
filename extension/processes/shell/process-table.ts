import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ShellExit } from '../../ports/shell.ts';
import { PlainLog } from './plain-log.ts';
import type { RunningCommand, StoppedBy } from './running-command.ts';
import { RunningCommands } from './running-commands.ts';
import { terminalText } from './terminal-text.ts';

/** A command that runs, or has run, while the agent did other things. */
export interface BackgroundProcess {
  readonly pid: number;
  /** The call that started it. */
  readonly callId: string;
  readonly command: string;
  readonly folder: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Undefined while it runs. */
  readonly exit: ShellExit | undefined;
  /** Who made it end, when somebody did. */
  readonly stoppedBy: StoppedBy | 'agent' | undefined;
  /** Its whole output, where outputs are kept. */
  readonly logFile: string | undefined;
}

export interface ProcessTableOptions {
  /** Absolute; undefined keeps no logs. */
  readonly outputFolder?: string | undefined;
  readonly onEnded?: (process: BackgroundProcess) => void;
}

interface Entry {
  readonly pid: number;
  readonly callId: string;
  stoppedByAgent: boolean;
  readonly command: RunningCommand;
  readonly log: PlainLog | undefined;
  /** When everything about its end is done. */
  readonly settled: Promise<void>;
}

/** As in Gemini CLI. */
const MAX_FINISHED = 100;
const MAX_READ_CHARS = 64 * 1024;
/** After everything was done to end it: one that outlived its window may belong to another user, and continues. */
const END_WAIT_MS = 5000;

/** The processes of one session: those in the background, and through `foreground` those that the agent waits for. */
export class ProcessTable {
  readonly foreground = new RunningCommands();
  private readonly entries = new Map<number, Entry>();
  private readonly options: ProcessTableOptions;

  constructor(options: ProcessTableOptions = {}) {
    this.options = options;
  }

  /** Takes over a command that was started. Its output so far is part of its log. */
  adopt(command: RunningCommand, callId: string): BackgroundProcess | undefined {
    const { pid } = command;
    if (pid === undefined) return undefined;
    const log = this.startLog(pid, command);
    const entry = { pid, callId, stoppedByAgent: false, command, log, settled: this.whenEnded(pid, command, log) };
    // The system may have given the id of one that ended to this one.
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

  /** The last lines of what it wrote, as a person would see them. */
  async read(pid: number, lines: number): Promise<string | undefined> {
    const entry = this.entries.get(pid);
    if (!entry) return undefined;
    const head = entry.command.output.last(MAX_READ_CHARS);
    const text = await terminalText({ head, dropped: 0, tail: '' });
    return text.split('\n').slice(-lines).join('\n');
  }

  /** Resolves when it is gone, with what it started, or when nothing more can be done about it. */
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
    // With the time, because ids come back.
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
