import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Event, getFunctionCalls, Runner } from '@google/adk';
import { contextWindow } from '../model/catalog/known-models.ts';
import { type BackgroundProcess, ProcessTable } from '../processes/shell/process-table.ts';
import type { ToolDisplay } from '../protocol/agent-event.ts';
import { AgentSession } from '../protocol/agent-session.ts';
import type { ContextShares } from '../protocol/context-shares.ts';
import type { Problem } from '../protocol/problem.ts';
import type { AskedQuestion } from '../scheduler/confirmation-broker.ts';
import type { ToolCall } from '../scheduler/scheduler.ts';
import { isNotice } from '../sessions/notices.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import { OUTPUTS_NAME } from '../sessions/store/session-folder.ts';
import type { ToolParts } from '../tools/product-tools.ts';
import { ToolRegistry } from '../tools/registry.ts';
import { AdkAgentProtocol } from './adk-agent-protocol.ts';
import { contextShares } from './context-shares.ts';
import { createAgent } from './create-agent.ts';
import { createPlugins } from './create-plugins.ts';
import type { EditReview } from './edit-review.ts';
import { EventStream } from './event-stream.ts';
import { problemEvent } from './event-translator.ts';
import { PendingChanges } from './pending-changes.ts';
import { noticeOf, PolicyNotices } from './policy-notices.ts';
import { SavedOutputs } from './saved-outputs.ts';
import { SessionCalls } from './session-calls.ts';
import { lastLinesOf, SessionCommands } from './session-commands.ts';
import { SessionCompaction } from './session-compaction.ts';
import { SessionContext } from './session-context.ts';
import { createSessionHooks, type SessionHooks } from './session-hooks.ts';
import { SessionKnowledge } from './session-knowledge.ts';
import { plansIn, SessionMode } from './session-mode.ts';
import { SessionModel } from './session-model.ts';
import type { SessionOptions, SharedParts } from './session-parts.ts';
import { SessionPolicy } from './session-policy.ts';
import { heldElsewhere, policyProblem } from './session-problems.ts';
import { type ChangedFiles, SessionRewind } from './session-rewind.ts';
import { SessionRouting } from './session-routing.ts';
import { SessionSecrets } from './session-secrets.ts';
import { SessionTitle } from './session-title.ts';
import { declarationOf } from './to-adk-tool.ts';

const ADK_KEY = { appName: 'gantry', userId: 'user' } as const;

/** Everything that belongs to one session, built around its journal. */
export class LiveSession {
  readonly agentSession: AgentSession;
  readonly rewind: SessionRewind;
  /** What was changed without anybody looking at it first. */
  readonly pendingChanges: PendingChanges;
  private readonly stream: EventStream;
  private readonly protocol: AdkAgentProtocol;
  private readonly registry: ToolRegistry;
  private readonly title: SessionTitle;
  readonly mode: SessionMode;
  /** The instructions it has, and where they come from. */
  readonly knowledge: SessionKnowledge;
  /** The commands that run, and what people do to them. */
  readonly commands: SessionCommands;
  private readonly processes: ProcessTable;
  readonly calls: SessionCalls;
  private readonly hooks: SessionHooks;
  private readonly model: SessionModel;
  /** How much of the model's window it uses. */
  readonly context: SessionContext;
  private readonly outputs: SavedOutputs;
  readonly compaction: SessionCompaction;
  private readonly secrets: SessionSecrets;
  private readonly policyNotices = new PolicyNotices((problem) => {
    const notice = noticeOf(problem);
    if (notice !== undefined) this.warn(policyProblem(notice));
  });
  private replaying = false;

