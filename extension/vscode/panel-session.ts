import * as vscode from 'vscode';
import { describeModel, type ModelDescription } from '../model/describe-model.ts';
import type { AgentSend, Delivery } from '../protocol/agent-protocol.ts';
import type { AgentSession } from '../protocol/agent-session.ts';
import type { ApprovalMode } from '../protocol/approval-mode.ts';
import { textPart } from '../protocol/content-part.ts';
import type { PanelState, ToHost, TranscriptChange } from '../protocol/panel-messages.ts';
import { type Problem, ProblemError } from '../protocol/problem.ts';
import type { Entry } from '../protocol/transcript-entry.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { Host } from '../runtime/host.ts';
import type { SessionOptions } from '../runtime/session-parts.ts';
import type { SessionRewind } from '../runtime/session-rewind.ts';
import { Disposable } from './disposable.ts';
import { withoutLinks } from './plain-words.ts';
import { openWhenFree, type RememberedSession } from './remembered-session.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import { type ConversationListener, ShownConversation } from './shown-conversation.ts';

/** Which conversation the panel shows, however often the view comes and goes, and what the user does with it. */
export class PanelSession extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<TranscriptChange[]>());
  private readonly stateChanged = this.register(new vscode.EventEmitter<void>());
  private readonly replaced = this.register(new vscode.EventEmitter<void>());
  private readonly textReturned = this.register(new vscode.EventEmitter<string>());
  private shown: ShownConversation | undefined;
  private stopWanted = false;
  /** Chosen before there was a session to have it. */
  private nextMode: ApprovalMode | undefined;
  private trustNews: PanelState['trustNews'];
  private restored = false;
  /** What was begun last; the next thing waits for it. */
  private last: Promise<unknown> = Promise.resolve();

  readonly onDidChangeTranscript = this.changed.event;
  readonly onDidChangeState = this.stateChanged.event;
  /** Another conversation took the place of the one before. */
  readonly onDidReplace = this.replaced.event;
  /** Text that belongs into the input. */
  readonly onDidReturnText = this.textReturned.event;

  constructor(
    private readonly host: Host,
    private readonly runtime: RuntimeLoader,
    private readonly remembered: RememberedSession,
  ) {
    super();
    this.register({ dispose: () => this.shown?.stopListening() });
  }

  get entries(): Entry[] {
    return this.shown?.transcript.entries ?? [];
  }

  /** Of the session shown; undefined as long as nothing was said in it. */
  get id(): string | undefined {
    return this.shown?.id;
  }

  get title(): string {
    return this.shown?.transcript.title ?? '';
  }

  get isRunning(): boolean {
    return this.shown?.startedAt !== undefined;
  }

  get hasConversation(): boolean {
    return this.shown?.isStored ?? false;
  }

  /** How much runs without a question in the session shown, or will in the one that the next message begins. */
  get approvalMode(): ApprovalMode {
    return this.shown?.approvalMode ?? this.nextMode ?? this.host.settings.approvalMode();
  }

  get heldBy(): string | undefined {
    return this.shown?.heldBy;
  }

  get rewind(): SessionRewind | undefined {
    return this.shown?.rewind;
  }

  /** Nothing is shown yet, but will be: an empty conversation would be wrong. */
  get isComing(): boolean {
    return !this.restored && !this.shown && this.remembered.id !== undefined;
  }

  async state(): Promise<PanelState> {
    const model: ModelDescription = await describeModel(this.host);
    const { startedAt, heldBy } = this.shown ?? {};
    return {
      title: this.title || 'New session',
      running: startedAt !== undefined,
      ...(startedAt !== undefined && { startedAt }),
      model: model.label,
      offline: model.offline,
      approvalMode: this.approvalMode,
      ...(heldBy !== undefined && { heldBy }),
      canUndoRewind: this.rewind?.canUndo ?? false,
      readOnly: !this.host.workspace.isTrusted(),
      hasFolder: this.host.workspace.roots().length > 0,
      ...(this.trustNews && { trustNews: this.trustNews }),
    };
  }

  /** Undefined when the message was taken, else why not. So do the next four. */
  send(text: string, delivery?: Delivery): Promise<Problem | undefined> {
    return this.deliver({ message: { content: [textPart(text)], ...(delivery && { delivery }) } });
  }

  retry(): Promise<Problem | undefined> {
    return this.deliver({ action: { type: 'retry', data: undefined } });
  }

  goOn(): Promise<Problem | undefined> {
    return this.deliver({ action: { type: 'continue', data: undefined } });
  }

  /** Without a decision it is a no. The audit log says where the answer was given. */
  answer(
    { requestId, decision, reason, by: _, ...more }: PanelAnswer,
    source: AnswerSource = 'panel',
  ): Promise<Problem | undefined> {
    const answer =
      decision === undefined
        ? { action: 'decline' as const, content: { ...(reason !== undefined && { reason }) } }
        : { action: 'accept' as const, content: { decision, ...more } };
    return this.deliver({ elicitations: [{ requestId, ...answer }], _meta: { source } });
  }

  /** For this session only. */
  async setApprovalMode(mode: ApprovalMode): Promise<Problem | undefined> {
    if (this.shown) return this.deliver({ update: { config: { approvalMode: mode } } });
    this.nextMode = mode;
    this.stateChanged.fire();
    return undefined;
  }

  setTrustNews(news: PanelState['trustNews']): void {
    if (JSON.stringify(news) === JSON.stringify(this.trustNews)) return;
    this.trustNews = news;
    this.stateChanged.fire();
  }

  withdraw(messageId: string): Promise<Problem | undefined> {
    return this.deliver({ action: { type: 'withdraw', data: { messageId } } });
  }

  async stop(): Promise<void> {
    this.stopWanted = true;
    await this.shown?.session.abort();
  }

  /** Puts text into the input, behind what the user has typed there. */
  returnText(text: string): void {
    this.textReturned.fire(text);
  }

  async startNew(): Promise<void> {
    this.stopWanted = true;
    await this.inOrder(() => this.replaceBy(undefined));
  }

  resume(id: string): Promise<void> {
    return this.show((service) => service.resumeSession(id));
  }

  /** Opens a session and shows it. When that fails the one before stays. */
  show(open: (service: AgentService) => Promise<AgentSession>): Promise<void> {
    return this.inOrder(async () => {
      const service = await this.runtime.load();
      const session = await open(service);
      if (session !== this.shown?.session) await this.replaceBy(this.follow(session, service));
    });
  }

  /** The view is there: shows what was shown before the window was reloaded, and has the runtime loaded in any case. */
  async restore(): Promise<void> {
    try {
      await this.inOrder(() => this.showRemembered());
    } catch (error) {
      this.restored = true;
      this.replaced.fire();
      if (!ProblemError.is(error)) {
        this.host.log.error('The agent could not be loaded', error);
        return;
      }
      await this.remembered.remember(undefined);
      this.host.log.warn(`The session of the last time could not be opened: ${error.message}`);
      void vscode.window.showWarningMessage(
        withoutLinks(`Gantry begins with a new session, because the last one could not be opened. ${error.message}`),
      );
    }
  }

  private async showRemembered(): Promise<void> {
    const service = await this.runtime.load();
    const { id } = this.remembered;
    if (this.shown || id === undefined) return;
    await this.replaceBy(this.follow(await openWhenFree(service, id), service));
  }

  private follow(session: AgentSession, service: AgentService): ShownConversation {
    const listener: ConversationListener = {
      changed: (changes) => this.changed.fire(changes),
      stateChanged: () => {
        this.rememberShown();
        this.stateChanged.fire();
      },
      textReturned: (text) => this.returnText(text),
    };
    return new ShownConversation(session, service, listener);
  }

  private async replaceBy(next: ShownConversation | undefined): Promise<void> {
    const before = this.shown;
    before?.stopListening();
    this.shown = next;
    this.nextMode = undefined;
    this.restored = true;
    this.rememberShown();
    this.replaced.fire();
    // Closing it stops it, and what waited will not be said any more.
    for (const text of before?.waitingTexts ?? []) this.returnText(text);
    await before?.close().catch((error: unknown) => {
      this.host.log.error('The session before was not closed', error);
    });
  }

  private rememberShown(): void {
    const id = this.shown?.isStored ? this.shown.id : undefined;
    this.remembered.remember(id).catch((error: unknown) => {
      this.host.log.error('Which session is shown could not be remembered', error);
    });
  }

  private async deliver(payload: AgentSend): Promise<Problem | undefined> {
    this.stopWanted = false;
    try {
      await this.inOrder(async () => {
        const service = await this.runtime.load();
        this.shown ??= this.follow(await service.createSession(this.newOptions()), service);
        await this.shown.session.send(payload);
        // Stop may be pressed while the runtime is still being loaded, when there is nothing to abort yet.
        if (this.stopWanted) await this.shown.session.abort();
      });
      return undefined;
    } catch (error) {
      if (ProblemError.is(error)) return error.problem;
      this.host.log.error('A message could not be sent', error);
      return RUNTIME_MISSING;
    }
  }

  private newOptions(): SessionOptions {
    return this.nextMode === undefined ? {} : { approvalMode: this.nextMode };
  }

  /** One after the other: a message must not go to a session that is just being replaced. */
  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}

type PanelAnswer = Omit<Extract<ToHost, { type: 'answer' }>, 'type'>;

/** Where an answer was given; `keyboard` is a key on the card. */
export type AnswerSource = 'panel' | 'keyboard' | 'notification';

const RUNTIME_MISSING: Problem = {
  kind: 'runtime-missing',
  title: 'The agent could not be started',
  detail: 'Your text is back in the input. Reload the window; if that does not help, install Gantry again.',
  actions: ['show-log'],
};
