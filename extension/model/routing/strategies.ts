import type { Content } from '@google/genai';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import { choiceOf, concreteModel, plainName } from '../catalog/model-names.ts';
import type { ModelConfigs, ModelHealth } from '../model-key.ts';
import type { UtilityModel } from '../utility-model.ts';

/** The input for choosing the model of a request. */
export interface RouteRequest {
  /** The user's choice: `auto`, an alias or an id. */
  readonly model: string;
  readonly mode: ApprovalMode;
  /** Whether the agent is carrying out an approved plan. */
  readonly hasApprovedPlan: boolean;
  /** The contents of the request, newest last. */
  readonly contents: readonly Content[];
  /** The utility model of the session, so that its usage counts for that session. */
  readonly utility: UtilityModel;
}

export interface Route {
  /** An id, or the user's alias, whose configuration is resolved for each attempt. */
  readonly model: string;
  readonly reason: string;
}

/** One way to choose a model. Undefined means that the strategy makes no choice. */
export interface RoutingStrategy {
  readonly name: string;
  route(request: RouteRequest, signal: AbortSignal): Promise<Route | undefined> | Route | undefined;
}

/** The models that may replace another one, best first. */
export interface ModelChains {
  chainFor(model: string): readonly string[];
}

/** Recognizes the aliases of the user and of subagents, which configure more than a model. */
export interface KnownAliases extends ModelConfigs {
  isAlias(name: string): boolean;
}

export const FALLBACK = 'fallback';

/** If the chosen model is unavailable, selects the first available replacement. */
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

/** Applies if the user named a model. */
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

/** Planning needs the stronger model; carrying out a plan does not. */
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
