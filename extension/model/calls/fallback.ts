import type { Problem } from '../../protocol/agent/problem.ts';
import { failureIn } from '../model-failure.ts';
import { upgradePage } from '../upgrade-page.ts';
import type { FailureClass } from './failure-class.ts';
import type { ModelAvailability } from './model-availability.ts';
import type { Switching } from './model-call.ts';
import { kindOf, type ModelPolicy, policyChain } from './policy-chain.ts';

export interface FailedRequest {
  readonly model: string;
  readonly failure: FailureClass;
  readonly error: unknown;
  readonly problem: Problem;
  /** The models that this call has already abandoned. It does not return to them without asking. */
  readonly left: ReadonlySet<string>;
}

export type FallbackMove =
  | { readonly act: 'switch'; readonly to: string; readonly chosen: boolean }
  /** Ask the same model again. */
  | { readonly act: 'retry' }
  | { readonly act: 'give-up' };

const GIVE_UP: FallbackMove = { act: 'give-up' };

/** Decides which model replaces one that does not answer, and whether to ask the user first. */
export class Fallback {
  constructor(private readonly health: ModelAvailability) {}

  /**
   * Whether another model exists, or a user who can be asked. Otherwise, a lack of capacity is retried like any other
   * failure.
   */
  isPossible(model: string, { ask, silent, active, alone }: Switching): boolean {
    if (ask && !silent()) return true;
    return policyChain(model, { alone: alone?.() ?? false }).length > 1 || (active !== undefined && active !== model);
  }

  async decide(failed: FailedRequest, switching: Switching, signal: AbortSignal): Promise<FallbackMove> {
    const { model, failure, left } = failed;
    const kind = kindOf(failure);
    const silent = switching.silent();
    const alone = switching.alone?.() ?? false;
    const [policy, ...candidates] = policyChain(model, { auto: switching.auto, silent, alone });
    if (!policy) return GIVE_UP;
    if (candidates.length === 0) {
      const { active } = switching;
      const helps = active !== undefined && active !== model && !left.has(active) && this.health.isAvailable(active);
      return helps
        ? this.leave(policy, failure, active, false)
        : this.ask(failed, policy, undefined, switching, signal);
    }
    const { selected } = this.health.selectFirstAvailable(candidates.map((candidate) => candidate.model));
    const other = candidates.find((candidate) => candidate.model === selected) ?? candidates.find(isLastResort);
    if (!other) return GIVE_UP;
    // The policy of the replacement decides, not that of the failed model, as in Gemini CLI: the same chains must
    // behave the same in both.
    if (other.actions[kind] === 'prompt') return this.ask(failed, policy, other.model, switching, signal);
    return left.has(other.model) ? GIVE_UP : this.leave(policy, failure, other.model, false);
  }

  private async ask(
    { model, error, problem, failure }: FailedRequest,
    policy: ModelPolicy,
    other: string | undefined,
    { ask, silent }: Switching,
    signal: AbortSignal,
  ): Promise<FallbackMove> {
    if (!ask || silent()) return GIVE_UP;
    const page = isUsedUp(failure) ? pageIn(error) : undefined;
    const question = {
      failed: model,
      ...(other !== undefined && { other }),
      problem,
      isQuota: isGoogleQuota(error),
      ...(page !== undefined && { upgradePage: page }),
    };
    switch (await ask(question, signal)) {
      case 'retry_always':
        return other === undefined ? GIVE_UP : this.leave(policy, failure, other, true);
      case 'retry_once':
        return { act: 'retry' };
      case 'stop':
        return GIVE_UP;
    }
  }

  /**
   * Keeps the failed model marked, even if the user switches permanently: otherwise, the next request would use it
   * again. A model that the user chose starts as healthy.
   */
  private leave(policy: ModelPolicy, failure: FailureClass, to: string, chosen: boolean): FallbackMove {
    const { model, transitions, maxAttempts } = policy;
    if (transitions[kindOf(failure)] === 'sticky_retry') {
      this.health.markRetryOncePerTurn(model, maxAttempts);
      this.health.consumeStickyAttempt(model);
    } else {
      this.health.markTerminal(model, isUsedUp(failure) ? 'quota' : 'capacity');
    }
    if (chosen) this.health.markHealthy(to);
    return { act: 'switch', to, chosen };
  }
}

function isUsedUp(failure: FailureClass): boolean {
  return failure.kind === 'terminal' && failure.reason === 'quota';
}

function pageIn(error: unknown): string | undefined {
  const failure = failureIn(error);
  return failure?.type === 'refused' ? upgradePage(failure.error) : undefined;
}

function isLastResort(policy: ModelPolicy): boolean {
  return policy.isLastResort;
}

/** Whether the limit is one of Google's, which has a page where the user can view and raise it. */
function isGoogleQuota(error: unknown): boolean {
  const failure = failureIn(error);
  return failure?.type === 'refused' && failure.status === 429 && (failure.error?.quotaIds?.length ?? 0) > 0;
}
