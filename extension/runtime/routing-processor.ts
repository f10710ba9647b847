import { BaseLlmRequestProcessor, type Event, type InvocationContext, type LlmRequest } from '@google/adk';
import type { SessionRouting } from './session-routing.ts';

/** Names the model in the request, once everything else of it is known. A hook may still name another one. */
export class RoutingProcessor extends BaseLlmRequestProcessor {
  constructor(private readonly routing: Pick<SessionRouting, 'modelFor'>) {
    super();
  }

  // biome-ignore lint/correctness/useYield: a processor is a generator of events, and this one has none.
  override async *runAsync({ abortSignal }: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void, void> {
    const signal = abortSignal ?? NEVER;
    // ADK runs the processors once more after a stop (docs/adk.md).
    if (signal.aborted) return;
    const model = await this.routing.modelFor(request.contents, signal);
    if (model !== undefined) request.model = model;
  }
}

const NEVER = new AbortController().signal;
