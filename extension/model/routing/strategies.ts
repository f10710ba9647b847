import { choiceOf, concreteModel, plainName } from '../catalog/model-names.ts';
import type { ModelConfigs, ModelHealth } from '../model-key.ts';
import type { ModelChains, RoutingStrategy } from './routing.ts';

/** Aliases of the user's and of subagents, which are more than a name for a model. */
export interface KnownAliases extends ModelConfigs {
  isAlias(name: string): boolean;
}

export const FALLBACK = 'fallback';

/** The model that is meant cannot answer now: the first of those that may take its place. */
export function fallbackStrategy(configs: ModelConfigs, health: ModelHealth, chains: ModelChains): RoutingStrategy {
  return {
    name: FALLBACK,
    route({ model }) {
      const meant = configs.resolve({ model, isChat: true }).model;
      if (health.isAvailable(meant)) return undefined;
      const other = chains.chainFor(meant).find((candidate) => candidate !== meant && health.isAvailable(candidate));
      return other === undefined ? undefined : { model: other, reason: `${meant} is not available` };
    },
  };
}

/** Somebody named a model. */
export function overrideStrategy(configs: KnownAliases): RoutingStrategy {
  return {
    name: 'override',
    route({ model }) {
      if (choiceOf(model)) return undefined;
      const named = configs.isAlias(model) ? plainName(model) : concreteModel(model);
      return { model: named, reason: `${plainName(model)} was chosen` };
    },
  };
}

/** Planning is the hard part; carrying out what was planned is not. */
export function approvalModeStrategy(health: ModelHealth): RoutingStrategy {
  return {
    name: 'approval mode',
    route({ model, mode, hasApprovedPlan }) {
      const choice = choiceOf(model);
      const planned = mode !== 'plan' && hasApprovedPlan;
      if (!choice || (mode !== 'plan' && !planned)) return undefined;
      const route = planned
        ? { model: choice.flash, reason: 'an approved plan is carried out' }
        : { model: choice.pro, reason: 'a plan is made' };
      return health.isAvailable(route.model) ? route : undefined;
    },
  };
}

export function defaultStrategy(): RoutingStrategy {
  return {
    name: 'default',
    route: ({ model }) => ({ model: concreteModel(model), reason: 'nothing else decided' }),
  };
}
