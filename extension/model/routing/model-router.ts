import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { concreteModel } from '../catalog/model-names.ts';
import type { ModelHealth } from '../model-key.ts';
import { type ClassifierParts, ClassifierStrategy } from './classifier-strategy.ts';
import {
  approvalModeStrategy,
  defaultStrategy,
  fallbackStrategy,
  type KnownAliases,
  type ModelChains,
  overrideStrategy,
  type Route,
  type RouteRequest,
  type RoutingStrategy,
} from './strategies.ts';

export interface RouterParts extends ClassifierParts {
  readonly configs: KnownAliases;
  readonly chains: ModelChains;
  /** Whether Gantry may choose this model if the user did not name it. */
  readonly mayChoose: (model: string) => boolean;
}

/** The strategies in order; the first that returns a route decides. */
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

export class ModelRouter {
  constructor(
    private readonly strategies: readonly RoutingStrategy[],
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {}

  /** Never rejects: if no strategy decides, the chosen model is used. */
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
