import { join } from 'node:path';
import { Runner } from '@google/adk';
import { contextWindow } from '../model/catalog/known-models.ts';
import { ProcessTable } from '../processes/shell/process-table.ts';
import type { ToolDisplay } from '../protocol/agent/agent-event.ts';
import { AgentSession } from '../protocol/agent/agent-session.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { ContextShares } from '../protocol/agent/context-shares.ts';
import type { Problem } from '../protocol/agent/problem.ts';
import type { PanelState } from '../protocol/panel/panel-messages.ts';
import type { AskedQuestion, ConfirmationBroker } from '../scheduler/confirmation-broker.ts';
import type { ToolCall } from '../scheduler/tool-call.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import type { Totals } from '../sessions/session-totals.ts';
import { OUTPUTS_NAME } from '../sessions/store/session-folder.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { AdkAgentProtocol } from './adk/adk-agent-protocol.ts';
import { createAgent } from './adk/create-agent.ts';
import { answerAmong } from './agents/answer-among.ts';
import { SessionAgents } from './agents/session-agents.ts';
import type { Subagent } from './agents/subagent.ts';
import { TaskResult } from './agents/task-result.ts';
import type { EditReview } from './calls/edit-review.ts';
import { SessionCalls } from './calls/session-calls.ts';
import { SessionMcp } from './calls/session-mcp.ts';
import { PendingChanges } from './changes/pending-changes.ts';
import { type ChangedFiles, SessionRewind } from './changes/session-rewind.ts';
import { SessionCommands } from './commands/session-commands.ts';
import { createCompaction } from './compaction/create-compaction.ts';
import type { SessionCompaction } from './compaction/session-compaction.ts';
import { createRegistry } from './create-registry.ts';
import { createSessionPolicy } from './create-session-policy.ts';
import { describeCall, eventRecord } from './events/event-record.ts';
import { EventStream } from './events/event-stream.ts';
import { problemEvent } from './events/event-translator.ts';
import { createSessionHooks, type SessionHooks } from './hooks/session-hooks.ts';
import { type SessionInstruction, sessionInstruction } from './knowledge/session-instruction.ts';
import { SessionKnowledge } from './knowledge/session-knowledge.ts';
import { sessionShares } from './knowledge/session-shares.ts';
import { isNamedByUser } from './message/named-by-user.ts';
import { SessionModel } from './model/session-model.ts';
import { SessionRouting } from './model/session-routing.ts';
import { SessionTitle } from './model/session-title.ts';
import type { OpenSession } from './open-session.ts';
import { createPlugins } from './plugins/create-plugins.ts';
import { noticeOf, PolicyNotices } from './policy/policy-notices.ts';
import { plansIn, SessionMode } from './policy/session-mode.ts';
import { heldElsewhere } from './problems/session-problems.ts';
import { SavedOutputs } from './request/saved-outputs.ts';
import { SessionContext } from './request/session-context.ts';
import { SessionSecrets } from './request/session-secrets.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionPlace, SharedParts } from './session-parts.ts';

const ADK_KEY = { appName: 'gantry', userId: 'user' } as const;

/** Everything that belongs to one session, built around its journal. */
export class LiveSession implements OpenSession {
  readonly agentSession: AgentSession;
  readonly rewind: SessionRewind;
  /** What was changed without anybody looking at it first. */
  readonly changes: PendingChanges;
  private readonly stream: EventStream;
  private readonly warned = new Set<string>();
  private readonly protocol: AdkAgentProtocol;
  readonly registry: ToolRegistry;
  private readonly title: SessionTitle;
  readonly mode: SessionMode;
  /** The instructions it has, and where they come from. */
  readonly knowledge: SessionKnowledge;
  /** The commands that run, and what people do to them. */
  readonly commands: SessionCommands;
  private readonly processes: ProcessTable;
  readonly calls: SessionCalls;
  private readonly instruction: SessionInstruction;
  private readonly hooks: SessionHooks;
  private readonly model: SessionModel;
  /** How much of the model's window it uses. */
  readonly context: SessionContext;
  private readonly outputs: SavedOutputs;
  readonly compaction: SessionCompaction;
  private readonly secrets: SessionSecrets;
  private readonly agents: SessionAgents;
  private readonly mcp: SessionMcp;
  /** What it handed over, if it is an agent's. */
  readonly task: TaskResult;
  private readonly policyNotices = new PolicyNotices((problem) => {
    const notice = noticeOf(problem);
    if (notice) this.warn(notice);
  });
  private replaying = false;

