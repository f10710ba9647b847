import { BasePlugin, type LlmResponse } from '@google/adk';
import type { SessionRouting } from '../model/session-routing.ts';
import { STANDS_FOR_SETTINGS } from '../request/agent-model.ts';

type ModelCallback = Parameters<BasePlugin['beforeModelCallback']>[0];

/**
 * Sets the model of the request, unless a hook has set one. It runs after the hooks: choosing a model may send the
 * message to another model that rates it, and a `BeforeModel` hook may refuse or change the request.
 */
export class RoutingPlugin extends BasePlugin {
  constructor(private readonly routing: Pick<SessionRouting, 'modelFor'>) {
    super('gantry_routing');
  }

  override async beforeModelCallback({ callbackContext, llmRequest }: ModelCallback): Promise<LlmResponse | undefined> {
    const signal = callbackContext.abortSignal ?? NEVER;
    const isNamed = llmRequest.model !== undefined && llmRequest.model !== STANDS_FOR_SETTINGS;
    // A hook that ends the run aborts the signal.
    if (isNamed || signal.aborted) return undefined;
    const model = await this.routing.modelFor(llmRequest.contents, signal);
    if (model !== undefined) llmRequest.model = model;
    return undefined;
  }
}

const NEVER = new AbortController().signal;
