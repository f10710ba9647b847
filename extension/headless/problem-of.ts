import { namedFailure } from '../files/file-failure.ts';
import type { AgentEndEvent, ErrorEvent } from '../protocol/agent/agent-event.ts';
import { type Problem, ProblemError, problemStatus, problemText } from '../protocol/agent/problem.ts';

/** Converts any thrown value to a problem. */
export function thrownProblem(error: unknown): Problem {
  if (ProblemError.is(error)) return error.problem;
  const detail = namedFailure(error);
  return { kind: 'internal', title: 'Something went wrong inside Gantry', detail, actions: [] };
}

export function invalidArgument(title: string, detail: string): ProblemError {
  return new ProblemError({ kind: 'bad-input', title, detail, actions: [] });
}

export function runtimeMissing(cause?: unknown): ProblemError {
  const detail =
    'runtime.js next to headless.js could not be loaded. Install Gantry again, or build it with "npm run build".';
  return new ProblemError({ kind: 'runtime-missing', title: 'Gantry is incomplete', detail, actions: [] }, { cause });
}

/**
 * An event for a message that the session did not accept, so that readers of events handle it like any other failure.
 */
export function refusalEvent(problem: Problem, now: Date): ErrorEvent {
  return {
    type: 'error',
    id: 'refused-0',
    streamId: 'refused',
    timestamp: now.toISOString(),
    status: problemStatus(problem.kind),
    message: problemText(problem),
    fatal: true,
    _meta: { problem },
  };
}

/** The event if the command was interrupted before there was a run that could end. */
export function interruptedEvent(now: Date): AgentEndEvent {
  return { type: 'agent_end', id: 'refused-0', streamId: 'refused', timestamp: now.toISOString(), reason: 'aborted' };
}
