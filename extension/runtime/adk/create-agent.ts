import { LlmAgent } from '@google/adk';
import { choiceOf } from '../../model/catalog/model-names.ts';
import type { Host } from '../../ports/host.ts';
import type { ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { reviewNotes } from '../changes/review-note.ts';
import { noticeEvents } from '../commands/command-notices.ts';
import { CompactionProcessor, type SessionCompaction } from '../compaction/session-compaction.ts';
import type { SessionInstruction } from '../knowledge/session-instruction.ts';
import { askAboutModel } from '../model/model-question.ts';
import type { SessionModel } from '../model/session-model.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import { AgentModel } from '../request/agent-model.ts';
import { ToolOutputMaskingProcessor } from '../request/masking-processor.ts';
import { AGENT_NAME } from '../request/repair-history.ts';
import type { SavedOutputs } from '../request/saved-outputs.ts';
import type { SessionContext } from '../request/session-context.ts';
import { ModeAwareToolset, toAdkStub } from '../request/to-adk-tool.ts';
import { steeringEvents } from './adk-agent-protocol.ts';
import { arrangeRequestPipeline, SteeringProcessor } from './request-pipeline.ts';

export interface AgentParts {
  readonly host: Host;
  readonly journal: SessionJournal;
  readonly registry: ToolRegistry;
  readonly scheduler: Scheduler;
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly context: SessionContext;
  readonly outputs: SavedOutputs;
  readonly compaction: SessionCompaction;
  readonly broker: ConfirmationBroker;
  /** What the model is told before the conversation. */
  readonly instruction: SessionInstruction;
}

/** The agent of one session, as ADK runs it. */
export function createAgent(parts: AgentParts): LlmAgent {
  const { host, journal, registry, scheduler, mode, model, context, outputs, broker } = parts;
  // Nobody looks at the questions of a session that works for another one.
  const canAsk = host.sessions.interactive && journal.header.parent === undefined;
  const agent = new LlmAgent({
    name: AGENT_NAME,
    model: new AgentModel({
      calls: model.calls,
      modelName: () => model.name,
      ...model.scope,
      lastAsked: () => model.lastAsked,
      switching: {
        // Read when it is used: the user may change either during a run.
        get auto() {
          return choiceOf(model.name) !== undefined;
        },
        alone: () => host.settings.keepsModel?.() === true && model.name === host.settings.modelName(),
        silent: () => !canAsk || mode.mode() === 'plan',
        ask: (question, signal) => askAboutModel(broker, question, signal),
      },
      onModelResolved: (resolved) => model.announce(resolved),
      log: host.log,
      context,
      toolFor: (name) => toAdkStub(name, scheduler),
    }),
    // A provider, because ADK treats a plain string as a template and `{x}` in it as a variable.
    instruction: () => parts.instruction.next(),
    tools: [new ModeAwareToolset(registry, scheduler, mode.opened, () => mode.mode())],
    disallowTransferToParent: true,
    disallowTransferToPeers: true,
  });
  arrangeRequestPipeline(agent, {
    steering: new SteeringProcessor(() => {
      const { history } = journal;
      return [...noticeEvents(history), ...reviewNotes(history), ...steeringEvents(history)];
    }),
    compaction: new CompactionProcessor(parts.compaction),
    masking: new ToolOutputMaskingProcessor(outputs, host.log, (masked) => {
      context.masked = masked;
    }),
  });
  return agent;
}
