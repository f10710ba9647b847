import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { Host } from '../../ports/host.ts';
import type { AnswerChunk, ContentGenerator, GenerateRequest, ResolvedModel } from '../content-generator.ts';
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
  /** The model that gave the answer. */
  readonly model: string;
}

/**
 * The only way to ask a model. It chooses an available model, waits and retries if that can help, and otherwise
 * switches to another model. An abort rejects with the signal's reason, any other failure with the error of the last
 * attempt.
 */
export class ModelCalls {
  private readonly parts: CallRunParts;

  constructor(parts: ModelCallsParts) {
    this.parts = { ...parts, fallback: new Fallback(parts.health), instead: new Map() };
  }

  /** Streams an answer together with the events of the call. */
  stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<CallEvent, void, undefined> {
    this.parts.onAsking?.();
    return new CallRun(this.parts, call, PIECES, signal).events();
  }

  /** Returns a whole answer. `seen` receives the events of the call; an error that it throws ends the call. */
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

/** The host's way of waiting between attempts. Replayed answers need no waiting. */
export function pauseOf({ clock, recorded }: Pick<Host, 'clock' | 'recorded'>): Pause {
  if (recorded?.replay !== undefined) return () => Promise.resolve();
  return (ms, signal) => clock.pause?.(ms, signal) ?? realPause(ms, signal);
}

/** Waits in real time. Resolves when the time is over or the signal fires. */
export async function realPause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

interface CallRunParts {
  readonly configs: ModelConfigs;
  readonly models: Pick<ModelSource, 'resolve'>;
  readonly health: ModelAvailability;
  readonly fallback: Fallback;
  /** Replacements for models that failed outside of a conversation. Shared by all calls. */
  readonly instead: Map<string, string>;
  readonly now: () => number;
  /** Resolves when the time is over or the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** The maximum number of attempts for a request. */
  readonly maxAttempts: () => number;
  /** Called before the requests of a conversation. */
  readonly onAsking?: () => void;
}

type Send = (
  resolved: ResolvedModel,
  request: GenerateRequest,
  signal: AbortSignal,
) => ReturnType<ContentGenerator['generateContentStream']>;

interface Target {
  readonly model: string;
  readonly limit: number;
}

/** One call until its answer, with all attempts, waits and switches. */
class CallRun {
  private readonly plan: RetryPlan;
  private readonly left = new Set<string>();
  private target: Target;
  private nudge: string | undefined;
  private attempts = 0;
  /** The user asked for exactly one more attempt. */
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

  /** Returns the failure, or undefined on success. */
  private async *attempt(resolved: ResolvedModel): AsyncGenerator<CallEvent, Failed | undefined, undefined> {
    const { model } = resolved;
    let arrived = false;
    try {
      for await (const chunk of await this.send(resolved, this.request(model), this.signal)) {
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

  /** Returns if another attempt follows; throws otherwise. */
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

  /**
   * With a reduced number of attempts, a busy model is not abandoned: that would mark it as failed for all other calls.
   */
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

  /** Selects the first available model of the chain, or the last resort if none is available. */
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

  /** Reports a switch if the wanted model is skipped because it failed before. */
  private *substitution(): Generator<CallEvent, void, undefined> {
    const { configs, health } = this.parts;
    const { model } = this.target;
    const wanted = configs.resolve(this.call.key).model;
    const reason = model === wanted ? undefined : health.unavailability(wanted);
    if (reason === undefined) return;
    yield { type: 'switched', from: wanted, to: model, why: unavailableText(wanted, reason), chosen: false };
  }

  /** Builds the request anew for this model, so that nothing of an earlier attempt is left. */
  private request(model: string): GenerateRequest {
    const { call } = this;
    return {
      model,
      contents: withNudge(call.fit?.(model) ?? call.contents, this.nudge),
      config: call.config({ ...this.configOf(this.target.model), model }),
      ...(call.onSend && { onSend: call.onSend }),
    };
  }

  /** An alias may configure more than its model. Its configuration applies only while that model is asked. */
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

/** After tool results, a model may end its turn without text. */
function hasNothingToAdd(error: unknown, { contents }: ModelCall): boolean {
  const failure = failureIn(error);
  return (
    failure?.type === 'empty' && failure.finishReason === 'STOP' && !failure.thoughtsOnly && answersCalls(contents)
  );
}
