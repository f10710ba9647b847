import * as vscode from 'vscode';
import type { AgentSession } from '../protocol/agent-session.ts';
import type { PanelState } from '../protocol/panel-messages.ts';
import type { Logger } from '../runtime/host.ts';
import type { OpenQuestions } from '../runtime/open-questions.ts';
import { Disposable } from './disposable.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import type { ShownConversation } from './shown-conversation.ts';

export interface FinishedSession extends Pick<ShownConversation, 'id' | 'transcript'> {
  /** In ms since the epoch. */
  readonly startedAt: number;
}

/** Sessions that were left while they were at work: each goes on until its run is over, and is closed then. */
export class BackgroundSessions extends Disposable {
  private readonly working = new Map<string, ShownConversation>();
  /** Those whose run is over, until they are closed. */
  private readonly ending = new Map<string, NodeJS.Timeout>();
  private readonly unseen = new Set<string>();
  private questions: Pick<OpenQuestions, 'items'> = { items: [] };
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly finished = this.register(new vscode.EventEmitter<FinishedSession>());
  readonly onDidChange = this.changed.event;
  /** Its run is over, and nobody has seen how it ended. */
  readonly onDidFinish = this.finished.event;

  constructor(
    runtime: Pick<RuntimeLoader, 'onDidLoad'>,
    private readonly log: Logger,
  ) {
    super();
    this.register({ dispose: () => this.forgetAll() });
    runtime.onDidLoad(({ questions }) => {
      this.questions = questions;
      this.register({ dispose: questions.onDidChange(() => this.changed.fire()) });
    });
  }

  /** What goes on outside of the panel, which shows the session of this id. */
  elsewhere(shown: string | undefined): PanelState['elsewhere'] {
    const waiting = new Set(this.questions.items.map(({ sessionId }) => sessionId));
    if (shown !== undefined) waiting.delete(shown);
    const running = [...this.working.keys()].filter((id) => !waiting.has(id) && !this.ending.has(id));
    const counts = { needYou: waiting.size, running: running.length, answered: this.unseen.size };
    return counts.needYou + counts.running + counts.answered > 0 ? counts : undefined;
  }

  /** True when it goes on by itself; one that is idle is the caller's to close. */
  take(conversation: ShownConversation): boolean {
    const { id } = conversation;
    if (id === undefined || isIdle(conversation)) return false;
    this.working.set(id, conversation);
    const { startedAt = Date.now() } = conversation;
    conversation.listener = {
      changed: () => undefined,
      stateChanged: () => this.look(id, conversation, startedAt),
      // Nothing that was said is lost with a stop from elsewhere: it stands in the session's own conversation.
      returned: () => undefined,
    };
    this.changed.fire();
    return true;
  }

  /** It is shown again, as it is by now. */
  takeBack(session: AgentSession): ShownConversation | undefined {
    const conversation = [...this.working.values()].find((other) => other.session === session);
    if (conversation?.id !== undefined) this.forget(conversation.id);
    return conversation;
  }

  /** The user looks at it. */
  seen(id: string | undefined): void {
    if (id !== undefined && this.unseen.delete(id)) this.changed.fire();
  }

  /** Stops it. */
  async close(id: string): Promise<void> {
    const conversation = this.working.get(id);
    this.unseen.delete(id);
    this.forget(id);
    await conversation?.close();
    this.changed.fire();
  }

  private look(id: string, conversation: ShownConversation, startedAt: number): void {
    if (isIdle(conversation) && !this.ending.has(id)) {
      this.unseen.add(id);
      this.ending.set(
        id,
        setTimeout(() => this.end(id, conversation), LINGER_MS),
      );
      this.finished.fire({ id, transcript: conversation.transcript, startedAt });
    }
    this.changed.fire();
  }

  private end(id: string, conversation: ShownConversation): void {
    this.forget(id);
    conversation.close().catch((error: unknown) => this.log.error('A session was not closed', error));
  }

  private forget(id: string): void {
    clearTimeout(this.ending.get(id));
    this.ending.delete(id);
    this.working.delete(id);
  }

  private forgetAll(): void {
    for (const [id, conversation] of [...this.working]) {
      conversation.stopListening();
      this.forget(id);
    }
  }
}

/** As long as a model may take for the title of a session. */
const LINGER_MS = 20_000;

/** What waits to be said begins a run of its own. */
function isIdle({ startedAt, waiting }: ShownConversation): boolean {
  return startedAt === undefined && waiting.length === 0;
}
