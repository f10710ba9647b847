import { randomUUID } from 'node:crypto';
import type { ShellPort } from '../../ports/shell.ts';
import { RunningCommand } from '../../processes/shell/running-command.ts';
import { terminalText } from '../../processes/shell/terminal-text.ts';
import { cutLongOutput } from '../../text/long-output.ts';
import { binaryNotice, isBinary } from '../../tools/shell/live-output.ts';
import type { CommandSandbox, ProtectedFiles } from '../../tools/shell/run-shell-command.ts';
import { type WaitOutcome, waitForCommand } from '../../tools/shell/wait-for-command.ts';
import type { AuditLog } from '../policy/audit-log.ts';

export interface MessageCommandParts {
  readonly shell: ShellPort;
  readonly sandbox: CommandSandbox;
  readonly protectedFiles: ProtectedFiles;
  /** Absolute. */
  readonly folder: string;
  readonly audit: AuditLog;
  readonly sessionId: string;
}

/** It goes into a message, and is paid for with every step after it. */
const MAX_OUTPUT = 40_000;
/** Whoever sent the message waits for it. */
const INACTIVITY_MS = 60_000;

/** Runs a command whose output becomes part of a message: what it wrote, and how it ended if that was not well. */
export async function runForMessage(
  text: string,
  signal: AbortSignal,
  { shell, sandbox, protectedFiles, folder, audit, sessionId }: MessageCommandParts,
): Promise<string> {
  const about = {
    session: sessionId,
    callId: `message-${randomUUID()}`,
    tool: 'run_shell_command',
    args: { command: text },
  };
  audit.add(about, { what: 'decided', decision: 'allow', why: 'It is part of a command that the user sent.' });
  const confinement = await sandbox.confine(false);
  const byPerson = { isGate: true };
  const compared = await protectedFiles.before({ callId: about.callId, command: text, byPerson });
  const command = new RunningCommand(shell.start(text, { folder, confinement }), text, folder);
  compared.later(command.ended);
  const never = new Promise<void>(() => undefined);
  const outcome = await waitForCommand(command, {
    signal,
    inactivityMs: INACTIVITY_MS,
    waitsForUser: () => false,
    timeoutMs: undefined,
    moved: never,
  });
  const { exit, output, startedAt, endedAt = startedAt } = command;
  const exitCode = exit?.exitCode ?? null;
  const state = exit?.failure === undefined ? 'success' : 'error';
  audit.add(about, { what: 'finished', state, durationMs: endedAt - startedAt, exitCode });
  signal.throwIfAborted();
  const written = isBinary(output) ? binaryNotice(output) : await terminalText(output.read());
  const cut = cutLongOutput(written, { threshold: MAX_OUTPUT, file: undefined });
  return [cut, ...statusOf(command, outcome)].join('\n');
}

function statusOf({ exit }: RunningCommand, outcome: WaitOutcome): string[] {
  if (exit?.failure !== undefined) return [`[The command could not be started: ${exit.failure}]`];
  if (outcome === 'inactive') return ['[The command was ended because it wrote nothing for a minute.]'];
  if (exit?.signal) return [`[The command was ended by ${exit.signal}.]`];
  return exit?.exitCode ? [`[The command ended with exit code ${exit.exitCode}.]`] : [];
}
