import * as l10n from '@vscode/l10n';
import { failureText } from '../files/file-failure.ts';
import type { Alarm } from '../ports/clock.ts';
import type { Confinement, ProgramStart } from '../ports/shell.ts';
import { type ProgramEnd, runProgram } from '../processes/run-program.ts';
import { findShellProgram } from '../processes/shell/shell-program.ts';
import { type HookPlace, hookEnvironment } from './hook-environment.ts';
import { asHookOutput, readHookOutput } from './hook-output.ts';
import {
  type CommandHook,
  type HookFailure,
  type HookInput,
  type HookResult,
  hookName,
  type RuntimeHook,
} from './hook-types.ts';

export interface HookRun {
  readonly place: HookPlace;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Limits the hook's own timeout for events that can't wait that long. */
  readonly limitMs: number;
  /** For the timeout of a command. Defaults to real time. */
  readonly alarm?: Alarm;
  /** Whether the files that a hook starts are unchanged since its approval. */
  readonly isAsApproved?: (hook: CommandHook) => Promise<boolean>;
  /** Confines hooks of a project. Rejects with the reason why the hook can't be started. */
  readonly confine?: ((clause: CommandHook['sandbox']) => Promise<Confinement | undefined>) | undefined;
}

const DEFAULT_TIMEOUT = 60_000;

/** A hook answers with a message or a changed request, so a longer output is a mistake. */
const MAX_OUTPUT = 1024 * 1024;

/** Runs one hook. Never rejects. */
export async function runHook(hook: CommandHook | RuntimeHook, input: HookInput, run: HookRun): Promise<HookResult> {
  const timeoutMs = Math.min(hook.timeoutMs ?? DEFAULT_TIMEOUT, run.limitMs);
  if (hook.type === 'runtime') return runAction(hook, input, run.signal, timeoutMs);
  const shell = findShellProgram();
  if (!shell) return { hook, success: false, failure: noShell(hook) };
  if (run.isAsApproved && !(await run.isAsApproved(hook))) return { hook, success: false, failure: changed(hook) };
  const start: ProgramStart = {
    file: shell.file,
    args: shell.argumentsFor(commandLine(hook.command, process.platform)),
    folder: run.place.folder,
    environment: hookEnvironment(run.environment, run.place, hook.env),
  };
  let confinement: Confinement | undefined;
  try {
    confinement = hook.source === 'project' ? await run.confine?.(hook.sandbox) : undefined;
  } catch (error) {
    return { hook, success: false, failure: notStarted(hook, failureText(error)) };
  }
  const end = await runProgram({
    ...(confinement?.wrap(start) ?? start),
    input: JSON.stringify(input),
    signal: run.signal,
    timeoutMs,
    maxBytes: MAX_OUTPUT,
    alarm: run.alarm,
  });
  await confinement?.release();
  return run.signal.aborted ? { hook, success: false, failure: STOPPED } : resultOf(hook, end, timeoutMs);
}

/**
 * The shell gets the command unchanged. Gemini CLI also inserts the values of its variables, but the shell finds the
 * same values in its environment, so nothing has to be quoted.
 */
export function commandLine(command: string, platform: NodeJS.Platform): string {
  // By default, PowerShell exits with 0 or 1 instead of the program's exit code.
  return platform === 'win32' ? `${command}\nif ($LASTEXITCODE) { exit $LASTEXITCODE }` : command;
}

function resultOf(hook: CommandHook, end: ProgramEnd, timeoutMs: number): HookResult {
  const { exitCode, stdout, stderr } = end;
  const open = unanswered(hook, end, timeoutMs);
  if (open || exitCode === null) return { hook, success: false, ...(open && { failure: open }) };
  const output = readHookOutput({ exitCode, stdout, stderr });
  const answer = output && { output };
  if (exitCode === 0) return { hook, success: true, ...answer };
  const text = l10n.t('The hook {0} ended with the exit code {1}.', hookName(hook), exitCode);
  return { hook, success: false, ...answer, failure: { kind: 'exit', text } };
}

/** Why the hook's answer is unknown. The exit code alone is enough for a hook that blocks. */
function unanswered(hook: CommandHook, end: ProgramEnd, timeoutMs: number): HookFailure | undefined {
  const name = hookName(hook);
  if (end.failure !== undefined) return notStarted(hook, end.failure);
  if (end.timedOut)
    return {
      kind: 'timeout',
      text: l10n.t('The hook {0} did not answer in {1} s and was ended.', name, timeoutMs / 1000),
    };
  if (end.exitCode === null)
    return { kind: 'killed', text: l10n.t('The hook {0} was ended by {1}.', name, end.signal ?? l10n.t('a signal')) };
  if (end.truncated && end.exitCode !== 2)
    return { kind: 'too_much', text: l10n.t('The hook {0} printed more than 1 MB.', name) };
  return undefined;
}

function notStarted(hook: CommandHook, why: string): HookFailure {
  return { kind: 'not_started', text: l10n.t('The hook {0} could not be started: {1}', hookName(hook), why) };
}

function noShell(hook: CommandHook): HookFailure {
  return { kind: 'not_started', text: l10n.t('The hook {0} could not be started: there is no shell.', hookName(hook)) };
}

function changed(hook: CommandHook): HookFailure {
  const text = l10n.t(
    'The hook {0} was not started: a file that it starts has changed since you approved it.',
    hookName(hook),
  );
  return { kind: 'not_started', text };
}

const STOPPED: HookFailure = { kind: 'stopped', text: 'Stopped.' };

async function runAction(
  hook: RuntimeHook,
  input: HookInput,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<HookResult> {
  const limit = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    const ended = new Promise<never>((_, reject) => {
      either.addEventListener('abort', () => reject(new Error('ended')), { once: true });
    });
    const output = asHookOutput(await Promise.race([hook.action(input, either), ended]));
    return { hook, success: true, ...(output && { output }) };
  } catch (error) {
    if (signal.aborted) return { hook, success: false, failure: STOPPED };
    const { name } = hook;
    const failure: HookFailure = limit.aborted
      ? { kind: 'timeout', text: l10n.t('The hook {0} did not answer in {1} s.', name, timeoutMs / 1000) }
      : {
          kind: 'killed',
          text: l10n.t('The hook {0} failed: {1}', name, failureText(error)),
        };
    return { hook, success: false, failure };
  }
}
