import type { AgentEvent } from './agent-event.ts';
import type { Entry } from './transcript-entry.ts';

/** What the run of this moment has open, and what it has used. */
export interface Run {
  readonly startedAt: number;
  answerId?: string | undefined;
  thinking?: { readonly id: string; readonly since: number } | undefined;
  readonly toolIds: Set<string>;
  /** What the agent said and thought, in order. */
  readonly wordIds: string[];
  /** The wait of this moment. */
  retryId?: string | undefined;
  /** The question about the model that waits. */
  choiceId?: string | undefined;
  inputTokens: number;
  outputTokens: number;
  /** Undefined once the price of a request is not known. */
  cost: Extract<Entry, { kind: 'usage' }>['cost'];
}

export function newRun(startedAt: number): Run {
  return { startedAt, toolIds: new Set(), wordIds: [], inputTokens: 0, outputTokens: 0, cost: { amount: 0 } };
}

/** Something came of the wait. What is only said beside it, such as a title, leaves it alone. */
export function endsWait(event: AgentEvent): boolean {
  switch (event.type) {
    case 'message':
      return event.role === 'agent';
    case 'error':
      return event.fatal;
    case 'custom':
      return event.kind === 'model_waiting' || event.kind === 'model_switched';
    default:
      return ['tool_request', 'elicitation_request', 'agent_end'].includes(event.type);
  }
}

export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000));
}
