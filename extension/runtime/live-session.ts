import { randomUUID } from 'node:crypto';
import { type Event, getFunctionCalls, LlmAgent, Runner } from '@google/adk';
import { systemInstruction } from '../context/system-instruction.ts';
import type { HookCatalog } from '../hooks/hook-catalog.ts';
import type { ResolvedModel } from '../model/content-generator.ts';
import type { ModelSource } from '../model/model-source.ts';
import type { ToolDisplay } from '../protocol/agent-event.ts';
import { AgentSession } from '../protocol/agent-session.ts';
import { ProblemError } from '../protocol/problem.ts';
import { Approvals } from '../scheduler/approvals.ts';
import { ConfirmationBroker } from '../scheduler/confirmation-broker.ts';
import { Scheduler, type ToolCall } from '../scheduler/scheduler.ts';
import type { FileSessionService } from '../sessions/file-session-service.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import { ToolRegistry } from '../tools/registry.ts';
import type { Tool } from '../tools/tool.ts';
import { AdkAgentProtocol, steeringEvents } from './adk-agent-protocol.ts';
import { AgentModel } from './agent-model.ts';
import { EventStream } from './event-stream.ts';
import { problemEvent } from './event-translator.ts';
import type { Host, Limits } from './host.ts';
import { limitsCost } from './limits.ts';
import { costOf, priceOf } from './prices.ts';
import { AGENT_NAME } from './repair-history.ts';
import { arrangeRequestPipeline } from './request-pipeline.ts';
import { createSessionHooks, type SessionHooks } from './session-hooks.ts';
import { heldElsewhere } from './session-problems.ts';
import { type ChangedFiles, SessionRewind } from './session-rewind.ts';
import { SessionTitle } from './session-title.ts';
import { SteeringProcessor } from './steering-processor.ts';
import { ModeAwareToolset, toAdkStub } from './to-adk-tool.ts';

export interface SessionOptions {
  /** Instead of the configured model. */
  readonly model?: string;
  /** Instead of `gantry.session.maxTurns`. */
  readonly maxTurns?: number;
  /** The call of another session that this one works for. */
  readonly parent?: { readonly sessionId: string; readonly callId: string };
}

/** What all sessions of a service have in common. */
export interface SharedParts {
  readonly host: Host;
  readonly tools: readonly Tool[];
  readonly models: ModelSource;
  readonly adkSessions: FileSessionService;
  readonly hooks: HookCatalog;
}

const ADK_KEY = { appName: 'gantry', userId: 'user' } as const;

/** Everything that belongs to one session, built around its journal. */
export class LiveSession {
  readonly agentSession: AgentSession;
  readonly rewind: SessionRewind;
  private readonly stream: EventStream;
  private readonly protocol: AdkAgentProtocol;
  private readonly registry: ToolRegistry;
  private readonly title: SessionTitle;
  private readonly hooks: SessionHooks;
  private replaying = false;
  /** The model that was asked last. */
  private model = '';

  constructor(
    private readonly shared: SharedParts,
    readonly journal: SessionJournal,
    private readonly files: ChangedFiles,
    private readonly options: SessionOptions = {},
  ) {
    const { host, adkSessions, tools } = shared;
    this.registry = new ToolRegistry(tools);
    this.stream = new EventStream(host.clock, host.log);
    journal.onRecord((record) => this.stream.take(record));
    const { log, settings } = host;
    this.title = new SessionTitle({ journal, resolve: () => this.resolve(), prices: () => settings.prices(), log });
    journal.onRecord((record) => {
      if (host.sessions.interactive && !journal.header.parent && !this.replaying) this.title.take(record);
    });
    const broker = this.createBroker();
    const scheduler = this.createScheduler(broker);
    const session = adkSessions.attach(ADK_KEY, journal, (event) => this.record(event));
    this.hooks = createSessionHooks({
      host,
      catalog: shared.hooks,
      journal,
      session,
      sessions: adkSessions,
      warn: (problem) => this.warn(problem),
      model: () => this.model || this.modelName(),
      end: (end) => this.protocol.endRun(end),
    });
    this.protocol = new AdkAgentProtocol({
      journal,
      stream: this.stream,
      session,
      sessions: adkSessions,
      runner: new Runner({
        ...ADK_KEY,
        agent: this.createAgent(scheduler),
        sessionService: adkSessions,
        plugins: [this.hooks.plugin],
      }),
      hooks: this.hooks.run,
      scheduler,
      broker,
      limits: () => this.limits(),
      interactive: host.sessions.interactive,
      rewinding: () => this.rewind.underWay,
      clock: host.clock,
      log: host.log,
    });
    this.rewind = new SessionRewind(journal, files, {
      isRunning: () => this.protocol.isRunning,
      heldBy: () => this.heldBy,
      resetState: () => adkSessions.resetState(journal.id),
    });
    this.agentSession = new AgentSession(this.protocol);
  }

  /** Who else writes this session, so that it can only be read here. */
  get heldBy(): string | undefined {
    return this.protocol.heldBy;
  }

  /** Takes the session up where its log ends; one that is held elsewhere is only shown. */
  async resume(records: readonly SessionRecord[], heldBy?: string): Promise<void> {
    this.replaying = true;
    this.journal.replay(records);
    this.replaying = false;
    this.shared.adkSessions.resetState(this.journal.id);
    this.protocol.heldBy = heldBy;
    if (heldBy !== undefined) return;
    if (this.journal.history.openRun?.started) this.journal.append({ type: 'run_resumed' });
    await this.files.settle(this.journal.history.changesInDoubt());
    await this.protocol.recover();
  }

