import { z } from 'zod';
import { choiceOf } from '../catalog/model-names.ts';
import type { ModelHealth } from '../model-health.ts';
import type { ModelConfigs } from '../model-key.ts';
import type { UtilityModel } from '../utility-model.ts';
import { CLASSIFIER_INSTRUCTION, CLASSIFIER_SCHEMA, classifierContents } from './classifier-prompt.ts';
import type { Route, RouteRequest, RoutingStrategy } from './routing.ts';

/** From here on the strong model, as in Gemini CLI. */
const THRESHOLD = 90;
/**
 * The lite model takes about two seconds for such an answer. Whoever waits longer waits for a choice that is the default
 * one anyway for nearly every message.
 */
export const CLASSIFIER_LIMIT_MS = 3000;
/** One that was too slow is left alone for a while, so that it does not hold up each message of a bad hour. */
export const CLASSIFIER_REST_MS = 300_000;

export interface ClassifierParts {
  readonly health: ModelHealth;
  readonly configs: ModelConfigs;
  readonly now: () => number;
  /** Resolves after the time, or when the signal says so. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Has a small model rate how hard the message is. Whatever goes wrong, it has nothing to say. */
export class ClassifierStrategy implements RoutingStrategy {
  readonly name = 'classifier';
  private restsUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: ClassifierParts) {}

  async route({ model, contents, utility }: RouteRequest, signal: AbortSignal): Promise<Route | undefined> {
    const choice = choiceOf(model);
    const asked = choice && this.canAsk([choice.pro, choice.flash]) ? classifierContents(contents) : undefined;
    if (!choice || !asked || signal.aborted) return undefined;
    const rated = rating.safeParse(await this.rate(utility, asked, signal)).data;
    if (!rated) return undefined;
    const { complexity_score: score } = rated;
    return {
      model: score >= THRESHOLD ? choice.pro : choice.flash,
      reason: `rated ${score} of 100, ${score >= THRESHOLD ? 'at least' : 'below'} ${THRESHOLD}`,
    };
  }

  /** With one of the two out of order there is nothing to choose. */
  private canAsk(choices: readonly string[]): boolean {
    const { health, configs, now } = this.parts;
    if (now() < this.restsUntil) return false;
    const classifier = configs.resolve({ model: 'classifier' }).model;
    return [classifier, ...choices].every((model) => health.isAvailable(model));
  }

  private async rate(utility: UtilityModel, contents: RatedContents, signal: AbortSignal): Promise<unknown> {
    const { pause, now } = this.parts;
    const over = new AbortController();
    const limited = AbortSignal.any([signal, over.signal]);
    const call = {
      alias: 'classifier',
      purpose: 'choosing a model',
      instruction: CLASSIFIER_INSTRUCTION,
      contents,
      schema: CLASSIFIER_SCHEMA,
      attempts: 1,
      timeoutMs: CLASSIFIER_LIMIT_MS,
    };
    const tooLate = pause(CLASSIFIER_LIMIT_MS, limited).then(() => {
      if (!limited.aborted) this.restsUntil = now() + CLASSIFIER_REST_MS;
      return undefined;
    });
    try {
      return await Promise.race([utility.json(call, limited), tooLate]);
    } finally {
      over.abort();
    }
  }
}

type RatedContents = NonNullable<ReturnType<typeof classifierContents>>;

const rating = z.object({ complexity_score: z.int().min(1).max(100) });
