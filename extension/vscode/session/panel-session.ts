import * as vscode from 'vscode';
import { InOrder } from '../../base/in-order.ts';
import type { Host } from '../../ports/host.ts';
import type { AgentSend } from '../../protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { Delivery } from '../../protocol/agent/content-part.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import type { SentEditor } from '../../protocol/agent/reference.ts';
import type { TodoItem } from '../../protocol/agent/todo-list.ts';
import type { PanelState } from '../../protocol/panel/panel-messages.ts';
import type { Thread } from '../../protocol/transcript/agent-threads.ts';
import type { Entry, TranscriptChange } from '../../protocol/transcript/transcript-entry.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { PendingChanges } from '../../runtime/changes/pending-changes.ts';
import type { OpenSession } from '../../runtime/open-session.ts';
import type { SessionOptions } from '../../runtime/session-parts.ts';
import { Disposable } from '../base/disposable.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { BackgroundSessions } from './background-sessions.ts';
import { answerPayload, type MessageParts, messagePayload, type Words } from './panel-payloads.ts';
import { panelState } from './panel-state.ts';
import { openWhenFree, type RememberedSession } from './remembered-session.ts';
import type { ConversationListener, ShownConversation, UserEntry } from './shown-conversation.ts';
import { agentNotStarted, notRestored } from './start-failures.ts';

