import type { ProblemKind } from '../protocol/agent/problem.ts';
import type { ExitReason } from './run-summary.ts';

/** Scripts rely on these values. */
export const ExitCode = {
  done: 0,
  failed: 1,
  authentication: 41,
  badInput: 42,
  badConfiguration: 52,
  turnLimit: 53,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export function exitCodeOfProblem(kind: ProblemKind | undefined): ExitCode {
  switch (kind) {
    case 'no-credential':
    case 'bad-credential':
    case 'forbidden':
      return ExitCode.authentication;
    case 'bad-input':
    case 'message-too-large':
    case 'not-found':
    case 'session-locked':
      return ExitCode.badInput;
    case 'bad-configuration':
      return ExitCode.badConfiguration;
    default:
      return ExitCode.failed;
  }
}

export function exitCodeOfRun(reason: ExitReason, problem: ProblemKind | undefined): ExitCode {
  switch (reason) {
    case 'completed':
    // The user's own hooks ended the run. The exit code is 0, as in Gemini CLI.
    case 'hook_stopped':
    case 'hook_blocked':
      return ExitCode.done;
    case 'aborted':
      return ExitCode.interrupted;
    case 'max_turns':
      return ExitCode.turnLimit;
    default:
      return exitCodeOfProblem(problem);
  }
}
