import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { Host } from '../../ports/host.ts';
import type { AnswerChunk, GenerateRequest, ResolvedModel } from '../content-generator.ts';
import { failureIn } from '../model-failure.ts';
import type { ModelConfig, ModelConfigs } from '../model-key.ts';
import { problemOf } from '../model-problem.ts';
import type { ModelSource } from '../model-source.ts';
import { classifyFailure, type FailureClass } from './failure-class.ts';
import { Fallback, type FallbackMove } from './fallback.ts';
import type { ModelAvailability, Unavailability } from './model-availability.ts';
import type { CallEvent, ModelCall } from './model-call.ts';
import { answersCalls, nudgeFor, withNudge } from './nudge.ts';
import { type ModelPolicy, policyChain } from './policy-chain.ts';
import { MAX_ATTEMPTS, RetryPlan } from './retry-plan.ts';

export type ModelCallsParts = Omit<CallRunParts, 'fallback' | 'instead'>;

export interface WholeAnswer {
  readonly answer: AnswerChunk;
  /** The one that gave it. */
  readonly model: string;
}

/**
 * The one way to ask a model: chooses it among those that answer, waits and tries again where that can help, and goes to
 * another one where it cannot. An abort rejects with the signal's reason, everything else with what the last attempt
 * failed with.
 */
export class ModelCalls {
  private readonly parts: CallRunParts;

  constructor(parts: ModelCallsParts) {
    this.parts = { ...parts, fallback: new Fallback(parts.health), instead: new Map() };
  }

  /** An answer piece by piece, with all that happens on the way to it. */
  stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<CallEvent, void, undefined> {
    return new CallRun(this.parts, call, PIECES, signal).events();
  }

  /** A whole answer. `seen` is told what happens on the way to it; what it throws ends the call. */
  async ask(
    call: ModelCall,
    signal: AbortSignal,
    seen: (event: CallEvent) => void = () => undefined,
  ): Promise<WholeAnswer> {
    let answer: AnswerChunk = {};
    let model = '';
    for await (const event of new CallRun(this.parts, call, WHOLE, signal).events()) {
      seen(event);
      if (event.type === 'chunk') answer = event.chunk;
      if (event.type === 'done') model = event.model;
    }
    return { answer, model };
  }
}

const PIECES: Send = ({ generator }, request, signal) => generator.generateContentStream(request, signal);

const WHOLE: Send = async function* ({ generator }, request, signal) {
  yield await generator.generateContent(request, signal);
};

type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** How a host waits between attempts. What was recorded is not waited for: nobody needs a rest from the next line of a file. */
export function pauseOf({ clock, recorded }: Pick<Host, 'clock' | 'recorded'>): Pause {
  if (recorded?.replay !== undefined) return () => Promise.resolve();
  return (ms, signal) => clock.pause?.(ms, signal) ?? realPause(ms, signal);
}

/** Real time. Resolves when it is over or the signal fires. */
export async function realPause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

interface CallRunParts {
  readonly configs: ModelConfigs;
  readonly models: Pick<ModelSource, 'resolve'>;
  readonly health: ModelAvailability;
  readonly fallback: Fallback;
  /** What answers instead of a model that failed beside the conversation. Shared by all calls. */
  readonly instead: Map<string, string>;
  readonly now: () => number;
  /** Resolves when the time is over or the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  /** How often a request is sent, at most. */
  readonly maxAttempts: () => number;
}

type Send = (resolved: ResolvedModel, request: GenerateRequest, signal: AbortSignal) => AsyncIterable<AnswerChunk>;

interface Target {
  readonly model: string;
  readonly limit: number;
}

/** One call on its way to an answer: as many attempts, waits and switches as it takes. */
class CallRun {
  private readonly plan: RetryPlan;
  private readonly left = new Set<string>();
  private target: Target;
  private nudge: string | undefined;
  private attempts = 0;
  /** The user wants one more attempt and no more. */
  private once = false;

  constructor(
    private readonly parts: CallRunParts,
    private readonly call: ModelCall,
    private readonly send: Send,
    private readonly signal: AbortSignal,
  ) {
    this.plan = new RetryPlan(parts.random);
    this.target = this.select();
  }

  async *events(): AsyncGenerator<CallEvent, void, undefined> {
    yield* this.substitution();
    for (;;) {
      this.signal.throwIfAborted();
      const resolved = await this.parts.models.resolve(this.target.model);
      this.signal.throwIfAborted();
      this.attempts++;
      yield { type: 'attempt', resolved };
      const failed = yield* this.attempt(resolved);
      if (!failed) return;
      yield* this.recover(failed, resolved.model);
    }
  }

  /** Returns what went wrong, or nothing. */
  private async *attempt(resolved: ResolvedModel): AsyncGenerator<CallEvent, Failed | undefined, undefined> {
    const { model } = resolved;
    let arrived = false;
    try {
      for await (const chunk of this.send(resolved, this.request(model), this.signal)) {
        arrived = true;
        yield { type: 'chunk', chunk };
      }
    } catch (error) {
      if (this.signal.aborted) throw this.signal.reason;
      if (!hasNothingToAdd(error, this.call)) return { error, arrived, failure: classifyFailure(error, arrived) };
    }
    this.parts.health.markHealthy(model);
    yield { type: 'done', model, attempts: this.attempts };
    return undefined;
  }

