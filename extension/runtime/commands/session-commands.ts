import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import { canonicalFolder } from '../../files/real-path.ts';
import type { AuditEntry, AuditLog } from '../../policy/audit/audit-log.ts';
import type { Host } from '../../ports/host.ts';
import type { ShellPort } from '../../ports/shell.ts';
import type { TerminalCommand } from '../../ports/terminals.ts';
import type { ToolResult } from '../../ports/tool.ts';
import { identityOf, type SurvivorStop } from '../../processes/shell/process-identity.ts';
import { type BackgroundProcess, ProcessTable } from '../../processes/shell/process-table.ts';
import { RunningCommand } from '../../processes/shell/running-command.ts';
import { terminalText } from '../../processes/shell/terminal-text.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { Ruling } from '../../scheduler/tool-call.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import { cutLongOutput } from '../../text/long-output.ts';
import { watchCommand } from '../../tools/shell/command-watch.ts';
import { binaryNotice, isBinary, showLive } from '../../tools/shell/live-output.ts';
import type { ProtectedFiles } from '../../tools/shell/run-shell-command.ts';
import { commandLabel, spellOutInvisible } from '../../tools/shell/visible-text.ts';
import type { Leader } from '../agents/subagent.ts';
import type { ChangedFiles } from '../changes/session-rewind.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { SandboxAllowed, SessionSandbox } from '../policy/session-sandbox.ts';
import { badInput } from '../problems/message-limits.ts';
import { heldElsewhere } from '../problems/session-problems.ts';
import { comparedFiles, type ReportChanges } from '../protected/compared-files.ts';
import { ProtectedChanges } from '../protected/protected-changes.ts';
import type { ProtectedWatch } from '../protected/protected-watch.ts';
import { type BlockedCommand, BlockedCommands } from './blocked-commands.ts';
import { findLost, type LostCommand, lostResult, type Survivor } from './lost-commands.ts';

export interface SessionCommandsParts {
  readonly host: Host;
  readonly shell: ShellPort;
  readonly journal: SessionJournal;
  readonly stream: EventStream;
  /** The absolute path of the folder for the output of background processes. If undefined, no output is kept. */
  readonly outputFolder: string | undefined;
  readonly audit: AuditLog;
  /** Confines the commands of the agent. Commands that the user types are not confined. */
  readonly sandbox: SessionSandbox;
  /** Compares protected files before and after commands. */
  readonly protectedWatch: ProtectedWatch;
  readonly files: ChangedFiles;
  /** The commands of the leader, if this session works for one. */
  readonly leading: () => Leader['commands'] | undefined;
  /** The other process that has this session open for writing, if any. */
  readonly heldBy: () => string | undefined;
}

/** Decides about a command of the agent by the rules. */
type JudgeCommand = (args: Readonly<Record<string, unknown>>) => Promise<Ruling>;

/** A command that the user typed or started with a button. */
interface UserCommand {
  readonly command: string;
  /** The command line that actually runs, if it differs from `command`. */
  readonly line?: string;
  /** An absolute path. */
  readonly folder: string;
  /** The call whose command is run again outside the sandbox. */
  readonly outsideOf?: string;
  /** For the audit log. */
  readonly why: string;
  /** Whether a person wrote or read the command before it runs. */
  readonly isRead: boolean;
}

/** The result of Stop. `unknown`: no such command is running. `elsewhere`: another window has the session. */
export type StopOutcome = SurvivorStop | 'unknown' | 'elsewhere';

/** The most output of a user's own command that is added to the next turn. The terminal shows the rest. */
const MAX_USER_OUTPUT = 10_000;
/** Enough to see why a server stopped. */
const LAST_LINES = 20;
const MAX_BACKGROUND_OUTPUT = 2000;

/** The commands of one session: records them, shows them, and lets users control them. */
export class SessionCommands {
  private readonly running = new Map<string, RunningCommand>();
  private readonly typed = new Set<string>();
  private readonly lost = new Map<string, LostCommand>();
  private readonly survivors = new Map<string, Survivor>();
  private closed = false;
  private judge: JudgeCommand = () => Promise.resolve({ decision: 'deny', why: 'The session is not ready yet.' });

