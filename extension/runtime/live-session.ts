import * as l10n from '@vscode/l10n';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { ClientTool } from '../ports/tool.ts';
import { AgentSession } from '../protocol/agent/agent-session.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { ContextShares } from '../protocol/agent/context-shares.ts';
import type { Problem } from '../protocol/agent/problem.ts';
import type { PanelState } from '../protocol/panel/panel-messages.ts';
import type { AskedQuestion, ConfirmationBroker } from '../scheduler/confirmation-broker.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import type { Totals } from '../sessions/session-totals.ts';
import type { LogObserver } from '../sessions/store/stored-log.ts';
import type { AdkAgentProtocol } from './adk/adk-agent-protocol.ts';
import type { TaskResult } from './agents/run-agent.ts';
import type { ChildSession, SessionAgents } from './agents/session-agents.ts';
import type { Subagent } from './agents/subagent.ts';
import type { EditReview } from './calls/edit-review.ts';
import type { SessionCalls } from './calls/session-calls.ts';
import type { SessionMcp } from './calls/session-mcp.ts';
import type { PendingChanges } from './changes/pending-changes.ts';
import type { ChangedFiles, SessionRewind } from './changes/session-rewind.ts';
import type { SessionCommands } from './commands/session-commands.ts';
import type { SessionCompaction } from './compaction/session-compaction.ts';
import type { EventStream, SessionWarnings } from './events/event-stream.ts';
import type { SessionStatus } from './events/stoppable-run.ts';
import type { SessionHooks } from './hooks/session-hooks.ts';
import { shownRequest } from './knowledge/request-document.ts';
import type { SessionEnvironment } from './knowledge/session-environment.ts';
import type { SessionKnowledge } from './knowledge/session-knowledge.ts';
import type { SessionTitle } from './library/session-title.ts';
import type { SessionModel } from './model/session-model.ts';
import type { OpenSession } from './open-session.ts';
import { noticeOf, PolicyNotices } from './policy/policy-notices.ts';
import type { SessionMode } from './policy/session-mode.ts';
import { heldElsewhere, notSaved, savedAgain } from './problems/session-problems.ts';
import type { LastRequest } from './request/last-request.ts';
import type { SessionContext } from './request/session-context.ts';
import type { SessionSecrets } from './request/session-secrets.ts';
import type { SharedParts } from './session-parts.ts';

/** The parts of a session, built by `build-session.ts`. */
export interface LiveParts {
  readonly shared: Pick<SharedParts, 'host' | 'adkSessions' | 'policies' | 'telemetry'>;
  readonly journal: SessionJournal;
  readonly subagent: Subagent | undefined;
  /** MCP servers that only this session uses. */
  readonly servers: McpServers | undefined;
  readonly status: SessionStatus;
  readonly stream: EventStream;
  readonly warnings: SessionWarnings;
  readonly files: ChangedFiles;
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly context: SessionContext;
  readonly last: LastRequest;
  readonly secrets: SessionSecrets;
  readonly commands: SessionCommands;
  readonly agents: SessionAgents;
  readonly knowledge: SessionKnowledge;
  readonly environment: SessionEnvironment;
  readonly task: TaskResult;
  readonly title: SessionTitle;
  readonly hooks: SessionHooks;
  readonly mcp: SessionMcp;
  readonly calls: SessionCalls;
  readonly releaseAllowed: () => void;
  readonly rewind: SessionRewind;
  readonly changes: PendingChanges;
  readonly compaction: SessionCompaction;
  readonly protocol: AdkAgentProtocol;
  /** The content of the model's context window, by kind. */
  readonly shares: () => ContextShares;
}

/** A session that is open in this process, from its first record to its end. */
export class LiveSession implements OpenSession, ChildSession {
  readonly agentSession: AgentSession;
  readonly journal: SessionJournal;
  readonly rewind: SessionRewind;
  readonly changes: PendingChanges;
  readonly commands: SessionCommands;
  readonly knowledge: SessionKnowledge;
  readonly calls: SessionCalls;
  /** The result that was handed over, if this is the session of an agent. */
  readonly task: TaskResult;
  /** Reports a problem to the user. It does not become part of the conversation. */
  readonly warn: (problem: Problem) => void;
  /** Resumes waiting calls that the rules allow by now. */
  readonly releaseAllowed: () => void;
  private readonly policyNotices: PolicyNotices;

  constructor(private readonly parts: LiveParts) {
    this.agentSession = new AgentSession(parts.protocol);
    this.journal = parts.journal;
    this.rewind = parts.rewind;
    this.changes = parts.changes;
    this.commands = parts.commands;
    this.knowledge = parts.knowledge;
    this.calls = parts.calls;
    this.task = parts.task;
    this.releaseAllowed = parts.releaseAllowed;
    const { warn } = parts.warnings;
    this.warn = warn;
    this.policyNotices = new PolicyNotices((problem) => {
      const notice = noticeOf(problem);
      if (notice) warn(notice);
    });
  }