/** The conversation that the panel shows, and the user's actions in it. It outlives the view. */
export class PanelSession extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<TranscriptChange[]>());
  private readonly stateChanged = this.register(new vscode.EventEmitter<void>());
  private readonly replaced = this.register(new vscode.EventEmitter<void>());
  private readonly left = this.register(new vscode.EventEmitter<string>());
  private readonly textReturned = this.register(new vscode.EventEmitter<string>());
  private readonly attachmentsReturned = this.register(new vscode.EventEmitter<readonly string[]>());
  private shown: ShownConversation | undefined;
  private stopWanted = false;
  /** The mode chosen before there was a session. */
  private nextMode: ApprovalMode | undefined;
  trustNews: PanelState['trustNews'];
  private restored = false;
  /** Sessions that were left while they were running. */
  readonly background: BackgroundSessions;
  /** The session that was replaced by the one shown, while it is being closed. */
  leaving: string | undefined;
  /** For sessions that VS Code's own chat, another extension or a program also uses: how many of them do. */
  private readonly keptOpen = new WeakMap<AgentSession, number>();
  /** Messages that are being withdrawn and do not return to the input. */
  private readonly unwanted = new Set<string>();
  /** Prevents a message from being sent to a session that is being replaced. */
  private readonly inOrder = new InOrder();
  /** When the user last sent or decided something here, in ms since the epoch. */
  lastUsed = 0;

  readonly onDidChangeTranscript = this.changed.event;
  readonly onDidChangeState = this.stateChanged.event;
  /** Another conversation replaced the one shown. */
  readonly onDidReplace = this.replaced.event;
  /** A session, by its id, is no longer shown. It is closed unless it is running or others have it open. */
  readonly onDidLeave = this.left.event;
  /** Text to insert into the input. */
  readonly onDidReturnText = this.textReturned.event;
  /** The ids of the attachments of a withdrawn message. */
  readonly onDidReturnAttachments = this.attachmentsReturned.event;

  constructor(
    private readonly host: Host,
    private readonly runtime: RuntimeLoader,
    private readonly remembered: RememberedSession,
  ) {
    super();
    this.register({ dispose: () => this.shown?.stopListening() });
    this.background = this.register(new BackgroundSessions(runtime, host.log));
    this.register(this.background.onDidChange(() => this.stateChanged.fire()));
    if (host.terminals) this.register(host.terminals.onDidChange(() => this.stateChanged.fire()));
  }

  get entries(): Entry[] {
    return this.shown?.transcript.entries ?? [];
  }

  entry(id: string): Entry | undefined {
    return this.shown?.transcript.entry(id);
  }

  /** The thread of a subagent of the session shown. */
  thread(threadId: string): Thread | undefined {
    return this.shown?.transcript.thread(threadId);
  }

  get todos(): readonly TodoItem[] {
    return this.shown?.transcript.todos ?? [];
  }

  /** The text of the plan that is in effect in the session shown. */
  get approvedPlan(): string | undefined {
    return this.shown?.approvedPlan;
  }

  /** The id of the session shown. Undefined until its first message. */
  get id(): string | undefined {
    return this.shown?.id;
  }

  get title(): string {
    return this.shown?.transcript.title ?? '';
  }

  /** When the current run started. */
  get startedAt(): number | undefined {
    return this.shown?.startedAt;
  }

  /** Whether a compaction is in progress. */
  get isCompacting(): boolean {
    return this.shown?.isCompacting ?? false;
  }

  get isRunning(): boolean {
    return this.startedAt !== undefined;
  }

  get hasConversation(): boolean {
    return this.shown?.isStored ?? false;
  }

  /** The approval mode of the session shown, or of the session that the next message starts. */
  get approvalMode(): ApprovalMode {
    return this.open?.approvalMode ?? this.nextMode ?? this.host.settings.approvalMode();
  }

  /** The session shown, as long as it is open. */
  get open(): OpenSession | undefined {
    return this.shown?.open;
  }

  get heldBy(): string | undefined {
    return this.shown?.heldBy;
  }

  /** The changes that the session made without asking. Undefined if another window holds it, as that window decides. */
  get changes(): PendingChanges | undefined {
    return this.heldBy === undefined ? this.open?.changes : undefined;
  }

  get spent(): PanelState['spent'] | undefined {
    return this.shown?.spent;
  }

  /** Whether a session will be restored. Showing an empty conversation until then would be wrong. */
  get isComing(): boolean {
    return !this.restored && !this.shown && this.remembered.id !== undefined;
  }

  state(): Promise<PanelState> {
    return panelState(this, this.host);
  }

  /** The parts of the editor context that the model knows. Undefined if it knows nothing. */
  get knownEditor(): SentEditor['sections'] | undefined {
    return this.shown?.knownEditor.sections;
  }

  /** Returns undefined if the message was accepted, else the reason. The methods up to `answer` do the same. */
  send(words: Words, delivery?: Delivery, attachments?: MessageParts): Promise<Problem | undefined> {
    return this.deliver(() => messagePayload(words, delivery, attachments));
  }

  retry(): Promise<Problem | undefined> {
    return this.deliver({ action: { type: 'retry', data: undefined } });
  }

  goOn(): Promise<Problem | undefined> {
    return this.deliver({ action: { type: 'continue', data: undefined } });
  }

  /** Replaces the conversation so far with a summary. */
  compress(): Promise<Problem | undefined> {
    return this.deliver({ action: { type: 'compress', data: undefined } });
  }

  /** Turns loop detection off for the rest of the session, and continues. */
  async goOnWithoutLoopDetection(): Promise<Problem | undefined> {
    return (await this.deliver({ update: { config: { loopDetection: false } } })) ?? this.goOn();
  }

  /** Answers a question. The audit log records where the answer was given. */
  answer(...given: Parameters<typeof answerPayload>): Promise<Problem | undefined> {
    return this.deliver(answerPayload(...given));
  }

  /** Sets the mode for this session only. */
  async setApprovalMode(mode: ApprovalMode): Promise<Problem | undefined> {
    if (this.shown) return this.deliver({ update: { config: { approvalMode: mode } } });
    this.nextMode = mode;
    this.stateChanged.fire();
    return undefined;
  }

  /** The model in the settings has changed. A session with its own model switches to the new model as well. */
  async modelPicked(model: string): Promise<Problem | undefined> {
    return this.open?.chosenModel === undefined ? undefined : this.deliver({ update: { model } });
  }

  /** Runs what the user typed after an exclamation mark. Returns undefined if it was started, else the reason. */
  runCommand(command: string): Promise<Problem | undefined> {
    return this.attempt((session, service) => service.runUserCommand(session, command));
  }

  /** Shows the terminal of a command of the session or of a subagent. Returns false if it no longer exists. */
  openTerminal(callId: string, sessionId = this.id): boolean {
    return sessionId !== undefined && (this.host.terminals?.reveal(sessionId, callId) ?? false);
  }

  /** The calls of the session shown and of its subagents whose terminals still exist. */
  get terminals(): readonly string[] {
    const all = this.host.terminals?.commands ?? [];
    const ours = all.filter(({ sessionId }) => sessionId === this.id || this.thread(sessionId) !== undefined);
    return ours.map(({ callId }) => callId);
  }

  setTrustNews(news: PanelState['trustNews']): void {
    if (JSON.stringify(news) === JSON.stringify(this.trustNews)) return;
    this.trustNews = news;
    this.stateChanged.fire();
  }

  /** Withdraws a pending message. It returns to the input unless `forget` is set. */
  async withdraw(messageId: string, forget = false): Promise<Problem | undefined> {
    if (forget) this.unwanted.add(messageId);
    const refused = await this.deliver({ action: { type: 'withdraw', data: { messageId } } });
    this.unwanted.delete(messageId);
    return refused;
  }

  stopAgent(callId: string): Promise<Problem | undefined> {
    return this.deliver({ action: { type: 'stop_agent', data: { callId } } });
  }

  async stop(): Promise<void> {
    this.stopWanted = true;
    await this.shown?.session.abort();
  }

  /** Returns the text and the attachments of a withdrawn message to the input. */
  returnMessage({ text, attachments = [] }: UserEntry): void {
    this.returnText(text);
    this.attachmentsReturned.fire(attachments.map(({ id }) => id));
  }

  /** Adds text to the input, after the user's draft. */
  returnText(text: string): void {
    this.textReturned.fire(text);
  }

  /** Starts a new session. A run in progress continues in the background. */
  startNew(): Promise<void> {
    return this.inOrder.run(() => this.replaceBy(undefined));
  }

  resume(id: string): Promise<void> {
    return this.show((service) => service.resumeSession(id));
  }

  /** Opens a session and shows it. If that fails, the current session stays. */
  show(open: (service: AgentService) => Promise<AgentSession>): Promise<void> {
    return this.inOrder.run(async () => {
      const service = await this.runtime.load();
      const session = await open(service);
      if (session !== this.shown?.session) await this.replaceBy(await this.follow(session, service));
    });
  }

  /** Keeps the session open until the returned function is called, even if the panel shows another session. */
  keepOpen(session: AgentSession): () => void {
    const count = (change: number): void => void this.keptOpen.set(session, this.othersUsing(session) + change);
    count(1);
    return () => count(-1);
  }

  /** Whether this window shows the session, works in it, or keeps it open for others. */
  isUsed(session: AgentSession): boolean {
    return this.shown?.session === session || this.background.has(session) || this.othersUsing(session) > 0;
  }

  /** Called when the view appears. Shows the session from before a reload, and loads the runtime in any case. */
  async restore(): Promise<void> {
    try {
      await this.inOrder.run(() => this.showRemembered());
    } catch (error) {
      this.restored = true;
      this.replaced.fire();
      await notRestored(error, this.remembered, this.host.log);
    }
  }

  /** Reopens a background session from before a reload. */
  takeUp(id: string): Promise<void> {
    return this.inOrder.run(() => this.background.takeUp(id));
  }

  /** Runs work in the session shown, or else in a new one. Returns undefined if it succeeded, else the reason. */
  async attempt(work: (session: AgentSession, service: AgentService) => Promise<void>): Promise<Problem | undefined> {
    try {
      await this.inOrder.run(async () => {
        const service = await this.runtime.load();
        const options: SessionOptions = this.nextMode === undefined ? {} : { approvalMode: this.nextMode };
        this.shown ??= await this.follow(await service.createSession(options), service);
        await work(this.shown.session, service);
      });
      return undefined;
    } catch (error) {
      if (ProblemError.is(error)) return error.problem;
      this.host.log.error('A message could not be sent', error);
      return agentNotStarted();
    }
  }

  /** The id of the session shown, or of a new session that the next message goes to. */
  async openId(): Promise<{ readonly id: string } | { readonly refused: Problem }> {
    let id = '';
    const refused = await this.attempt(async (opened) => {
      id = opened.id;
    });
    return refused ? { refused } : { id };
  }

  private async showRemembered(): Promise<void> {
    const service = await this.runtime.load();
    const { id } = this.remembered;
    if (this.shown || id === undefined) return;
    await this.replaceBy(await this.follow(await openWhenFree(service, id), service));
  }

  private async follow(session: AgentSession, service: AgentService): Promise<ShownConversation> {
    // Loaded with the first conversation, like the runtime.
    const { ShownConversation } = await import('./shown-conversation.ts');
    const known = this.background.takeBack(session);
    const listener: ConversationListener = {
      changed: (changes) => this.changed.fire(changes),
      stateChanged: () => {
        this.rememberShown();
        this.stateChanged.fire();
      },
      returned: (message) => {
        if (!this.unwanted.has(message.messageId)) this.returnMessage(message);
      },
    };
    if (known) known.listener = listener;
    return known ?? new ShownConversation(session, service, listener);
  }

  private async replaceBy(next: ShownConversation | undefined): Promise<void> {
    const before = this.shown;
    const isOthers = before !== undefined && this.othersUsing(before.session) > 0;
    const isKept = isOthers || (before !== undefined && this.background.take(before));
    if (isOthers) before.stopListening();
    this.shown = next;
    this.leaving = isKept ? undefined : before?.id;
    this.nextMode = undefined;
    this.restored = true;
    this.rememberShown();
    // Fire first: later listeners would claim the old draft.
    this.replaced.fire();
    this.background.seen(next?.id);
    if (!isKept) {
      await before?.close().catch((error: unknown) => this.host.log.error('The session before was not closed', error));
      this.leaving = undefined;
    }
    if (before?.id !== undefined) this.left.fire(before.id);
  }

  private othersUsing(session: AgentSession): number {
    return this.keptOpen.get(session) ?? 0;
  }

  private rememberShown(): void {
    const id = this.shown?.isStored ? this.shown.id : undefined;
    const { log } = this.host;
    this.remembered.remember(id).catch((error: unknown) => log.error('What is shown was not remembered', error));
  }

  private deliver(payload: AgentSend | (() => Promise<AgentSend>)): Promise<Problem | undefined> {
    this.stopWanted = false;
    this.lastUsed = this.host.clock.now();
    return this.attempt(async (session) => {
      await session.send(typeof payload === 'function' ? await payload() : payload);
      // Stop may be pressed while the runtime is still being loaded, when there is nothing to abort yet.
      if (this.stopWanted) await session.abort();
    });
  }
}
