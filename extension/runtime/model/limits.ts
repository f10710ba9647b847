import type { Limit, Limits } from '../../ports/settings.ts';
import type { AgentEndReason } from '../../protocol/agent/agent-event.ts';
import type { Totals } from '../../sessions/session-totals.ts';

/** The reason why a run must not continue. */
export interface LimitReached {
  readonly reason: AgentEndReason;
  readonly data: Readonly<Record<string, unknown>>;
}

export type LimitScope = keyof Limits;

export const NO_LIMIT: Limit = { turns: -1, minutes: -1, tokens: -1, cost: -1 };

/** The first limit that does not allow another request. */
export function limitReached(limits: Limits, used: Readonly<Record<LimitScope, Totals>>): LimitReached | undefined {
  return reachedIn('prompt', limits.prompt, used.prompt) ?? reachedIn('session', limits.session, used.session);
}

/** Milliseconds until a time limit is reached; undefined if there is no time limit. */
export function timeLeft(limits: Limits, used: Readonly<Record<LimitScope, Totals>>): number | undefined {
  const left = (['prompt', 'session'] as const)
    .filter((scope) => limits[scope].minutes >= 0)
    .map((scope) => limits[scope].minutes * 60_000 - used[scope].milliseconds);
  return left.length === 0 ? undefined : Math.max(0, Math.min(...left));
}

export function limitsCost({ prompt, session }: Limits): boolean {
  return prompt.cost >= 0 || session.cost >= 0;
}

function reachedIn(scope: LimitScope, limit: Limit, used: Totals): LimitReached | undefined {
  const { turns, tokens, cost, milliseconds } = used;
  if (limit.turns >= 0 && turns >= limit.turns) {
    const data = { code: 'MAX_TURNS_EXCEEDED', scope, maxTurns: limit.turns, turnCount: turns };
    return { reason: 'max_turns', data };
  }
  if (limit.minutes >= 0 && milliseconds >= limit.minutes * 60_000) {
    return { reason: 'max_time', data: { code: 'MAX_TIME_EXCEEDED', scope, maxMinutes: limit.minutes } };
  }
  if (limit.tokens >= 0 && tokens >= limit.tokens) {
    return { reason: 'max_budget', data: { code: 'MAX_TOKENS_EXCEEDED', scope, maxTokens: limit.tokens, tokens } };
  }
  if (limit.cost >= 0 && cost >= limit.cost) {
    return { reason: 'max_budget', data: { code: 'MAX_COST_EXCEEDED', scope, maxCost: limit.cost, cost } };
  }
  return undefined;
}