  /** Edits that require approval. */
  get edits(): EditReview {
    return this.calls.edits;
  }

  /** The unanswered questions of the session and of agents that work for it. */
  get questions(): readonly AskedQuestion[] {
    return [...this.calls.broker.questions, ...this.parts.agents.questions];
  }

  get isExecuting(): boolean {
    return this.calls.isExecuting || this.parts.agents.isExecuting;
  }

  get brokers(): readonly ConfirmationBroker[] {
    return [this.calls.broker, ...this.parts.agents.brokers];
  }

  /** Whether it works for a leader, which shows and answers its questions. */
  get isLed(): boolean {
    return this.parts.subagent?.leader !== undefined;
  }

  get approvalMode(): ApprovalMode {
    return this.parts.mode.mode();
  }

  get chosenModel(): string | undefined {
    return this.journal.history.chosenModel;
  }

  giveTools(tools: readonly ClientTool[]): void {
    const { history } = this.journal;
    if (JSON.stringify(tools) === JSON.stringify(history.clientTools)) return;
    this.journal.append({
      type: 'client_tools',
      tools: tools.map((tool) => ({ ...tool, parameters: { ...tool.parameters } })),
    });
  }

  endTask(streamId: string): void {
    this.journal.append({ type: 'task_ended', streamId });
  }

  get contextUse(): PanelState['context'] {
    return this.parts.context.use();
  }

  get contextShares(): ContextShares {
    return this.parts.shares();
  }

  async lastRequest(): Promise<string | undefined> {
    const { last, secrets } = this.parts;
    return last.sent && shownRequest(last.sent, secrets);
  }

  get whyNotCompress(): string | undefined {
    return this.parts.compaction.whyCertainlyNot();
  }

  get totals(): Totals {
    return this.journal.history.sessionUse.totals(this.parts.shared.host.clock.now());
  }

  get isRunning(): boolean {
    return this.parts.status.isRunning;
  }

  /** The other process that has this session open for writing, so that it can only be read here. */
  get heldBy(): string | undefined {
    return this.parts.status.heldBy;
  }

  /** Also sends all events to another stream. Returns a function that ends this. */
  projectInto(stream: EventStream): () => void {
    return this.parts.stream.projectInto(stream, this.journal.id);
  }

  /** Continues the session where its log ends. A session that another process holds is only shown. */
  async resume(
    records: readonly SessionRecord[],
    threads: EventStream['earlierThreads'],
    heldBy?: string,
  ): Promise<void> {
    const { shared, status, stream, mode, files, commands, protocol } = this.parts;
    status.isReplaying = true;
    stream.earlierThreads = threads;
    this.journal.replay(records);
    status.isReplaying = false;
    shared.adkSessions.resetState(this.journal.id);
    status.heldBy = heldBy;
    if (heldBy !== undefined) return;
    mode.takeUp();
    if (this.journal.history.openRun?.started) this.journal.append({ type: 'run_resumed' });
    await files.settle(this.journal.history.changesInDoubt());
    await commands.takeUp();
    await protocol.recover();
  }

  /** Stops the session because another process has taken it over: nothing that happens here would be stored. */
  async lose(heldBy: string): Promise<void> {
    const { status, title, protocol } = this.parts;
    status.heldBy = heldBy;
    title.close();
    this.warn(heldElsewhere(heldBy));
    await Promise.all([this.journal.close(), protocol.abort()]);
  }

  /** Reports problems of policy files that were not reported before. */
  tellPolicies(): void {
    this.policyNotices.take(this.parts.shared.policies.problems);
  }

  settingsChanged(offline: boolean): void {
    if (this.heldBy === undefined) this.parts.model.settingsChanged(offline);
  }

  /** Interrupts a run as a crash would: the session can continue later, and pending approvals stay pending. */
  async close(): Promise<void> {
    const { shared, title, mcp, protocol, hooks, commands, environment, servers } = this.parts;
    title.close();
    environment.dispose();
    mcp.dispose();
    // Both at once, so that the end of the run is not recorded and nothing unrecorded is started.
    await Promise.all([this.journal.close(), protocol.abort()]);
    await hooks.run.close();
    await Promise.all([commands.dispose(), servers?.dispose()]);
    shared.telemetry.leave(this.journal.id);
    shared.adkSessions.detach(this.journal.id);
  }
}

/** Reports problems of a session's log. The log is created before its session, so `live` is set later. */
export class LogNotices {
  live: LiveSession | undefined;

  readonly observer: LogObserver = {
    onFailure: (failure) => this.live?.warn(notSaved(failure)),
    onRecovered: () => this.live?.warn(savedAgain()),
    onLockLost: (by) => void this.live?.lose(by?.label ?? l10n.t('another window')),
  };
}