  /** Somebody else has taken the session over: nothing that happens here would be kept. */
  async lose(heldBy: string): Promise<void> {
    this.protocol.heldBy = heldBy;
    this.title.close();
    this.warn(heldElsewhere(heldBy));
    await Promise.all([this.journal.close(), this.protocol.abort()]);
  }

  /** Something a user should know now, which is no part of the conversation. */
  warn(problem: ProblemError['problem']): void {
    this.stream.tellOnce(problemEvent(problem, false));
  }

  /** A run that is on is cut off as it would be by a crash: it can be taken up again, an approval still waits. */
  async close(): Promise<void> {
    this.title.close();
    // Both at once: the end of the run is not kept, and nothing is begun that would not be kept.
    await Promise.all([this.journal.close(), this.protocol.abort()]);
    await this.hooks.run.close();
    this.shared.adkSessions.detach(this.journal.id);
  }

  private createBroker(): ConfirmationBroker {
    const { journal } = this;
    return new ConfirmationBroker(
      {
        asked: (requestId, { schema, ...question }) =>
          journal.append({ type: 'asked', requestId, ...question, schema: { ...schema } }),
        answered: ({ requestId, action, content }) =>
          journal.append({ type: 'answered', requestId, action, content: { ...content } }),
      },
      () => `question-${randomUUID()}`,
    );
  }

  private createScheduler(broker: ConfirmationBroker): Scheduler {
    const { host } = this.shared;
    const { journal, files } = this;
    const approvals = new Approvals(broker, {
      interactive: host.sessions.interactive,
      describe: (call) => this.describe(call).description ?? '',
      waitingSince: (callId) => journal.history.calls.get(callId)?.question?.requestId,
    });
    const ports = {
      workspace: host.workspace,
      files: host.files,
      log: host.log,
      session: { mode: () => host.settings.approvalMode(), setMode: () => undefined, plansFolder: undefined },
      readableFolders: () => [],
      isNamedByUser: () => false,
      synced: () => journal.synced(),
      writeFile: (path: string, content: Uint8Array | undefined, callId: string) =>
        files.write(path, content, { callId }),
    };
    return new Scheduler(this.registry, approvals, ports, {
      onUpdate: (call, display) => this.stream.tellOnce({ type: 'tool_update', requestId: call.id, display }),
      onStarted: ({ id }) => journal.append({ type: 'tool_started', callId: id }),
      onFinished: ({ call, state, result }) => {
        const { id, name, args } = call;
        const display = { ...this.describe(call), ...result.display };
        journal.append({ type: 'tool_finished', call: { id, name, args: { ...args } }, state, result, display });
      },
    });
  }

  private createAgent(scheduler: Scheduler): LlmAgent {
    const { host } = this.shared;
    const { history } = this.journal;
    const model = new AgentModel({
      resolve: (model) => this.resolve(model),
      onModelResolved: (resolved) => this.announce(resolved),
      log: host.log,
      toolFor: (name) => toAdkStub(name, scheduler),
    });
    const agent = new LlmAgent({
      name: AGENT_NAME,
      model,
      // A provider, because ADK treats a plain string as a template and `{x}` in it as a variable.
      instruction: () => systemInstruction(host.workspace),
      tools: [new ModeAwareToolset(this.registry, scheduler, host.workspace)],
      disallowTransferToParent: true,
      disallowTransferToPeers: true,
    });
    arrangeRequestPipeline(agent, new SteeringProcessor(() => steeringEvents(history)));
    return agent;
  }

  private resolve(model = this.modelName()): Promise<ResolvedModel> {
    return this.shared.models.resolve(model);
  }

  private modelName(): string {
    return this.journal.history.chosenModel ?? this.options.model ?? this.shared.host.settings.modelName();
  }

  private announce({ label, model }: ResolvedModel): void {
    const { settings } = this.shared.host;
    this.model = model;
    if (limitsCost(this.limits()) && !priceOf(model, settings.prices())) throw noPrice(model);
    if (label !== this.journal.history.modelLabel) this.journal.append({ type: 'model', label });
  }

  private limits(): Limits {
    const limits = this.shared.host.settings.limits();
    const { maxTurns } = this.options;
    return maxTurns === undefined ? limits : { ...limits, prompt: { ...limits.prompt, turns: maxTurns } };
  }

  private record(event: Event): void {
    const calls = getFunctionCalls(event);
    const displays = calls.map(({ id = '', name = '', args = {} }) => [id, this.describe({ id, name, args })] as const);
    const amount = costOf(event, this.model, this.shared.host.settings.prices());
    this.journal.append({
      type: 'event',
      event,
      ...(calls.length > 0 && { displays: Object.fromEntries(displays) }),
      ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
    });
  }

  private describe(call: ToolCall): ToolDisplay {
    const tool = this.registry.get(call.name);
    if (!tool) return { name: call.name };
    return { name: tool.displayName, description: tool.describe(call.args, this.shared.host.workspace) };
  }
}

function noPrice(model: string): ProblemError {
  return new ProblemError({
    kind: 'bad-configuration',
    title: `The price of ${model} is not known`,
    detail: 'You set a limit for costs, so nothing was sent. Add the model to gantry.model.prices, or lift the limit.',
    actions: ['open-settings', 'retry'],
  });
}
