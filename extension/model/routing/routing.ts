import type { Content } from '@google/genai';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
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