  constructor(
    private readonly shared: SharedParts,
    readonly journal: SessionJournal,
    private readonly files: ChangedFiles,
    /** What belongs to this session alone; undefined where sessions are not kept. */
    folder: string | undefined,
    options: SessionOptions = {},
  ) {
    const { host, adkSessions, tools } = shared;
    this.model = new SessionModel(shared, journal, options);
    this.context = new SessionContext({
      history: journal.history,
      model: () => this.model.current,
      windowOf: contextWindow,
    });
    this.outputs = new SavedOutputs(place(folder, OUTPUTS_NAME), host.log);
    this.secrets = new SessionSecrets({
      host,
      namingKey: shared.namingKey,
      history: () => journal.history.events.flatMap(({ content }) => content ?? []),
    });
    this.stream = new EventStream(host.clock, host.log);
    this.processes = new ProcessTable({
      outputFolder: this.outputs.folder,
      onEnded: (ended) => void this.backgroundEnded(ended),
    });
    this.commands = new SessionCommands({
      host,
      shell: shared.shell,
      journal,
      stream: this.stream,
      processes: this.processes,
      audit: shared.audit,
      heldBy: () => this.heldBy,
    });
    this.mode = new SessionMode(host, journal, folder && plansIn(folder), options.approvalMode);
    this.knowledge = new SessionKnowledge({
      shared,
      journal,
      mode: this.mode,
      registry: () => this.registry,
      warn: (problem) => this.warn(problem),
    });
    this.registry = new ToolRegistry(tools(this.toolParts()));
    journal.onRecord((record) => this.stream.take(record));
    const { log } = host;
    this.title = new SessionTitle({
      journal,
      utility: this.model.utility,
      model: () => this.model.name,
      log,
    });
    journal.onRecord((record) => {
      if (!this.replaying) this.model.take(record);
      if (host.sessions.interactive && !journal.header.parent && !this.replaying) this.title.take(record);
    });
    const session = adkSessions.attach(ADK_KEY, journal, (event) => this.record(event));
    this.hooks = createSessionHooks({
      host,
      catalog: shared.hooks,
      plansFolder: this.mode.plansFolder,
      journal,
      session,
      sessions: adkSessions,
      warn: (problem) => this.warn(problem),
      model: () => this.model.current,
      end: (end) => this.protocol.endRun(end),
    });
    const routing = new SessionRouting({
      ...shared.routing,
      journal,
      model: this.model,
      mode: () => this.mode.mode(),
      warn: (problem) => this.warn(problem),
      log,
    });
    this.calls = this.createCalls();
    this.compaction = this.createCompaction();
    const { broker, scheduler } = this.calls;
    const { loops, plugins } = createPlugins({
      shared,
      journal,
      registry: this.registry,
      scheduler,
      utility: this.model.utility,
      hooks: this.hooks.plugin,
      secrets: this.secrets,
    });
    this.protocol = new AdkAgentProtocol({
      journal,
      stream: this.stream,
      session,
      sessions: adkSessions,
      runner: new Runner({
        ...ADK_KEY,
        agent: createAgent({
          host,
          journal,
          registry: this.registry,
          scheduler,
          mode: this.mode,
          model: this.model,
          context: this.context,
          outputs: this.outputs,
          routing,
          compaction: this.compaction,
          broker,
          instruction: this.knowledge.instruction,
        }),
        sessionService: adkSessions,
        plugins,
      }),
      loops,
      hooks: this.hooks.run,
      scheduler,
      broker,
      mode: this.mode,
      compaction: this.compaction,
      releaseAllowed: () => this.calls.releaseAllowed(),
      limits: () => this.model.limits(),
      checkMessage: (parts) => this.context.checkMessage(parts),
      interactive: host.sessions.interactive,
      rewinding: () => this.rewind.underWay,
      clock: host.clock,
      log: host.log,
    });
    this.rewind = new SessionRewind(journal, files, {
      isRunning: () => this.protocol.isRunning,
      heldBy: () => this.heldBy,
      isTrusted: () => host.workspace.isTrusted(),
      resetState: () => adkSessions.resetState(journal.id),
    });
    this.pendingChanges = new PendingChanges(journal, files, {
      heldBy: () => this.heldBy,
      rewinding: () => this.rewind.underWay,
      isTrusted: () => host.workspace.isTrusted(),
      plansFolder: this.mode.plansFolder,
    });
    this.agentSession = new AgentSession(this.protocol);
  }

  /** Edits that wait for a yes. */
  get edits(): EditReview {
    return this.calls.edits;
  }

  /** What people have been asked and have not answered. */
  get questions(): readonly AskedQuestion[] {
    return this.calls.broker.questions;
  }

