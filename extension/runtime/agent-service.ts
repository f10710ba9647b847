import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AgentCatalog } from '../agents/agent-catalog.ts';
import type { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import type { HookCatalog } from '../hooks/hook-catalog.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { type NewLogin, newLogin, type SignInAnswer } from '../model/auth/new-login.ts';
import { describeModel } from '../model/catalog/describe-model.ts';
import type { PolicyStore } from '../policy/rules/policy-store.ts';
import type { Host } from '../ports/host.ts';
import { notifyDesktop } from '../processes/notify-desktop.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { FoundRecording } from '../sessions/gemini-cli/find-recordings.ts';
import { NO_LOG, type RecordLog } from '../sessions/session-journal.ts';
import type { SessionHeader, SessionRecord } from '../sessions/session-record.ts';
import { SharedState } from '../sessions/shared-state.ts';
import { productTools, type ToolsOf } from '../tools/product-tools.ts';
import { prepareAdk } from './adk/create-runner.ts';
import type { AgentStarter, StartedAgent } from './agents/session-agents.ts';
import { Subagent } from './agents/subagent.ts';
import { buildSession } from './build-session.ts';
import { type FolderCustomizations, findCustomizations } from './knowledge/folder-customizations.ts';
import { type ListedTool, listedTools } from './knowledge/listed-tools.ts';
import { copiedSession, findRecordings, newHeader, readRecording, withoutProcess } from './library/new-session.ts';
import { openLibrary, type SessionActivity, type SessionLibrary, settledThreads } from './library/session-library.ts';
import { type LiveSession, LogNotices } from './live-session.ts';
import { CustomCommands } from './message/custom-commands.ts';
import { MessageContext } from './message/message-context.ts';
import { completePrompt, type PromptToComplete } from './model/complete-prompt.ts';
import { OpenQuestions } from './open-questions.ts';
import type { OpenSession } from './open-session.ts';
import { planAgent } from './plan-agent.ts';
import { PolicyNotices, textOf } from './policy/policy-notices.ts';
import { requireWanted } from './policy/session-mode.ts';
import { badInput } from './problems/message-limits.ts';
import { damaged, notKept, telling, unreadable } from './problems/session-problems.ts';
import { childEnvironment } from './programs/project-programs.ts';
import { createSharedParts } from './service-parts.ts';
import type { SessionOptions, SessionPlan, SharedParts } from './session-parts.ts';

/** The composition root of the runtime: builds sessions and everything below them. */
export class AgentService {
  /** Undefined where sessions are not kept. */
  readonly library: SessionLibrary | undefined;
  /** What runs at certain points of every session, and what of it still requires approval. */
  readonly hooks: HookCatalog;
  /** Who tasks can be handed to, and which agents of projects still require approval. */
  readonly agents: AgentCatalog;
  /** The MCP servers, which all sessions share. */
  readonly mcp: McpServers;
  /** Extensions of Gemini CLI: which there are, which are switched on, what is wrong with them. */
  readonly extensions: ExtensionCatalog;
  /** What may run. */
  readonly policies: PolicyStore;
  /** What holds commands back. */
  readonly sandbox: SharedParts['sandbox'];
  readonly customCommands: CustomCommands;
  /** What goes with messages besides words. */
  readonly messageContext: MessageContext;
  private readonly live = new Map<string, LiveSession>();
  /** What waits for people in the open sessions. */
  readonly questions = new OpenQuestions(this.live);
  private readonly opening = new Map<string, Promise<LiveSession>>();
  private readonly closing = new Map<string, Promise<void>>();
  /** Sessions of agents that somebody opened while they were at work. */
  private readonly shownAgents = new Set<string>();
  private readonly shared: SharedParts;
  private readonly sharedState: SharedState;
  private readonly starter: AgentStarter = {
    start: (leader, definition, callId) => {
      const { header, plan } = planAgent(this.shared, leader, definition, callId);
      return { subagent: plan.subagent, session: this.create(header, plan) };
    },
    end: (agent) => this.endAgent(agent),
  };
  private readonly policyNotices = new PolicyNotices((problem) => this.host.log.warn(textOf(problem)));

  constructor(
    private readonly host: Host,
    tools: ToolsOf = productTools,
  ) {
    prepareAdk(host.log);
    const { folder } = host.sessions;
    this.sharedState = new SharedState(folder && join(folder, 'state.json'), host.log);
    const shared = createSharedParts(host, tools, this.sharedState);
    this.shared = shared;
    this.library = folder === undefined ? undefined : openLibrary(host, folder, () => shared.models.secrets());
    this.policies = this.shared.policies;
    this.sandbox = this.shared.sandbox;
    this.hooks = this.shared.hooks;
    this.agents = this.shared.agents;
    this.mcp = this.shared.mcp;
    this.extensions = this.shared.extensions;
    this.customCommands = new CustomCommands(this.shared, (id) => this.require(id));
    this.messageContext = new MessageContext(host, this.shared, (id) => this.require(id).calls);
    shared.rulesRead.on(() => this.rulesRead());
    this.policies.onDidChange(() => this.rulesRead());
  }

  async createSession(options: SessionOptions = {}): Promise<AgentSession> {
    await this.begin(options.approvalMode);
    return this.create(newHeader(this.host, options), { options }).agentSession;
  }

  /** A session of this window, or one that was stored: it continues where its log ends. */
  async resumeSession(id: string): Promise<AgentSession> {
    await this.begin();
    const live = await this.open(id);
    if (live.isLed) this.shownAgents.add(id);
    return live.agentSession;
  }

  /** A session of its own with what was said before a message, or with everything. */
  async forkSession(id: string, messageId?: string): Promise<AgentSession> {
    const { header, records } = await copiedSession(this.library, newHeader(this.host), id, messageId);
    return this.createWith(header, records);
  }

  /** Conversations that Gemini CLI recorded in this workspace. */
  geminiRecordings(): Promise<FoundRecording[]> {
    return findRecordings(this.host);
  }

  /** A new session that continues where the recording ends. The recording stays as it is. */
  async importRecording(path: string): Promise<AgentSession> {
    const { records, sessionId } = await readRecording(path, this.host);
    return this.createWith({ ...newHeader(this.host), origin: { kind: 'gemini-cli', of: sessionId } }, records);
  }

  /** An answer outside of any conversation, without tools, by the model that the settings name. */
  complete(question: PromptToComplete, signal: AbortSignal): Promise<string> {
    return completePrompt(this.shared, question, signal);
  }

  /** The end of signing in, after the browser has come back. */
  newLogin(answer: SignInAnswer, signal: AbortSignal): Promise<NewLogin> {
    return newLogin(this.host, answer, signal);
  }

  /** Tells the user through their desktop; not in a folder that is not trusted, for which no process is started. */
  async notifyDesktop(title: string, text: string): Promise<boolean> {
    return this.host.workspace.isTrusted() && notifyDesktop({ title, text, environment: childEnvironment(this.host) });
  }

  /** One that is open here. Throws when it is not. */
  session(id: string): OpenSession {
    return this.require(id);
  }

  /** What the agent can do. */
  listTools(): readonly ListedTool[] {
    return listedTools(this.shared);
  }

  /** Runs what the user typed. Given the session itself, which only this window has, and not its id. */
  async runUserCommand(session: AgentSession, command: string): Promise<void> {
    await this.require(this.idOf(session)).commands.runForUser(command);
  }

  /** Of one that is open, also before anything happened in it; else empty. */
  idOf(session: AgentSession): string {
    return [...this.live].find(([, { agentSession }]) => agentSession === session)?.[0] ?? '';
  }

  /** What the open folders bring along, when they are trusted. */
  findCustomizations(): Promise<FolderCustomizations> {
    return findCustomizations(this.host.workspace, this);
  }

  pin(id: string, pinned: boolean): void {
    this.require(id).journal.append({ type: 'pinned', pinned });
  }

  /** Open sessions say which model answers now. */
  async settingsChanged(): Promise<void> {
    const { offline } = await describeModel(this.host);
    for (const live of this.live.values()) live.settingsChanged(offline);
  }

  /** Whether it is open in this process. */
  isOpen(id: string): boolean {
    return this.live.has(id);
  }

  /** What one that is open in this process is at; undefined when it is idle, or not open. */
  activityOf(id: string): SessionActivity | undefined {
    const session = this.live.get(id);
    if (!session || session.heldBy !== undefined) return undefined;
    if (session.questions.length > 0) return 'waits';
    if (session.isRunning) return 'running';
    return session.commands.isRunning ? 'commands' : undefined;
  }

  /** Who else has it open, so that it can only be read here. */
  holderOf(id: string): string | undefined {
    return this.live.get(id)?.heldBy;
  }

  /** Stops it and lets others have it. */
  async closeSession(id: string): Promise<void> {
    const opening = this.opening.get(id);
    // Only then: what is sent in the same moment must not be taken any more.
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
    await this.shared.audit.written();
  }

  private async begin(mode?: ApprovalMode): Promise<void> {
    const { library, host, agents } = this;
    const notRead = (error: unknown): void => host.log.error('The agents could not be read', error);
    await Promise.all([this.sharedState.load(), agents.refresh().catch(notRead), this.shared.geminiSettings.refresh()]);
    requireWanted(this.shared, mode);
    if (host.sessions.interactive) library?.tidyLater();
  }

  private open(id: string): Promise<LiveSession> {
    // First, because one that is being opened is among the live ones before it is ready.
    const begun = this.opening.get(id);
    if (begun) return begun;
    const known = this.live.get(id);
    if (known) return Promise.resolve(known);
    const opening = this.load(id).finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  private async close(id: string): Promise<void> {
    const session = this.live.get(id);
    if (!session) return this.closing.get(id);
    this.live.delete(id);
    this.shownAgents.delete(id);
    this.questions.changed();
    // First those that work for it: they are cut off with it and not stopped by it.
    const below = [...this.live.values()].filter(
      ({ isLed, journal }) => isLed && journal.header.parent?.sessionId === id,
    );
    const closing = Promise.all([...below.map(({ journal }) => this.close(journal.id)), session.close()])
      .then(() => undefined)
      .finally(() => this.closing.delete(id));
    this.closing.set(id, closing);
    await closing;
  }

  private async load(id: string): Promise<LiveSession> {
    const { library } = this;
    if (!library) throw badInput(l10n.t('There is no session with the ID {0}.', id), notOpened());
    // Until then it is locked, and would be opened for reading only.
    await this.closing.get(id);
    const notices = new LogNotices();
    const { header, records, damage, keptDamaged, access } = await telling(library.store.open(id, notices.observer));
    const log = access.kind === 'write' ? access.log : NO_LOG;
    const { agent } = header;
    if (agent !== undefined) await this.agents.refresh();
    const live = this.build(header, log, {
      subagent: agent === undefined ? undefined : Subagent.again(agent, this.agents.agent(agent)),
    });
    notices.live = live;
    await this.takeUp(live, records, access.kind === 'read' ? access.owner?.label : undefined);
    if (access.kind === 'read' && !access.owner) live.warn(notKept(access.reason));
    if (damage.length > 0) live.warn(damaged(damage, keptDamaged));
    return live;
  }

  private create(header: SessionHeader, plan: SessionPlan = {}): LiveSession {
    const notices = new LogNotices();
    const live = this.build(header, this.library?.store.create(header, notices.observer) ?? NO_LOG, plan);
    notices.live = live;
    return live;
  }

  private async createWith(header: SessionHeader, records: readonly SessionRecord[]): Promise<AgentSession> {
    const live = this.create(header);
    // What was allowed for the other session was not allowed for this one.
    const kept = records.filter(({ type }) => type !== 'grant' && type !== 'sandbox_allowed').map(withoutProcess);
    live.journal.write(kept);
    await this.takeUp(live, kept);
    return live.agentSession;
  }

  /** One that cannot be taken up is not left half open, where nobody can have it. */
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

  /** One that somebody has opened meanwhile stays open, as a conversation of its own. */
  private async endAgent({ subagent, session }: StartedAgent): Promise<void> {
    const { id } = session.journal;
    await subagent.release();
    if (!this.shownAgents.has(id)) await this.close(id);
  }

  private build(header: SessionHeader, log: RecordLog, plan: SessionPlan): LiveSession {
    const live = buildSession(this.shared, { ...plan, header, log, library: this.library, agents: this.starter });
    this.live.set(header.id, live);
    this.questions.follow(live);
    return live;
  }

  private rulesRead(): void {
    const { policies, host } = this;
    this.policyNotices.take(policies.problems);
    for (const live of this.live.values()) live.tellPolicies();
    // Without anybody there, the rules stay what they were at the first call.
    const failed = (error: unknown): void => host.log.error('Changes of policy files are not noticed', error);
    if (host.sessions.interactive) policies.watch().catch(failed);
  }

  private require(id: string): LiveSession {
    const session = this.live.get(id);
    if (!session) throw badInput(l10n.t('That session is not open.'), notOpened());
    return session;
  }
}

const notOpened = (): string => l10n.t('The session was not opened');
