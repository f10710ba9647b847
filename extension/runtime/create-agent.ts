import { LlmAgent } from '@google/adk';
import { systemInstruction } from '../context/system-instruction.ts';
import type { ConfirmationBroker } from '../scheduler/confirmation-broker.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { steeringEvents } from './adk-agent-protocol.ts';
import { AgentModel } from './agent-model.ts';
import { noticeEvents } from './command-notices.ts';
import type { Host } from './host.ts';
import { askAboutModel } from './model-question.ts';
import { AGENT_NAME } from './repair-history.ts';
import { arrangeRequestPipeline } from './request-pipeline.ts';
import { reviewNotes } from './review-note.ts';
import type { SessionMode } from './session-mode.ts';
import type { SessionModel } from './session-model.ts';
import { SteeringProcessor } from './steering-processor.ts';
import { ModeAwareToolset, toAdkStub } from './to-adk-tool.ts';

export interface AgentParts {
  readonly host: Host;
  readonly journal: SessionJournal;
  readonly registry: ToolRegistry;
  readonly scheduler: Scheduler;
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly broker: ConfirmationBroker;
}

/** The agent of one session, as ADK runs it. */
export function createAgent({ host, journal, registry, scheduler, mode, model, broker }: AgentParts): LlmAgent {
  // Nobody looks at the questions of a session that works for another one.
  const canAsk = host.sessions.interactive && journal.header.parent === undefined;
  const agent = new LlmAgent({
    name: AGENT_NAME,
    model: new AgentModel({
      calls: model.calls,
      modelName: () => model.name,
      lastAsked: () => model.current,
      switching: {
        // Read when it is used: the user may change either during a run.
        get auto() {
          return model.name === 'auto';
        },
        silent: () => !canAsk || mode.mode() === 'plan',
        ask: (question, signal) => askAboutModel(broker, question, signal),
      },
      onModelResolved: (resolved) => model.announce(resolved),
      log: host.log,
      toolFor: (name) => toAdkStub(name, scheduler),
    }),
    // A provider, because ADK treats a plain string as a template and `{x}` in it as a variable.
    instruction: () => systemInstruction(mode.opened, mode),
    tools: [new ModeAwareToolset(registry, scheduler, mode.opened, () => mode.mode())],
    disallowTransferToParent: true,
    disallowTransferToPeers: true,
  });
  arrangeRequestPipeline(
    agent,
    new SteeringProcessor(() => {
      const { history } = journal;
      return [...noticeEvents(history), ...reviewNotes(history), ...steeringEvents(history)];
    }),
  );
  return agent;
}
