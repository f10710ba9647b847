import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { concreteModel } from '../catalog/model-names.ts';
import type { ModelHealth } from '../model-key.ts';
import { type ClassifierParts, ClassifierStrategy } from './classifier-strategy.ts';
import type { ModelChains, Route, RouteRequest, RoutingStrategy } from './routing.ts';
import {
  approvalModeStrategy,
  defaultStrategy,
  fallbackStrategy,
  type KnownAliases,
  overrideStrategy,
} from './strategies.ts';

export interface RouterParts extends ClassifierParts {
  readonly configs: KnownAliases;
  readonly chains: ModelChains;
  /** Whether a model may be chosen for somebody who did not name it. */
  readonly mayChoose: (model: string) => boolean;
}

/** Who is asked, in order; the first that has something to say decides. */
export function routingStrategies(parts: RouterParts): readonly RoutingStrategy[] {
  const { configs, health, chains, mayChoose } = parts;
  const choosable: ModelHealth = { isAvailable: (model) => mayChoose(model) && health.isAvailable(model) };
  return [
    fallbackStrategy(configs, health, chains),
    overrideStrategy(configs),
    approvalModeStrategy(choosable),
    new ClassifierStrategy({ ...parts, health: choosable }),
    defaultStrategy(),
  ];
}

export interface RoutedModel extends Route {
  /** The strategy that decided. */
  readonly source: string;
}

/** Finds the model for a request. */
export class ModelRouter {
  constructor(
    private readonly strategies: readonly RoutingStrategy[],
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  /** Never rejects: without any strategy's help it is what was chosen. */
  async route(request: RouteRequest, signal: AbortSignal): Promise<RoutedModel> {
    const began = this.clock.now();
    const routed = (await this.firstRoute(request, signal)) ?? {
      model: concreteModel(request.model),
      source: 'configuration',
      reason: 'nothing could decide',
    };
    const ms = this.clock.now() - began;
    this.log.info(`Model for ${request.model}: ${routed.model} (${routed.source}: ${routed.reason}; ${ms} ms)`);
    return routed;
  }

  private async firstRoute(request: RouteRequest, signal: AbortSignal): Promise<RoutedModel | undefined> {
    for (const strategy of this.strategies) {
      try {
        const route = await strategy.route(request, signal);
        if (route) return { ...route, source: strategy.name };
      } catch (error) {
        if (signal.aborted) return undefined;
        this.log.info(`The model was not chosen by ${strategy.name}: ${String(error)}`);
      }
    }
    return undefined;
  }
}
