import { BaseLlmRequestProcessor, type Event, type InvocationContext, type LlmAgent } from '@google/adk';
import type { CompactionProcessor } from '../compaction/session-compaction.ts';
import { HistoryProcessor } from '../request/history-contents.ts';
import type { ToolOutputMaskingProcessor } from '../request/masking-processor.ts';

/** The processors ADK gives an agent, of which most are not exported. A new version of ADK may have others. */
const ADK_PROCESSORS = [
  'BasicLlmRequestProcessor',
  'AuthPreprocessor',
  'IdentityLlmRequestProcessor',
  'InstructionsLlmRequestProcessor',
  'RequestConfirmationLlmRequestProcessor',
  'RequestInputLlmRequestProcessor',
  'ContentRequestProcessor',
  'InteractionsRequestProcessor',
  'CodeExecutionRequestProcessor',
  'ToolFilterRequestProcessor',
] as const;

/** Those of Gantry. */
export interface OwnProcessors {
  readonly steering: SteeringProcessor;
  readonly compaction: CompactionProcessor;
  readonly masking: ToolOutputMaskingProcessor;
}

/** What a request goes through before it is sent, in order. To be called once for an agent. */
export function arrangeRequestPipeline(agent: LlmAgent, { steering, compaction, masking }: OwnProcessors): void {
  const adk = byName(agent.requestProcessors);
  agent.requestProcessors = [
    adk.BasicLlmRequestProcessor,
    adk.AuthPreprocessor,
    adk.IdentityLlmRequestProcessor,
    adk.InstructionsLlmRequestProcessor,
    // Left out: RequestConfirmation and RequestInput. They search the whole history at every request for questions that
    // ADK asked the user; here the scheduler asks.
    steering,
    new HistoryProcessor(),
    compaction,
    masking,
    adk.InteractionsRequestProcessor,
    adk.CodeExecutionRequestProcessor,
    adk.ToolFilterRequestProcessor,
  ];
}

type ByName = Record<(typeof ADK_PROCESSORS)[number], BaseLlmRequestProcessor>;

function byName(processors: readonly BaseLlmRequestProcessor[]): ByName {
  const names = processors.map((processor) => processor.constructor.name);
  if (names.join() !== ADK_PROCESSORS.join()) {
    throw new Error(`ADK's request processors are not those of the version Gantry was built for: ${names.join(', ')}`);
  }
  return Object.fromEntries(processors.map((processor, at) => [names[at], processor])) as ByName;
}

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