  /** Comes back when there is to be another attempt; throws when there is none. */
  private async *recover(failed: Failed, model: string): AsyncGenerator<CallEvent, void, undefined> {
    const { error, failure, arrived } = failed;
    const why = problemOf(error).title;
    const move = this.plan.failed(failure, this.once ? 1 : this.target.limit, this.canFallBack(failure, model));
    if (move.act === 'give-up') throw error;
    if (move.act === 'wait') {
      const { ms, attempt, of } = move;
      const { deadline = Number.POSITIVE_INFINITY } = this.call;
      if (this.parts.now() + ms > deadline) throw error;
      if (failure.kind === 'stream') this.nudge = nudgeFor(failure.invalid) ?? this.nudge;
      if (arrived) yield { type: 'retracted' };
      yield { type: 'waiting', model, attempt, of, ms, why };
      await this.parts.pause(ms, this.signal);
      return;
    }
    const next = await this.fallBack(failed, model);
    if (next.act === 'give-up') throw error;
    if (arrived) yield { type: 'retracted' };
    this.once = next.act === 'retry';
    if (next.act === 'retry') return;
    this.plan.startOver();
    this.left.add(model);
    this.target = this.targetOf(next.to);
    if (!this.call.key.isChat) this.putInstead(model, next.to);
    yield { type: 'switched', from: model, to: next.to, why, chosen: next.chosen };
  }

  /** Few attempts were wanted: then a model that was only busy is not given up for it, here and for everybody else. */
  private canFallBack({ kind }: FailureClass, model: string): boolean {
    const isPossible = this.parts.fallback.isPossible(model, this.call.switching);
    return isPossible && (this.call.attempts === undefined || kind === 'terminal' || kind === 'not-found');
  }

  private async fallBack({ error, failure }: Failed, model: string): Promise<FallbackMove> {
    const request = { model, failure, error, problem: problemOf(error), left: this.left };
    const next = await this.parts.fallback.decide(request, this.call.switching, this.signal);
    this.signal.throwIfAborted();
    return next;
  }

  /** Of those that could answer the first that does; when none does, the last resort. */
  private select(): Target {
    const { configs, health, instead } = this.parts;
    const { key } = this.call;
    const named = configs.resolve(key).model;
    const base = (key.isChat ? undefined : instead.get(named)) ?? named;
    const chain = this.chain(base);
    const { selected, attempts } = health.selectFirstAvailable(chain.map(({ model }) => model));
    const model = selected ?? chain.find(({ isLastResort }) => isLastResort)?.model ?? base;
    health.consumeStickyAttempt(model);
    return this.targetOf(model, attempts);
  }

  private targetOf(model: string, attempts?: number): Target {
    const own = attempts ?? this.chain(model)[0]?.maxAttempts ?? MAX_ATTEMPTS;
    const limit = Math.min(this.parts.maxAttempts(), this.call.attempts ?? MAX_ATTEMPTS, own);
    return { model, limit: Math.max(1, limit) };
  }

  private chain(model: string): readonly ModelPolicy[] {
    const { auto, silent, alone } = this.call.switching;
    return policyChain(model, { auto, silent: silent(), alone: alone?.() ?? false });
  }

  /** One that failed before is not asked at all, which is a switch too. */
  private *substitution(): Generator<CallEvent, void, undefined> {
    const { configs, health } = this.parts;
    const { model } = this.target;
    const wanted = configs.resolve(this.call.key).model;
    const reason = model === wanted ? undefined : health.unavailability(wanted);
    if (reason === undefined) return;
    yield { type: 'switched', from: wanted, to: model, why: unavailableText(wanted, reason), chosen: false };
  }

  /** Everything again for the model that is asked now, from what the call wants: nothing is left of an earlier attempt. */
  private request(model: string): GenerateRequest {
    const { call } = this;
    return {
      model,
      contents: withNudge(call.fit?.(model) ?? call.contents, this.nudge),
      config: call.config({ ...this.configOf(this.target.model), model }),
    };
  }

  /** A name may stand for more than a model, as long as that is the model which is asked. */
  private configOf(model: string): ModelConfig {
    const { configs } = this.parts;
    const key = { ...this.call.key, ...(this.attempts > 1 && { isRetry: true }) };
    const own = configs.resolve(key);
    return own.model === model ? own : configs.resolve({ ...key, model });
  }

  private putInstead(failed: string, other: string): void {
    const { instead } = this.parts;
    for (const [model, to] of instead) if (to === failed) instead.set(model, other);
    instead.set(failed, other);
    instead.delete(other);
  }
}

interface Failed {
  readonly error: unknown;
  readonly failure: FailureClass;
  readonly arrived: boolean;
}

function unavailableText(model: string, reason: Unavailability): string {
  return reason === 'quota' ? l10n.t('{0} is over its limit', model) : l10n.t('{0} did not answer a moment ago', model);
}

/** After the results of its tools a model may end without another word. */
function hasNothingToAdd(error: unknown, { contents }: ModelCall): boolean {
  const failure = failureIn(error);
  return (
    failure?.type === 'empty' && failure.finishReason === 'STOP' && !failure.thoughtsOnly && answersCalls(contents)
  );
}