  /** What fills the model's window, by kind. */
  get contextShares(): ContextShares {
    const { mode, registry, context, journal } = this;
    const ours = new Set(journal.history.events.filter(isNotice).map(({ content }) => content));
    const { contents, summaryLength } = this.compaction.now() ?? { contents: [], summaryLength: 0 };
    return contextShares(context.use().used, {
      contents,
      summaryLength,
      isOurs: (content) => ours.has(content),
      config: {
        systemInstruction: this.knowledge.instruction.current(),
        tools: [{ functionDeclarations: registry.offered(mode.opened, mode.mode()).map(declarationOf) }],
      },
      model: this.model.current,
      ...context.shortened(),
    });
  }

  get isRunning(): boolean {
    return this.protocol.isRunning;
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
    this.mode.takeUp();
    if (this.journal.history.openRun?.started) this.journal.append({ type: 'run_resumed' });
    await this.files.settle(this.journal.history.changesInDoubt());
    await this.commands.takeUp();
    await this.protocol.recover();
  }

  /** Somebody else has taken the session over: nothing that happens here would be kept. */
  async lose(heldBy: string): Promise<void> {
    this.protocol.heldBy = heldBy;
    this.title.close();
    this.warn(heldElsewhere(heldBy));
    await Promise.all([this.journal.close(), this.protocol.abort()]);
  }

  /** What is wrong with policy files, as far as it was not told before. */
  tellPolicies(): void {
    this.policyNotices.take(this.shared.policies.problems);
  }

  /** Something a user should know now, which is no part of the conversation. */
  warn(problem: Problem): void {
    this.stream.tellOnce(problemEvent(problem, false));
  }

  /** A run that is on is cut off as it would be by a crash: it can be taken up again, an approval still waits. */
  async close(): Promise<void> {
    this.title.close();
    // Both at once: the end of the run is not kept, and nothing is begun that would not be kept.
    await Promise.all([this.journal.close(), this.protocol.abort()]);
    await this.hooks.run.close();
    await Promise.all([this.commands.dispose(), this.processes.dispose()]);
    this.shared.adkSessions.detach(this.journal.id);
  }

  private createCalls(): SessionCalls {
    const { host, audit, policies, shellParser } = this.shared;
    return new SessionCalls({
      host,
      journal: this.journal,
      stream: this.stream,
      files: this.files,
      registry: this.registry,
      mode: this.mode,
      policy: new SessionPolicy({
        host,
        home: homedir(),
        store: policies,
        shellParser,
        journal: this.journal,
        mode: this.mode,
        memoryNames: () => this.shared.memory.knownNames,
        rulesRead: this.shared.rulesRead,
        warn: (detail) => this.warn(policyProblem(detail)),
      }),
      hooks: this.hooks.tools,
      secrets: this.secrets,
      audit,
      outputs: this.outputs,
      skillFolders: () => this.knowledge.skills.readableFolders(),
      tokensLeft: () => this.context.tokensLeft(),
      describe: (call) => this.describe(call),
      lostResult: (callId) => this.commands.lostResult(callId),
    });
  }

  private createCompaction(): SessionCompaction {
    const { journal, model, hooks, stream } = this;
    const { settings, log } = this.shared.host;
    return new SessionCompaction({
      journal,
      utility: model.utility,
      files: this.outputs,
      preCompress: hooks.preCompress,
      model: () => model.current,
      window: () => contextWindow(model.current),
      threshold: () => settings.compressionThreshold(),
      tell: (event) => stream.tellOnce(event),
      log,
    });
  }

  private async backgroundEnded(ended: BackgroundProcess): Promise<void> {
    const output = await lastLinesOf(this.processes, ended).catch((error: unknown) => {
      this.shared.host.log.error('The output of a background process could not be read', error);
      return undefined;
    });
    this.commands.backgroundEnded(ended, output ?? '');
  }

  private toolParts(): ToolParts {
    const { host } = this.shared;
    return {
      assets: host.assets,
      shell: this.shared.shell,
      processes: this.processes,
      commandStarted: (callId, command) => this.commands.started(callId, command),
      canBeAnswered: host.terminals !== undefined,
      ...(host.editor && { editor: host.editor }),
      skills: this.knowledge.skills,
      memoryFile: () => this.shared.memory.fileName,
      generate: (request, signal) => this.model.generate(request, signal),
    };
  }

  private record(event: Event): void {
    const calls = getFunctionCalls(event);
    const displays = calls.map(({ id = '', name = '', args = {} }) => [id, this.describe({ id, name, args })] as const);
    const amount = this.model.costOf(event);
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

function place(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : join(folder, name);
}
