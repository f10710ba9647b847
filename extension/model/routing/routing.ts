import type { Content } from '@google/genai';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { UtilityModel } from '../utility-model.ts';

/** What is known when a model has to be found for a request. */
export interface RouteRequest {
  /** As it was chosen: `auto`, an alias or an id. */
  readonly model: string;
  readonly mode: ApprovalMode;
  /** The user approved a plan, which is now carried out. */
  readonly hasApprovedPlan: boolean;
  /** What the model will be sent, newest last. */
  readonly contents: readonly Content[];
  /** Of whoever asks: what it uses is theirs. */
  readonly utility: UtilityModel;
}

export interface Route {
  /** An id, or an alias that the user chose, whose configuration is looked up with each attempt. */
  readonly model: string;
  readonly reason: string;
}

/** One way to find a model. Undefined: this one has nothing to say about the request. */
export interface RoutingStrategy {
  readonly name: string;
  route(request: RouteRequest, signal: AbortSignal): Promise<Route | undefined> | Route | undefined;
}

/** Which other models may take the place of one, best first. */
export interface ModelChains {
  chainFor(model: string): readonly string[];
}