  /** The commands in the background, and those that the agent waits for. */
  readonly processes: ProcessTable;
  readonly sandbox: SessionSandbox;
  /** Compares the files that commands must not change unnoticed. */
  readonly protectedFiles: ProtectedFiles;
  readonly protectedChanges: ProtectedChanges;

  /** The commands that the sandbox blocked. */
  private readonly blocked = new BlockedCommands();

  constructor(private readonly parts: SessionCommandsParts) {
    this.sandbox = parts.sandbox;
    this.processes = new ProcessTable({
      outputFolder: parts.outputFolder,
      onEnded: (ended) => void this.backgroundEnded(ended),
    });
    parts.journal.onRecord((record) => this.blocked.take(record));
    const { journal, files, host, heldBy, protectedWatch } = parts;
    this.protectedChanges = new ProtectedChanges(journal, files, {
      heldBy,
      isTrusted: () => host.workspace.isTrusted(),
      roots: () => host.workspace.roots().map(canonicalFolder),
      audit: (callId, command, entry) => this.audit(callId, command, entry),
    });
    this.protectedFiles = comparedFiles(protectedWatch, this.reportProtected);
    const begun = host.clock.now();
    journal.onRecord((record) => {
      // Changes that an earlier window recorded say nothing about the current files.
      if (record.type !== 'file_change' || Date.parse(record.at) < begun) return;
      protectedWatch.willWrite(record.path, record.after);
    });
  }

  /**
   * Sets the rules for commands. Rules decide about a tool, and the tool that runs commands is built with this object,
   * so they are set after the tools exist. Until then nothing runs outside the sandbox.
   */
  judgeBy(judge: JudgeCommand): void {
    this.judge = judge;
  }

  /** Reports changes to the leader, if there is one, because the user sees the leader's session. */
  readonly reportProtected: ReportChanges = (changes, by) =>
    this.parts.leading()?.reportProtected(changes, by) ?? this.protectedChanges.report(changes, by);

  /** Registers a command that was started for a call. */
  started(callId: string, command: RunningCommand): void {
    this.take(callId, command, 'agent');
  }

  /** Runs a command that the user typed. Resolves when it has started. Rejects if commands may not run. */
  async runForUser(text: string): Promise<void> {
    const command = text.trim();
    this.checkAllowed(command);
    const folder = this.parts.host.workspace.roots()[0] ?? homedir();
    await this.startForUser({ command, folder, why: 'The user typed it.', isRead: true });
  }

  /**
   * Runs a blocked command of a call again, outside the sandbox, if the rules allow it or the user confirms it. The
   * user is shown the complete command with invisible characters spelled out. The model learns how the command ended.
   * Rejects if commands may not run.
   */
  async runOutside(callId: string, confirm: (command: BlockedCommand) => Promise<boolean>): Promise<void> {
    const blocked = this.blocked.get(callId);
    if (!blocked)
      throw badInput(l10n.t('The sandbox did not block this command, or the command is no longer known.'), notRun());
    const { command, folder } = blocked;
    this.checkAllowed(command);
    const {
      decision,
      why,
      shown = why,
      runs = command,
    } = await this.judge({
      command,
      dir_path: folder,
      outside_sandbox: true,
    });
    if (decision === 'deny') throw badInput(shown, notRun());
    const seen = { command: spellOutInvisible(command), folder };
    if (decision === 'ask_user' && !(await confirm(seen))) return;
    this.checkAllowed(command);
    const line = decision === 'allow' ? runs : command;
    await this.startForUser({
      command,
      line,
      folder,
      outsideOf: callId,
      why: 'The user runs it outside the sandbox.',
      isRead: decision === 'ask_user',
    });
  }

  /**
   * Allows commands what the sandbox blocked. `save` stores it permanently. Returns false if it can't be allowed.
   * Rejects if another window has the session.
   */
  async allow(allowed: Omit<SandboxAllowed, 'always'>, save?: () => Promise<void>): Promise<boolean> {
    this.checkHeld();
    if (!(await this.sandbox.mayAllow(allowed))) return false;
    await save?.();
    this.sandbox.allow({ ...allowed, always: save !== undefined });
    return true;
  }

