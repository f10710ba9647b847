import { BaseLlmRequestProcessor, type Event, type InvocationContext, type LlmAgent } from '@google/adk';
import type { CompactionProcessor } from '../compaction/session-compaction.ts';
import type { HistoryProcessor } from '../request/history-contents.ts';
import type { ToolOutputMaskingProcessor } from '../request/masking-processor.ts';

/** The processors that ADK gives an agent; most are not exported. A new version of ADK may have others. */
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

/** Gantry's own processors. */
export interface OwnProcessors {
  readonly steering: SteeringProcessor;
  readonly history: HistoryProcessor;
  readonly compaction: CompactionProcessor;
  readonly masking: ToolOutputMaskingProcessor;
}

/** Arranges the processors that a request passes before it is sent. Call it once per agent. */
export function arrangeRequestPipeline(
  agent: LlmAgent,
  { steering, history, compaction, masking }: OwnProcessors,
): void {
  const adk = byName(agent.requestProcessors);
  agent.requestProcessors = [
    adk.BasicLlmRequestProcessor,
    adk.AuthPreprocessor,
    adk.IdentityLlmRequestProcessor,
    adk.InstructionsLlmRequestProcessor,
    // RequestConfirmation and RequestInput are omitted: at every request they search the whole history for questions
    // that ADK asked the user, but in Gantry the scheduler asks.
    steering,
    history,
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
 * Adds messages that were sent during the run to the conversation, right before a request. They leave the queue when
 * their event is stored, so no message is lost or sent twice (docs/adk.md).
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
