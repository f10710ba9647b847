import type { AgentEndReason } from '../protocol/agent-event.ts';
import type { ProblemKind } from '../protocol/problem.ts';

/** Scripts rely on these. */
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

export function exitCodeOfRun(reason: AgentEndReason, problem: ProblemKind | undefined): ExitCode {
  switch (reason) {
    case 'completed':
      return ExitCode.done;
    case 'aborted':
      return ExitCode.interrupted;
    case 'max_turns':
      return ExitCode.turnLimit;
    default:
      return exitCodeOfProblem(problem);
  }
}