  private async startForUser(wanted: UserCommand): Promise<void> {
    const { command, line = command, folder, outsideOf, why, isRead } = wanted;
    const callId = `typed-${randomUUID()}`;
    const compared = await this.protectedFiles.before({
      callId,
      command,
      ...(isRead && { byPerson: { isGate: true } }),
    });
    if (this.closed) return compared.later(Promise.resolve());
    const running = new RunningCommand(this.parts.shell.start(line, { folder }), command, folder);
    this.audit(callId, command, { what: 'decided', decision: 'allow', why });
    this.typed.add(callId);
    this.take(callId, running, 'user');
    compared.later(running.ended);
    void this.follow(callId, running, outsideOf);
  }

  /** Whether a command is running that closing the session would end. */
  get isRunning(): boolean {
    return this.running.size + this.survivors.size > 0;
  }

  /** Lets the agent continue without the command. Returns false if the agent is not waiting for it. */
  moveToBackground(callId: string): boolean {
    return this.processes.foreground.moveToBackground(callId);
  }

  /** Stops the command, but not the run. */
  async stop(callId: string): Promise<StopOutcome> {
    if (this.parts.heldBy() !== undefined) return 'elsewhere';
    const command = this.running.get(callId);
    if (!command) return (await this.survivors.get(callId)?.stop()) ?? 'unknown';
    await command.stop('button');
    return 'stopped';
  }

  /** Records the end of a background process of this session. */
  private async backgroundEnded(ended: BackgroundProcess): Promise<void> {
    const lastLines = await this.lastLinesOf(ended);
    const { callId, command, exit, pid, stoppedBy, startedAt, endedAt = startedAt } = ended;
    if (this.closed) return;
    const { journal } = this.parts;
    if (this.survivors.delete(callId)) {
      const { by = 'agent' } = journal.history.commands.get(callId) ?? {};
      const unseen = { exitCode: null, signal: null, output: '', outlived: true };
      journal.append({ type: 'command_ended', callId, by, command, ...unseen, pid, ...(stoppedBy && { stoppedBy }) });
      return;
    }
    journal.append({
      type: 'command_ended',
      callId,
      by: 'agent',
      command,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      output: cutLongOutput(lastLines, { threshold: MAX_BACKGROUND_OUTPUT, file: ended.logFile }),
      pid,
      ...(stoppedBy && { stoppedBy }),
      duration: endedAt - startedAt,
    });
  }

  private async lastLinesOf({ pid }: BackgroundProcess): Promise<string> {
    try {
      return (await this.processes.read(pid, LAST_LINES)) ?? '';
    } catch (error) {
      this.parts.host.log.error('The output of a background process could not be read', error);
      return '';
    }
  }

  /** After a restart, finds out what happened to the commands that were running, and records it. */
  async takeUp(): Promise<void> {
    const { journal } = this.parts;
    const { commands, calls } = journal.history;
    for (const lost of await Promise.all(commands.open.map(findLost))) {
      const { callId, by, command, process: identity } = lost.started;
      if (lost.survivor) this.adopt(callId, lost.survivor);
      const call = calls.get(callId);
      if (call && !call.finished) {
        this.lost.set(callId, lost);
        continue;
      }
      const { state } = lost;
      if (state === 'running' && commands.hasOutlived(callId)) continue;
      journal.append({ type: 'command_lost', callId, by, command, state, ...(identity && { pid: identity.pid }) });
    }
  }

  /** The answer to a call whose command was started by an earlier window. */
  lostResult(callId: string): ToolResult | undefined {
    const lost = this.lost.get(callId);
    return lost && lostResult(lost);
  }

  /** Stops all commands. Nothing is recorded afterwards. */
  async dispose(): Promise<void> {
    this.closed = true;
    const typed = [...this.typed].map((callId) => this.running.get(callId)?.kill());
    await Promise.all([...typed, this.processes.dispose()]);
  }