  constructor(
    private readonly shared: SharedParts,
    readonly journal: SessionJournal,
    private readonly files: ChangedFiles,
    private readonly place: SessionPlace,
    options: SessionOptions = {},
  ) {
    const { host, adkSessions } = shared;
    const { folder, subagent } = place;
    this.model = new SessionModel(shared, journal, options, subagent);
    this.context = new SessionContext({
      history: journal.history,
      model: () => this.model.current,
      windowOf: contextWindow,
    });
    this.outputs = new SavedOutputs(folder && join(folder, OUTPUTS_NAME), host.log);
    this.secrets = new SessionSecrets({
      host,
      namingKey: shared.namingKey,
      history: () => journal.history.events.flatMap(({ content }) => content ?? []),
    });
    this.stream = new EventStream(host.clock, host.log);
    this.processes = new ProcessTable({
      outputFolder: this.outputs.folder,
      onEnded: (ended) => void this.commands.backgroundEnded(ended),
    });
    this.commands = new SessionCommands({
      ...shared,
      journal,
      stream: this.stream,
      processes: this.processes,
      files,
      mode: () => this.mode.mode(),
      leading: () => subagent?.leader?.commands,
      judge: (args) => this.calls.judgeCommand(args),
      heldBy: () => this.heldBy,
    });
    // Plans are what the user approves, with the main agent.
    const plans = subagent ? undefined : folder && plansIn(folder);
    this.mode = new SessionMode(
      { ...shared, journal, first: options.approvalMode, leader: () => subagent?.leader?.mode },
      plans,
    );
    const warn = (problem: Problem): void => this.warn(problem);
    this.knowledge = new SessionKnowledge({ shared, journal, mode: this.mode, registry: () => this.registry, warn });
    this.agents = this.createAgents();
    const { processes, commands, model, agents, knowledge } = this;
    this.registry = createRegistry(shared, { processes, commands, model, agents, knowledge, subagent });
    this.instruction = sessionInstruction({ knowledge, mode: this.mode, model, clock: host.clock, subagent });
    journal.onRecord((record) => this.stream.take(record));
    this.task = new TaskResult(journal);
    this.title = new SessionTitle({ journal, utility: model.utility, model: () => model.name, log: host.log });
    journal.onRecord((record) => {
      if (!this.replaying) this.model.take(record);
      if (host.sessions.interactive && !journal.header.parent) this.title.take(record, this.replaying);
    });
    const session = adkSessions.attach(ADK_KEY, journal, (event) =>
      journal.append(eventRecord(event, this.describe, this.model.costOf(event))),
    );
    this.hooks = createSessionHooks({
      ...shared,
      plansFolder: this.mode.plansFolder,
      journal,
      session,
      sessions: adkSessions,
      warn: (problem) => this.warn(problem),
      model: () => this.model.current,
      end: (end) => this.protocol.endRun(end),
    });
    const { log } = host;
    const routing = new SessionRouting({ ...shared.routing, journal, model, mode: () => this.mode.mode(), warn, log });
    this.mcp = new SessionMcp({ servers: shared.mcp, own: subagent?.servers, isOfAgent: !!subagent, host, warn });
    this.calls = this.createCalls();
    const { hooks, stream, outputs } = this;
    this.compaction = createCompaction(host, { journal, model, hooks, stream, outputs });
    const { broker, scheduler } = this.calls;
    const { loops, plugins } = createPlugins({
      shared,
      journal,
      registry: this.registry,
      scheduler,
      utility: this.model.utility,
      hooks: this.hooks.plugin,
      routing,
      secrets: this.secrets,
      subagent,
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
          compaction: this.compaction,
          broker,
          instruction: this.instruction,
        }),
        sessionService: adkSessions,
        plugins,
      }),
      loops,
      hooks: this.hooks.run,
      isTaskDone: () => subagent !== undefined && this.task.isThere,
      prepare: async () => {
        // Each reader reports what is new to it, also where a file is broken again.
        this.warned.clear();
        await Promise.all([shared.geminiSettings.refresh(), hooks.run.refresh(), agents.refresh(), this.mcp.prepare()]);
      },
      answer: (answers, by) => answerAmong(broker, this.agents.brokers, answers, by),
      noteOn: (content) => this.agents.noteOn(content),
      scheduler,
      broker,
      mode: this.mode,
      compaction: this.compaction,
      releaseAllowed: () => this.releaseAllowed(),
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
    this.changes = new PendingChanges(journal, files, {
      heldBy: () => this.heldBy,
      rewinding: () => this.rewind.underWay,
      isTrusted: () => host.workspace.isTrusted(),
      plansFolder: this.mode.plansFolder,
    });
    this.agentSession = new AgentSession(this.protocol);
  }

  /** Edits that require approval. */
  get edits(): EditReview {
    return this.calls.edits;
  }

  /** What people have been asked and have not answered, here and by agents that work for it. */
  get questions(): readonly AskedQuestion[] {
    return [...this.calls.broker.questions, ...this.agents.questions];
  }

  get brokers(): readonly ConfirmationBroker[] {
    return [this.calls.broker, ...this.agents.brokers];
  }

  get subagent(): Subagent | undefined {
    return this.place.subagent;
  }

  /** It works for another session, which shows and answers its questions. */
  get isLed(): boolean {
    return this.subagent?.leader !== undefined;
  }

  get approvalMode(): ApprovalMode {
    return this.mode.mode();
  }

  get chosenModel(): string | undefined {
    return this.journal.history.chosenModel;
  }

  get contextUse(): PanelState['context'] {
    return this.context.use();
  }

  get whyNotCompress(): string | undefined {
    return this.compaction.whyCertainlyNot();
  }

  get totals(): Totals {
    return this.journal.history.sessionUse.totals(this.shared.host.clock.now());
  }

  get modelName(): string {
    return this.model.name;
  }

  isNamedByUser(relativePath: string): boolean {
    // What another model wrote is nobody's word.
    if (this.subagent) return this.subagent.leader?.isNamedByUser(relativePath) ?? false;
    const { roots } = this.shared.host.workspace;
    return isNamedByUser(this.journal.history.events, relativePath, roots().length > 1);
  }

  /** Files that an agent changes are changed for the call that it works for: here they are reviewed and put back. */
  filesFor(callId: string): ChangedFiles {
    return { ...this.files, write: (path, content, _, change) => this.files.write(path, content, { callId }, change) };
  }

  /** Tells everything that happens here in another stream too. */
  projectInto(stream: EventStream): () => void {
    return this.stream.projectInto(stream, this.journal.id);
  }

  /** Lets waiting calls continue that the rules allow by now. */
  releaseAllowed(): void {
    this.calls.releaseAllowed();
    this.agents.releaseAllowed();
  }

  /** What fills the model's window, by kind. */
  get contextShares(): ContextShares {
    const { mode, registry, context, journal, compaction, model, knowledge } = this;
    const instruction = this.instruction.current();
    return sessionShares({ mode, registry, context, journal, compaction, model, instruction, knowledge });
  }

  get isRunning(): boolean {
    return this.protocol.isRunning;
  }

  /** Who else writes this session, so that it can only be read here. */
  get heldBy(): string | undefined {
    return this.protocol.heldBy;
  }

  /** Takes the session up where its log ends; one that is held elsewhere is only shown. */
  async resume(
    records: readonly SessionRecord[],
    threads: EventStream['earlierThreads'],
    heldBy?: string,
  ): Promise<void> {
    this.replaying = true;
    this.stream.earlierThreads = threads;
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

  settingsChanged(offline: boolean): void {
    if (this.heldBy === undefined) this.model.settingsChanged(offline);
  }

  /** Something a user should know now, which is no part of the conversation. */
  warn(problem: Problem): void {
    // Told once, where the user is: not again by each agent.
    if (problem.kind === 'waits' && this.subagent) return;
    // Several parts read the same file.
    const said = `${problem.title}\n${problem.detail}`;
    if (problem.kind === 'bad-configuration' && this.warned.has(said)) return;
    this.warned.add(said);
    this.stream.tellOnce(problemEvent(problem, false));
  }

  /** A run that is on is cut off as it would be by a crash: it can be taken up again, an approval still waits. */
  async close(): Promise<void> {
    this.title.close();
    this.mcp.dispose();
    // Both at once: the end of the run is not kept, and nothing is begun that would not be kept.
    await Promise.all([this.journal.close(), this.protocol.abort()]);
    await this.hooks.run.close();
    await Promise.all([this.commands.dispose(), this.processes.dispose(), this.subagent?.servers?.dispose()]);
    this.shared.adkSessions.detach(this.journal.id);
  }

  private createCalls(): SessionCalls {
    const { host, audit } = this.shared;
    const { journal, mode, subagent } = this;
    return new SessionCalls({
      host,
      journal,
      stream: this.stream,
      files: this.files,
      registry: this.registry,
      mode,
      policy: createSessionPolicy(this.shared, this, subagent),
      hooks: this.hooks.tools,
      secrets: this.secrets,
      audit,
      outputs: this.outputs,
      skillFolders: () => this.knowledge.skills.readableFolders(),
      tokensLeft: () => this.context.tokensLeft(),
      isNamedByUser: (relativePath) => this.isNamedByUser(relativePath),
      describe: this.describe,
      asker: this.place.subagent?.asker,
      lostResult: (callId) => this.commands.lostResult(callId),
    });
  }

  private createAgents(): SessionAgents {
    const { journal, stream, place, shared } = this;
    return new SessionAgents({
      ...place.agents,
      catalog: shared.agents,
      journal,
      stream,
      registry: () => this.registry,
      attached: (child) => this.edits.include(child.edits),
      warn: (problem) => this.warn(problem),
      log: shared.host.log,
    });
  }

  private readonly describe = (call: ToolCall): ToolDisplay =>
    describeCall(call, this.registry, this.shared.host.workspace);
}
