import { type Event, LlmAgent, Runner, setLogger } from '@google/adk';
import { choiceOf } from '../../model/catalog/model-names.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Subagent } from '../agents/subagent.ts';
import type { SessionCalls } from '../calls/session-calls.ts';
import { reviewNotes } from '../changes/review-note.ts';
import { noticeEvents } from '../commands/command-notices.ts';
import { CompactionProcessor, type SessionCompaction } from '../compaction/session-compaction.ts';
import type { SessionWarnings } from '../events/event-stream.ts';
import type { SessionHooks } from '../hooks/session-hooks.ts';
import type { SessionEnvironment } from '../knowledge/session-environment.ts';
import type { SessionInstruction, SessionKnowledge } from '../knowledge/session-knowledge.ts';
import { askAboutModel } from '../model/model-question.ts';
import type { SessionModel } from '../model/session-model.ts';
import { SessionRouting } from '../model/session-routing.ts';
import { createPlugins, type SessionPlugins } from '../plugins/create-plugins.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import { AgentModel } from '../request/agent-model.ts';
import { HistoryProcessor } from '../request/history-contents.ts';
import type { LastRequest } from '../request/last-request.ts';
import { ToolOutputMaskingProcessor } from '../request/masking-processor.ts';
import { AGENT_NAME } from '../request/repair-history.ts';
import type { SavedOutputs } from '../request/saved-outputs.ts';
import type { SessionContext } from '../request/session-context.ts';
import type { SessionSecrets } from '../request/session-secrets.ts';
import { ModeAwareToolset, toAdkStub } from '../request/to-adk-tool.ts';
import type { SharedParts } from '../session-parts.ts';
import { steeringEvents } from './adk-agent-protocol.ts';
import { arrangeRequestPipeline, SteeringProcessor } from './request-pipeline.ts';

export const ADK_KEY = { appName: 'gantry', userId: 'user' } as const;

export interface RunnerParts {
  readonly shared: SharedParts;
  readonly journal: SessionJournal;
  readonly warnings: SessionWarnings;
  readonly registry: ToolRegistry;
  readonly calls: SessionCalls;
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly context: SessionContext;
  readonly last: LastRequest;
  readonly secrets: SessionSecrets;
  readonly hooks: SessionHooks;
  readonly outputs: SavedOutputs;
  readonly compaction: SessionCompaction;
  readonly environment: SessionEnvironment;
  /** The system instruction. */
  readonly instruction: SessionInstruction;
  readonly knowledge: Pick<SessionKnowledge, 'notes'>;
  readonly subagent: Subagent | undefined;
}

/** Creates what ADK runs for a session: the agent, and the plugins around its requests and calls. */
export function createRunner(parts: RunnerParts): { readonly runner: Runner; readonly loops: SessionPlugins['loops'] } {
  const { shared, journal, mode, model } = parts;
  const { loops, plugins } = createPlugins({
    ...parts,
    scheduler: parts.calls.scheduler,
    utility: model.utility,
    hooks: parts.hooks.plugin,
    routing: new SessionRouting({
      ...shared.routing,
      journal,
      model,
      mode: () => mode.mode(),
      warn: parts.warnings.warn,
      log: shared.host.log,
    }),
  });
  const agent = createAgent(parts);
  return { runner: new Runner({ ...ADK_KEY, agent, sessionService: shared.adkSessions, plugins }), loops };
}

function createAgent(parts: RunnerParts): LlmAgent {
  const { journal, registry, mode, model, context, environment, last, outputs } = parts;
  const { host, telemetry } = parts.shared;
  const { scheduler, broker } = parts.calls;
  // A session that works for another one has no user of its own to ask.
  const canAsk = host.sessions.interactive && journal.header.parent === undefined;
  const agent = new LlmAgent({
    name: AGENT_NAME,
    model: new AgentModel({
      calls: model.calls,
      modelName: () => model.name,
      ...model.scope,
      lastAsked: () => model.lastAsked,
      switching: {
        // A getter, because the user may change the model during a run.
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
      last,
      onSent: () => environment.requestSent(),
      secrets: parts.secrets,
      toolFor: (name) => toAdkStub(name, scheduler),
    }),
    // A provider, because ADK treats a plain string as a template and `{x}` in it as a variable.
    instruction: () => parts.instruction.next(),
    tools: [new ModeAwareToolset(registry, scheduler, mode.opened, () => mode.mode())],
    disallowTransferToParent: true,
    disallowTransferToPeers: true,
  });
  const history = new HistoryProcessor();
  // A summary replaces these, too.
  const lost = async (): Promise<readonly Event[]> => {
    await environment.lookAfresh();
    return [...environment.news(), ...parts.knowledge.notes()];
  };
  arrangeRequestPipeline(agent, {
    history,
    steering: new SteeringProcessor(() => [
      ...noticeEvents(journal.history),
      ...environment.news(),
      ...parts.knowledge.notes(),
      ...reviewNotes(journal.history),
      ...steeringEvents(journal.history),
    ]),
    compaction: new CompactionProcessor(parts.compaction, lost, history),
    masking: new ToolOutputMaskingProcessor(outputs, host.log, (masked) => {
      context.masked = masked;
      if (masked.tokens > 0) telemetry.see(journal.id, { kind: 'masked', tokens: masked.tokens });
    }),
  });
  return agent;
}

/** Sets ADK's process-wide switches. Call it before the first run. */
export function prepareAdk(log: Logger): void {
  // By default, ADK puts prompts and tool results into OpenTelemetry spans of any SDK in this process.
  process.env['ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS'] = 'false';
  // ADK's other messages repeat the conversation. Users learn what they need from events.
  const silent = (): void => undefined;
  const debug = (...parts: unknown[]): void => log.debug(`adk: ${parts.join(' ')}`);
  setLogger({ setLogLevel: silent, log: silent, debug: silent, info: silent, warn: debug, error: debug });
}
