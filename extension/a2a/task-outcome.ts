import { TaskState } from '@a2a-js/sdk';
import type { AgentEndEvent } from '../protocol/agent/agent-event.ts';
import { type Problem, problemText } from '../protocol/agent/problem.ts';

/** How a task ended. */
export interface Outcome {
  readonly state: TaskState;
  /** Why it did not end well, for people. */
  readonly text?: string;
  /** The same for programs. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** `problem` is what ended the run. */
export function outcomeOf({ reason, data }: Pick<AgentEndEvent, 'reason' | 'data'>, problem?: Problem): Outcome {
  const code = data?.['code'];
  const metadata = {
    reason,
    ...(typeof code === 'string' && { code }),
    ...(problem && { problem: { kind: problem.kind, title: problem.title, detail: problem.detail } }),
  };
  const why = (text: string): string => (problem ? problemText(problem) : text);
  switch (reason) {
    case 'completed':
      return { state: TaskState.TASK_STATE_COMPLETED, metadata };
    case 'refusal':
      return { state: TaskState.TASK_STATE_REJECTED, text: why('The model refused to answer.'), metadata };
    case 'aborted':
      return code === 'INTERRUPTED'
        ? { state: TaskState.TASK_STATE_FAILED, text: INTERRUPTED, metadata }
        : { state: TaskState.TASK_STATE_CANCELED, text: 'The task was canceled.', metadata };
    case 'max_turns':
      return { state: TaskState.TASK_STATE_FAILED, text: why('The limit of turns was reached.'), metadata };
    case 'max_time':
      return { state: TaskState.TASK_STATE_FAILED, text: why('The limit of time was reached.'), metadata };
    case 'max_budget':
      return { state: TaskState.TASK_STATE_FAILED, text: why('A limit of tokens or costs was reached.'), metadata };
    case 'failed':
    case 'elicitation':
      return { state: TaskState.TASK_STATE_FAILED, text: why('The run failed.'), metadata };
  }
}

const INTERRUPTED =
  'The process that worked on this task ended. Send {"action":"continue"} as data to its context to continue.';
