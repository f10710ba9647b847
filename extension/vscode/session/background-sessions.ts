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
  /** In ms since the epoch. */
  readonly startedAt: number;
}

/** A session that continues without being shown. */
interface LeftSession {
  readonly conversation: ShownConversation;
  readonly startedAt: number;
  /** Undefined while its run is on; 0 when none was when it was left. In ms since the epoch. */
  endedAt: number | undefined;
  /** Until it is closed. */
  closing?: NodeJS.Timeout;
}

/** Sessions that were left at work, or with commands that run: each continues until that is over, and is closed then. */
export class BackgroundSessions extends Disposable {
  private readonly left = new Map<string, LeftSession>();
  private readonly unseen = new Set<string>();
  private questions: Pick<OpenQuestions, 'items'> = { items: [] };
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly finished = this.register(new vscode.EventEmitter<FinishedSession>());
  readonly onDidChange = this.changed.event;
  /** Its run is over, and nobody has seen how it ended. */
  readonly onDidFinish = this.finished.event;
  private readonly closedIdle = this.register(new vscode.EventEmitter<string>());
  /** A session, by its id, in which nothing but commands ran since it was left. */
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

  /** Those whose run is on. */
  get atWork(): readonly string[] {
    return [...this.left].flatMap(([id, { endedAt }]) => (endedAt === undefined ? [id] : []));
  }

  /** What happens outside of the panel, which shows the session of this id. */
  elsewhere(shown: string | undefined): PanelState['elsewhere'] {
    const waiting = new Set(this.questions.items.map(({ sessionId }) => sessionId));
    if (shown !== undefined) waiting.delete(shown);
    const running = this.atWork.filter((id) => !waiting.has(id));
    const counts = { needYou: waiting.size, running: running.length, answered: this.unseen.size };
    return counts.needYou + counts.running + counts.answered > 0 ? counts : undefined;
  }

  /** True when it continues by itself; one that does nothing is the caller's to close. */
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

  /** It is shown again, as it is by now. */
  takeBack(session: AgentSession): ShownConversation | undefined {
    const conversation = [...this.left.values()].map((left) => left.conversation).find(isOf(session));
    if (conversation?.id !== undefined) this.forget(conversation.id);
    return conversation;
  }

  /** One of the window before, in which a question waited: it waits on here, unless somebody has it open. */
  async takeUp(id: string): Promise<void> {
    const service = await this.runtime.load();
    const stored = (await service.library?.list())?.find((session) => session.id === id);
    if (stored?.stop?.kind !== 'waits' || service.isOpen(id)) return;
    const session = await openWhenFree(service, id);
    const { ShownConversation } = await import('./shown-conversation.ts');
    const conversation = new ShownConversation(session, service, NOT_SHOWN);
    if (conversation.heldBy !== undefined || !this.take(conversation)) await conversation.close();
  }

  /** The user looks at it. */
  seen(id: string | undefined): void {
    if (id !== undefined && this.unseen.delete(id)) this.changed.fire();
  }

  /** Stops it. */
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

/** As long as a model may take for the title of a session. */
const LINGER_MS = 20_000;

const NOT_SHOWN: ConversationListener = {
  changed: () => undefined,
  stateChanged: () => undefined,
  // Nothing that was said is lost with a stop from elsewhere: it stands in the session's own conversation.
  returned: () => undefined,
};

function isOf(session: AgentSession): (conversation: ShownConversation) => boolean {
  return (conversation) => conversation.session === session;
}

/** What waits to be said begins a run of its own. */
function isIdle({ startedAt, waiting }: ShownConversation): boolean {
  return startedAt === undefined && waiting.length === 0;
}

/** They would end with their session. */
function hasCommands({ heldBy, open }: ShownConversation): boolean {
  return heldBy === undefined && open?.commands.isRunning === true;
}
