import { BaseLlmRequestProcessor, type Event, type InvocationContext } from '@google/adk';

/**
 * Puts messages that were sent during the run into the conversation, right before a request is made. They leave the queue
 * when their event has been stored, so none is lost and none is said twice (docs/adk.md).
 */
export class SteeringProcessor extends BaseLlmRequestProcessor {
  constructor(private readonly waiting: () => readonly Event[]) {
    super();
  }

  override async *runAsync({ abortSignal, invocationId }: InvocationContext): AsyncGenerator<Event, void, void> {
    if (abortSignal?.aborted) return;
    for (const event of this.waiting()) yield { ...event, invocationId };
  }
}
