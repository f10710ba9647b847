import {
  BaseLlmRequestProcessor,
  CONTENT_REQUEST_PROCESSOR,
  type Event,
  type InvocationContext,
  isLlmAgent,
  type LlmRequest,
} from '@google/adk';
import type { Content } from '@google/genai';
import { HistoryContents } from './history-contents.ts';

/**
 * Fills in the contents of a request, as ADK's own processor does, without converting and copying the whole history for
 * every request (docs/adk.md). ADK's is still asked in the cases that are rare.
 */
export class HistoryProcessor extends BaseLlmRequestProcessor {
  private history: HistoryContents | undefined;

  override async *runAsync(context: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void, void> {
    const contents = this.contentsFor(context);
    if (contents) request.contents = contents;
    else yield* CONTENT_REQUEST_PROCESSOR.runAsync(context, request);
  }

  private contentsFor({ agent, branch, isolationScope, session }: InvocationContext): Content[] | undefined {
    if (!isLlmAgent(agent) || agent.includeContents !== 'default') return undefined;
    const viewpoint = { agentName: agent.name, branch, isolationScope };
    const { events } = session;
    if (!this.history?.isStartOf(events, viewpoint)) this.history = new HistoryContents(viewpoint);
    return this.history.contents(events);
  }
}
