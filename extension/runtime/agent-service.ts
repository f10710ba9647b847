import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AgentCatalog } from '../agents/agent-catalog.ts';
import type { RemoteAgent } from '../agents/agent-definition.ts';
import { letFileCallsBlock } from '../files/disk-calls.ts';
import type { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import type { HookCatalog } from '../hooks/hook-catalog.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { type NewLogin, newLogin, type SignInAnswer } from '../model/auth/new-login.ts';
import { describeModel } from '../model/catalog/describe-model.ts';
import type { PolicyRule } from '../policy/policy-types.ts';
import type { PolicyStore } from '../policy/rules/policy-store.ts';
import type { Host } from '../ports/host.ts';
import { notifyDesktop } from '../processes/notify-desktop.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { RemoteAgents } from '../remote-agents/remote-agents.ts';
import type { FoundRecording } from '../sessions/gemini-cli/find-recordings.ts';
import { NO_LOG, type RecordLog } from '../sessions/session-journal.ts';
import type { SessionHeader, SessionRecord } from '../sessions/session-record.ts';
import { SharedState } from '../sessions/shared-state.ts';
import type { OpenedSession } from '../sessions/store/session-store.ts';
import { productTools, type ToolsOf } from '../tools/product-tools.ts';
import { prepareAdk } from './adk/create-runner.ts';
import { taskOutcome } from './agents/remote-recovery.ts';
import { RemoteSession } from './agents/remote-session.ts';
import { runAgent } from './agents/run-agent.ts';
import type { AgentStarter, StartedAgent } from './agents/session-agents.ts';
import { Subagent } from './agents/subagent.ts';
import { buildSession } from './build-session.ts';
import { type FolderCustomizations, findCustomizations } from './knowledge/folder-customizations.ts';
import { type ListedTool, listedTools } from './knowledge/listed-tools.ts';
import { type RuleForCall, ruleForCall } from './knowledge/rule-for-call.ts';
import { allRules, type CallToTry, type TriedCall, tryCall } from './knowledge/tried-call.ts';
import { copiedSession, findRecordings, newHeader, readRecording, withoutProcess } from './library/new-session.ts';
import { openLibrary, type SessionActivity, type SessionLibrary, settledThreads } from './library/session-library.ts';
import { type LiveSession, LogNotices } from './live-session.ts';
import { CustomCommands } from './message/custom-commands.ts';
import { MessageContext } from './message/message-context.ts';
import { completePrompt, type PromptToComplete } from './model/complete-prompt.ts';
import { OpenQuestions } from './open-questions.ts';
import type { OpenSession } from './open-session.ts';
import { type AgentPlan, agentHeader, planAgent } from './plan-agent.ts';
import { PolicyNotices, textOf } from './policy/policy-notices.ts';
import { requireWanted } from './policy/session-mode.ts';
import { badInput } from './problems/message-limits.ts';
import { damaged, notKept, telling, unreadable } from './problems/session-problems.ts';
import { childEnvironment } from './programs/project-programs.ts';
import { createSharedParts, withInteractive } from './service-parts.ts';
import type { SessionOptions, SessionPlan, SharedParts } from './session-parts.ts';

/** The composition root of the runtime: builds sessions and everything below them. */
export class AgentService {
  /** Undefined if sessions are not stored. */
  readonly library: SessionLibrary | undefined;
  /** Hooks of all sessions, including those that still require approval. */
  readonly hooks: HookCatalog;
  /** Agents that tasks can be handed to, including project agents that still require approval. */
  readonly agents: AgentCatalog;
  /** The sign-in of agents that other services run. */
  readonly remoteAgents: Pick<RemoteAgents, 'withSignIn' | 'signIn' | 'signOut'>;
  /** The MCP servers, which all sessions share. */
  readonly mcp: McpServers;
  /** Extensions of Gemini CLI, whether they are enabled, and their problems. */
  readonly extensions: ExtensionCatalog;
  /** The policy rules that decide which calls may run. */
  readonly policies: PolicyStore;
  /** Confines commands. */
  readonly sandbox: SharedParts['sandbox'];
  /** Spans and metrics for the user's own receiver. */
  readonly telemetry: Pick<SharedParts['telemetry'], 'state'>;
  readonly customCommands: CustomCommands;
  /** The attachments and mentions that accompany messages. */
  readonly messageContext: MessageContext;
  private readonly live = new Map<string, LiveSession>();
  /** The pending questions of all open sessions. */
  readonly questions = new OpenQuestions(this.live);
  private readonly opening = new Map<string, Promise<LiveSession>>();
  private readonly closing = new Map<string, Promise<void>>();
  /** Sessions of agents that the user opened while the agents were working. */
  private readonly shownAgents = new Set<string>();
  private readonly shared: SharedParts;
  private readonly sharedState: SharedState;
  /** The sessions of agents that other services run. */
  private readonly remote = new Set<RemoteSession>();
  private readonly starter: AgentStarter = {
    start: (leader, definition, callId) =>
      definition.kind === 'remote'
        ? this.startRemote(definition, agentHeader(this.shared, leader, definition, callId), callId, leader.interactive)
        : this.startLocal(planAgent(this.shared, leader, definition, callId)),
    outcomeOf: async (sessionId, definition) => {
      const log = await this.library?.read(sessionId).catch(() => undefined);
      return taskOutcome(log?.records ?? [], definition, this.shared.remoteAgents);
    },
  };
  private readonly policyNotices = new PolicyNotices((problem) => this.host.log.warn(textOf(problem)));

  constructor(
    private readonly host: Host,
    tools: ToolsOf = productTools,
  ) {
    prepareAdk(host.log);
    if (host.waitsForDisk) letFileCallsBlock(true);
    const { folder } = host.sessions;
    this.sharedState = new SharedState(folder && join(folder, 'state.json'), host.log);
    const shared = createSharedParts(host, tools, this.sharedState);
    this.shared = shared;
    this.library = folder === undefined ? undefined : openLibrary(host, folder, () => shared.models.secrets());
    this.policies = this.shared.policies;
    this.sandbox = this.shared.sandbox;
    this.telemetry = this.shared.telemetry;
    this.hooks = this.shared.hooks;
    this.agents = this.shared.agents;
    this.remoteAgents = this.shared.remoteAgents;
    this.mcp = this.shared.mcp;
    this.extensions = this.shared.extensions;
    this.customCommands = new CustomCommands(this.shared, (id) => this.require(id));
    this.messageContext = new MessageContext(host, this.shared, (id) => this.require(id).calls);
    shared.rulesRead.on(() => this.rulesRead());
    this.policies.onDidChange(() => {
      this.rulesRead();
      for (const live of this.live.values()) live.releaseAllowed();
    });
  }

  async createSession(options: SessionOptions = {}): Promise<AgentSession> {
    await this.begin(options.approvalMode);
    const live = this.create(newHeader(this.host, options), { options });
    if (options.tools) live.giveTools(options.tools);
    return live.agentSession;
  }

  /**
   * Opens a session of this window, or a stored one: it continues where its log ends. The options don't change a
   * session that is already open.
   */
  async resumeSession(id: string, options: SessionOptions = {}): Promise<AgentSession> {
    await this.begin();
    const live = await this.open(id, options);
    if (live.isLed) this.shownAgents.add(id);
    return live.agentSession;
  }

  /** Creates a session with a copy of the conversation before a message, or of the whole conversation. */
  async forkSession(id: string, messageId?: string): Promise<AgentSession> {
    const { header, records } = await copiedSession(this.library, newHeader(this.host), id, messageId);
    return this.createWith(header, records);
  }

  /** Conversations that Gemini CLI recorded in this workspace. */
  geminiRecordings(): Promise<FoundRecording[]> {
    return findRecordings(this.host);
  }

  /** Creates a session that continues where the recording ends. The recording is not changed. */
  async importRecording(path: string): Promise<AgentSession> {
    const { records, sessionId } = await readRecording(path, this.host);
    return this.createWith({ ...newHeader(this.host), origin: { kind: 'gemini-cli', of: sessionId } }, records);
  }

  /** The next run of a session works for a span of another process. Without telemetry, nothing happens. */
  workFor(id: string, traceparent: string): void {
    this.shared.telemetry.workFor(this.require(id).journal, traceparent);
  }

  /** Answers a prompt outside of any conversation, without tools, using the model in the settings. */
  complete(question: PromptToComplete, signal: AbortSignal): Promise<string> {
    return completePrompt(this.shared, question, signal);
  }

  /** Completes signing in after the browser has returned. */
  newLogin(answer: SignInAnswer, signal: AbortSignal): Promise<NewLogin> {
    return newLogin(this.host, answer, signal);
  }

  /** Shows a desktop notification. Does nothing in an untrusted folder, where no process may be started. */
  async notifyDesktop(title: string, text: string): Promise<boolean> {
    return this.host.workspace.isTrusted() && notifyDesktop({ title, text, environment: childEnvironment(this.host) });
  }

  /** Returns a session that is open here. Throws if it is not open. */
  session(id: string): OpenSession {
    return this.require(id);
  }

  listTools(): readonly ListedTool[] {
    return listedTools(this.shared);
  }

  /** All rules, in the order in which they are asked. */
  rules(): Promise<readonly PolicyRule[]> {
    return allRules(this.shared);
  }

  /** Decides about a call as in a new session, and says how. Nothing is run. */
  tryCall(call: CallToTry): Promise<TriedCall | undefined> {
    return tryCall(this.shared, call);
  }

  /** What a rule about the call of a pending question begins with. Undefined if it isn't about a call, or is answered. */
  async ruleFor(requestId: string): Promise<RuleForCall | undefined> {
    for (const { calls, approvalMode } of this.live.values()) {
      const asked = calls.asked.callOf(requestId);
      if (asked) return ruleForCall(asked, approvalMode, this.shared.shellParser);
    }
    return undefined;
  }

  /** Runs a command that the user typed. Takes the session itself, which only this window has, instead of an id. */
  async runUserCommand(session: AgentSession, command: string): Promise<void> {
    await this.require(session.id).commands.runForUser(command);
  }

  /** The customizations of the open folders, if the folders are trusted. */
  findCustomizations(): Promise<FolderCustomizations> {
    return findCustomizations(this.host.workspace, this);
  }

  pin(id: string, pinned: boolean): void {
    this.require(id).journal.append({ type: 'pinned', pinned });
  }

  /** Lets open sessions report which model answers now, and telemetry follow its settings. */
  async settingsChanged(): Promise<void> {
    await this.shared.telemetry.refresh();
    const { offline } = await describeModel(this.host);
    for (const live of this.live.values()) live.settingsChanged(offline);
  }

  /** Whether the session is open in this process. */
  isOpen(id: string): boolean {
    return this.live.has(id);
  }

  /** The activity of a session that is open in this process; undefined if it is idle or not open. */
  activityOf(id: string): SessionActivity | undefined {
    const session = this.live.get(id);
    if (!session || session.heldBy !== undefined) return undefined;
    if (session.questions.length > 0) return 'waits';
    if (session.isRunning) return 'running';
    return session.commands.isRunning ? 'commands' : undefined;
  }

  /** Whether a session of this process works, and doesn't wait for an answer. */
  get isRunning(): boolean {
    return [...this.live.values()].some(({ isRunning, questions }) => isRunning && questions.length === 0);
  }

  /** The other process that has the session open for writing, so that it can only be read here. */
  holderOf(id: string): string | undefined {
    return this.live.get(id)?.heldBy;
  }

  /** Stops the session and releases it, so that other processes can open it. */
  async closeSession(id: string): Promise<void> {
    const opening = this.opening.get(id);
    // Await only if needed: otherwise the session must stop accepting messages in the same tick.
    if (opening) await opening.catch(() => undefined);
    await this.close(id);
  }

  async dispose(): Promise<void> {
    for (const part of [this.library, this.policies, this.shared.protectedWatch]) part?.dispose();
    await Promise.allSettled(this.opening.values());
    await Promise.all([...this.live.keys()].map((id) => this.closeSession(id)));
    await Promise.all(this.closing.values());
    await Promise.all([this.mcp.dispose(), this.sandbox.dispose()]);
    await this.sharedState.saved();
    await Promise.all([this.shared.audit.close(), this.shared.telemetry.dispose()]);
  }

  private async begin(mode?: ApprovalMode): Promise<void> {
    const { library, host, agents } = this;
    const { geminiSettings, telemetry } = this.shared;
    const notRead = (error: unknown): void => host.log.error('The agents could not be read', error);
    await Promise.all([
      this.sharedState.load(),
      agents.refresh().catch(notRead),
      geminiSettings.refresh(),
      telemetry.refresh(),
    ]);
    requireWanted(this.shared, mode);
    if (host.sessions.interactive) library?.tidyLater();
  }

  private open(id: string, options: SessionOptions): Promise<LiveSession> {
    // Check this first, because a session that is being opened is already in `live` before it is ready.
    const begun = this.opening.get(id);
    if (begun) return begun;
    const known = this.live.get(id);
    if (known) return Promise.resolve(known);
    const opening = this.load(id, options).finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  private async close(id: string): Promise<void> {
    const session = this.live.get(id);
    if (!session) return this.closing.get(id);
    this.live.delete(id);
    this.shownAgents.delete(id);
    this.questions.changed();
    // Close its agents first: closing must cut them off, so that they are not recorded as stopped.
    const worksForIt = ({ journal }: Pick<LiveSession, 'journal'>): boolean => journal.header.parent?.sessionId === id;
    const below = [...this.live.values()].filter((live) => live.isLed && worksForIt(live));
    const elsewhere = [...this.remote].filter(worksForIt).map((remote) => remote.leave());
    const closing = Promise.all([...elsewhere, ...below.map(({ journal }) => this.close(journal.id)), session.close()])
      .then(() => undefined)
      .finally(() => this.closing.delete(id));
    this.closing.set(id, closing);
    await closing;
  }

  private async load(id: string, options: SessionOptions): Promise<LiveSession> {
    const { library } = this;
    if (!library) throw badInput(l10n.t('There is no session with the ID {0}.', id), notOpened());
    // Until then the session is locked and would open for reading only.
    await this.closing.get(id);
    const notices = new LogNotices();
    const opened = await telling(library.store.open(id, notices.observer));
    const { header, records, damage, keptDamaged, access } = opened;
    const { log, heldBy } = await this.writable(opened);
    const { agent } = header;
    if (agent !== undefined) await this.agents.refresh();
    const live = this.build(header, log, {
      options,
      subagent: agent === undefined ? undefined : Subagent.again(agent, this.agents.agent(agent)),
    });
    notices.live = live;
    await this.takeUp(live, records, heldBy);
    if (options.tools && heldBy === undefined) live.giveTools(options.tools);
    if (access.kind === 'read' && !access.owner) live.warn(notKept(access.reason));
    this.shared.telemetry.lost(damage.length);
    if (damage.length > 0) live.warn(damaged(damage, keptDamaged));
    return live;
  }

  /** What another service did is only shown: a model here would answer in its name. */
  private async writable({ header, access }: OpenedSession): Promise<{ log: RecordLog; heldBy?: string | undefined }> {
    if (access.kind === 'read') return { log: NO_LOG, heldBy: access.owner?.label };
    if (!header.isRemote) return { log: access.log };
    await access.log.close();
    return { log: NO_LOG, heldBy: l10n.t('a remote agent ({0})', header.agent ?? '') };
  }

  private create(header: SessionHeader, plan: SessionPlan = {}): LiveSession {
    const notices = new LogNotices();
    const live = this.build(header, this.library?.store.create(header, notices.observer) ?? NO_LOG, plan);
    notices.live = live;
    return live;
  }

  private async createWith(header: SessionHeader, records: readonly SessionRecord[]): Promise<AgentSession> {
    const live = this.create(header);
    // Grants of the original session do not apply to the new one, and its client does not know it.
    const kept = records.filter(({ type }) => !OF_ONE_SESSION.has(type)).map(withoutProcess);
    live.journal.write(kept);
    await this.takeUp(live, kept);
    return live.agentSession;
  }

  /** Closes the session if it cannot be resumed, so that it does not stay half open and locked. */
  private async takeUp(live: LiveSession, records: readonly SessionRecord[], heldBy?: string): Promise<void> {
    try {
      const threads = (await this.library?.threadsIn(records)) ?? new Map();
      await live.resume(records, heldBy === undefined ? settledThreads(threads) : threads, heldBy);
    } catch (error) {
      this.host.log.error(`Session ${live.journal.id} could not be taken up`, error);
      await this.close(live.journal.id);
      throw new ProblemError(unreadable(error), { cause: error });
    }
  }

  private startLocal({ header, plan }: AgentPlan): StartedAgent {
    const { subagent } = plan;
    const session = this.create(header, plan);
    return {
      session,
      work: (prompt, signal) => runAgent({ subagent, session }, prompt, signal),
      // A session that the user has opened stays open as a conversation of its own.
      end: async () => {
        await subagent.release();
        if (!this.shownAgents.has(header.id)) await this.close(header.id);
      },
    };
  }

  private startRemote(
    definition: RemoteAgent,
    header: SessionHeader,
    callId: string,
    interactive: boolean,
  ): StartedAgent {
    const { host, library } = this;
    const log = library?.store.create(header) ?? NO_LOG;
    const session = new RemoteSession({
      host,
      remote: this.shared.remoteAgents,
      telemetry: this.shared.telemetry,
      definition,
      callId,
      interactive,
      header,
      log,
    });
    this.remote.add(session);
    this.questions.follow(session.broker);
    return {
      session,
      work: (prompt, signal) => session.work(prompt, signal),
      end: async () => {
        this.remote.delete(session);
        await session.close();
      },
    };
  }

  private build(header: SessionHeader, log: RecordLog, plan: SessionPlan): LiveSession {
    const shared = withInteractive(this.shared, plan.options?.interactive);
    const live = buildSession(shared, { ...plan, header, log, library: this.library, agents: this.starter });
    this.live.set(header.id, live);
    this.questions.follow(live.calls.broker);
    return live;
  }

  private rulesRead(): void {
    const { policies, host } = this;
    this.policyNotices.take(policies.problems);
    for (const live of this.live.values()) live.tellPolicies();
    // In a session without a user, the rules stay as they were at the first call.
    const failed = (error: unknown): void => host.log.error('Changes of policy files are not noticed', error);
    if (host.sessions.interactive) policies.watch().catch(failed);
  }

  private require(id: string): LiveSession {
    const session = this.live.get(id);
    if (!session) throw badInput(l10n.t('That session is not open.'), notOpened());
    return session;
  }
}

const OF_ONE_SESSION: ReadonlySet<SessionRecord['type']> = new Set(['grant', 'sandbox_allowed', 'client_tools']);
const notOpened = (): string => l10n.t('The session was not opened');
