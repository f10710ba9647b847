import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import type { PanelState } from '../../protocol/panel/panel-messages.ts';
import type { OpenQuestions } from '../../runtime/open-questions.ts';
import { Disposable } from '../base/disposable.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import { openWhenFree } from './remembered-session.ts';
import type { ConversationListener, ShownConversation } from './shown-conversation.ts';

export interface FinishedSession extends Pick<ShownConversation, 'id' | 'transcript'> {
  /** When its run started, in ms since the epoch. */
  readonly startedAt: number;
}

/** A session that continues in the background. */
interface LeftSession {
  readonly conversation: ShownConversation;
  readonly startedAt: number;
  /** When its run ended, in ms since the epoch. Undefined while it runs; 0 if it was not running when it was left. */
  endedAt: number | undefined;
  /** The timer that closes the session. */
  closing?: NodeJS.Timeout;
}

/** Sessions that were left during a run or with running commands. Each continues until it is done, then is closed. */
export class BackgroundSessions extends Disposable {
  private readonly left = new Map<string, LeftSession>();
  private readonly unseen = new Set<string>();
  private questions: Pick<OpenQuestions, 'items'> = { items: [] };
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly finished = this.register(new vscode.EventEmitter<FinishedSession>());
  readonly onDidChange = this.changed.event;
  /** A run has ended, and the user has not seen it. */
  readonly onDidFinish = this.finished.event;
  private readonly closedIdle = this.register(new vscode.EventEmitter<string>());
  /** A session was closed in which only commands ran since it was left. */
  readonly onDidCloseIdle = this.closedIdle.event;

  constructor(
    private readonly runtime: Pick<RuntimeLoader, 'load' | 'onDidLoad'>,
    private readonly log: Logger,
  ) {
    super();
    this.register({ dispose: () => this.forgetAll() });
    runtime.onDidLoad(({ questions }) => {
      this.questions = questions;
      this.register({ dispose: questions.onDidChange(() => this.changed.fire()) });
    });
  }

  /** The sessions with a run in progress. */
  get atWork(): readonly string[] {
    return [...this.left].flatMap(([id, { endedAt }]) => (endedAt === undefined ? [id] : []));
  }

  /** Counts the sessions that need attention, run or have news, except for the session shown. */
  elsewhere(shown: string | undefined): PanelState['elsewhere'] {
    const waiting = new Set(this.questions.items.map(({ sessionId }) => sessionId));
    if (shown !== undefined) waiting.delete(shown);
    const running = this.atWork.filter((id) => !waiting.has(id));
    const counts = { needYou: waiting.size, running: running.length, answered: this.unseen.size };
    return counts.needYou + counts.running + counts.answered > 0 ? counts : undefined;
  }

  /** Returns true if the session continues in the background. Otherwise, the caller closes it. */
  take(conversation: ShownConversation): boolean {
    const { id } = conversation;
    if (id === undefined || (isIdle(conversation) && !hasCommands(conversation))) return false;
    const { startedAt = Date.now() } = conversation;
    const left: LeftSession = { conversation, startedAt, endedAt: isIdle(conversation) ? 0 : undefined };
    this.left.set(id, left);
    conversation.listener = { ...NOT_SHOWN, stateChanged: () => this.look(id, left) };
    this.changed.fire();
    return true;
  }

  has(session: AgentSession): boolean {
    return [...this.left.values()].some(({ conversation }) => conversation.session === session);
  }

  /** Returns the conversation of a session, because it is shown again. */
  takeBack(session: AgentSession): ShownConversation | undefined {
    const conversation = [...this.left.values()].map((left) => left.conversation).find(isOf(session));
    if (conversation?.id !== undefined) this.forget(conversation.id);
    return conversation;
  }

  /** Reopens a session from before a reload if it has a pending question and is not open elsewhere. */
  async takeUp(id: string): Promise<void> {
    const service = await this.runtime.load();
    const stored = (await service.library?.list())?.find((session) => session.id === id);
    if (stored?.stop?.kind !== 'waits' || service.isOpen(id)) return;
    const session = await openWhenFree(service, id);
    const { ShownConversation } = await import('./shown-conversation.ts');
    const conversation = new ShownConversation(session, service, NOT_SHOWN);
    if (conversation.heldBy !== undefined || !this.take(conversation)) await conversation.close();
  }

  /** The user has opened the session. */
  seen(id: string | undefined): void {
    if (id !== undefined && this.unseen.delete(id)) this.changed.fire();
  }

  /** Stops the session. */
  async close(id: string): Promise<void> {
    const left = this.left.get(id);
    this.unseen.delete(id);
    this.forget(id);
    await left?.conversation.close();
    this.changed.fire();
  }

  private look(id: string, left: LeftSession): void {
    const { conversation } = left;
    clearTimeout(left.closing);
    if (!isIdle(conversation)) {
      left.endedAt = undefined;
    } else {
      if (left.endedAt === undefined) this.runEnded(id, left);
      const lingers = Math.max(0, (left.endedAt ?? 0) + LINGER_MS - Date.now());
      if (!hasCommands(conversation)) left.closing = setTimeout(() => this.end(id, left), lingers);
    }
    this.changed.fire();
  }

  private runEnded(id: string, left: LeftSession): void {
    const { startedAt, conversation } = left;
    left.endedAt = Date.now();
    this.unseen.add(id);
    this.finished.fire({ id, transcript: conversation.transcript, startedAt });
  }

  private end(id: string, { conversation, endedAt }: LeftSession): void {
    this.forget(id);
    const closed = conversation.close().then(() => {
      if (endedAt === 0) this.closedIdle.fire(id);
      this.changed.fire();
    });
    closed.catch((error: unknown) => this.log.error('A session was not closed', error));
  }

  private forget(id: string): void {
    clearTimeout(this.left.get(id)?.closing);
    this.left.delete(id);
  }

  private forgetAll(): void {
    for (const [id, { conversation }] of [...this.left]) {
      conversation.stopListening();
      this.forget(id);
    }
  }
}

/** As long as a model may take to generate the title of a session. */
const LINGER_MS = 20_000;

const NOT_SHOWN: ConversationListener = {
  changed: () => undefined,
  stateChanged: () => undefined,
  // Returned text is not lost if the session is stopped from elsewhere: its own conversation still contains it.
  returned: () => undefined,
};

function isOf(session: AgentSession): (conversation: ShownConversation) => boolean {
  return (conversation) => conversation.session === session;
}

/** A pending message starts another run. */
function isIdle({ startedAt, waiting }: ShownConversation): boolean {
  return startedAt === undefined && waiting.length === 0;
}

/** Running commands would end with their session. */
function hasCommands({ heldBy, open }: ShownConversation): boolean {
  return heldBy === undefined && open?.commands.isRunning === true;
}