  private adopt(callId: string, survivor: Survivor): void {
    this.survivors.set(callId, survivor);
    this.processes.adopt(survivor.command, callId);
  }

  private checkHeld(): void {
    const holder = this.parts.heldBy();
    if (holder !== undefined) throw new ProblemError(heldElsewhere(holder));
  }

  private checkAllowed(command: string): void {
    const { host, journal } = this.parts;
    this.checkHeld();
    if (journal.isClosed) throw badInput(l10n.t('The session was closed, so nothing was run.'), notRun());
    if (command === '') throw badInput(l10n.t('Write a command after the exclamation mark.'), notRun());
    if (!host.workspace.isTrusted()) {
      throw badInput(l10n.t('In Restricted Mode nothing runs. Trust the folder to run commands in it.'), notRun());
    }
  }

  private take(callId: string, command: RunningCommand, by: 'agent' | 'user'): void {
    const { host, journal } = this.parts;
    const { pid, folder } = command;
    this.running.set(callId, command);
    void command.ended.then(() => this.running.delete(callId));
    journal.append({
      type: 'command_started',
      callId,
      by,
      command: command.command,
      folder,
      ...(pid !== undefined && { process: { ...identityOf(pid) } }),
    });
    // A command that did not start has no output to show.
    if (pid !== undefined) host.terminals?.show(this.terminalCommand(callId, command));
  }

  /** Shows and records the progress and end of a command that no call waits for. */
  private async follow(callId: string, command: RunningCommand, outsideOf?: string): Promise<void> {
    const { stream, journal, host } = this.parts;
    const live = showLive(command, (display) =>
      stream.sendTransient({ type: 'tool_update', requestId: callId, display }),
    );
    const stopWatching = watchCommand(command, { onWaiting: live.setWaiting, onServer: () => undefined });
    const exit = await command.ended;
    live.stop();
    stopWatching();
    this.typed.delete(callId);
    const { output, pid, stoppedBy, startedAt, endedAt = startedAt } = command;
    try {
      const text = isBinary(output) ? binaryNotice(output) : await terminalText(output.read());
      if (this.closed) return;
      journal.append({
        type: 'command_ended',
        callId,
        by: 'user',
        command: command.command,
        exitCode: exit.exitCode,
        signal: exit.signal,
        output: cutLongOutput(text, { threshold: MAX_USER_OUTPUT, file: undefined }),
        ...(pid !== undefined && { pid }),
        ...(exit.failure !== undefined && { failure: exit.failure }),
        ...(stoppedBy && { stoppedBy }),
        ...(outsideOf !== undefined && { outsideOf }),
        duration: endedAt - startedAt,
      });
      const state = exit.failure === undefined ? 'success' : 'error';
      const facts = { durationMs: endedAt - startedAt, exitCode: exit.exitCode };
      this.audit(callId, command.command, { what: 'finished', state, ...facts });
    } catch (error) {
      host.log.error('The end of a command was not written down', error);
    }
  }

  private audit(callId: string, command: string, entry: AuditEntry): void {
    const { audit, journal } = this.parts;
    audit.add({ session: journal.id, callId, tool: 'run_shell_command', args: { command } }, entry);
  }

  private terminalCommand(callId: string, command: RunningCommand): TerminalCommand {
    const { journal } = this.parts;
    const background = (): BackgroundProcess | undefined => this.processes.get(command.pid ?? 0);
    return {
      sessionId: journal.id,
      callId,
      label: commandLabel(command.command),
      text: spellOutInvisible(command.command),
      folder: command.folder,
      confinedBy: command.confinement,
      takesInput: command.takesInput,
      ended: command.ended,
      isInBackground: () => background()?.callId === callId,
      wasStopped: () => this.closed || command.stoppedBy !== undefined || background()?.stoppedBy !== undefined,
      outputSoFar: (chars) => command.output.last(chars),
      onOutput: (listener) => command.onOutput(listener),
      write: (input) => command.write(input),
      resize: (columns, rows) => command.resize(columns, rows),
      close: () => void command.stop('closing'),
    };
  }
}

const notRun = (): string => l10n.t('The command was not run');
