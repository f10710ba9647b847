import { BaseLlmRequestProcessor, type Event, type InvocationContext, type LlmRequest } from '@google/adk';
import type { SessionCompaction } from './session-compaction.ts';

/**
 * Sends a snapshot in place of what is long ago, and makes one when the conversation takes too much of the window.
 * Changes the request only.
 */
export class CompactionProcessor extends BaseLlmRequestProcessor {
  constructor(private readonly compaction: Pick<SessionCompaction, 'forRequest'>) {
    super();
  }

  // biome-ignore lint/correctness/useYield: a processor is a generator of events, and this one has none to add.
  override async *runAsync(
    { abortSignal = NEVER }: InvocationContext,
    request: LlmRequest,
  ): AsyncGenerator<Event, void, void> {
    request.contents = await this.compaction.forRequest(request.contents, abortSignal);
  }
}

const NEVER = new AbortController().signal;
