import { Emitter } from '../base/emitter.ts';
import type { AgentSend } from '../protocol/agent/agent-protocol.ts';
import { type AskedQuestion, type ConfirmationBroker, notWaiting } from '../scheduler/confirmation-broker.ts';
import type { LiveSession } from './live-session.ts';

export interface OpenQuestion extends AskedQuestion {
  readonly sessionId: string;
}

/** The pending questions in all open sessions of this process, shown or not. */
export class OpenQuestions {
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;

  constructor(private readonly live: ReadonlyMap<string, LiveSession>) {}

  get items(): readonly OpenQuestion[] {
    // The questions of an agent are among those of its leader.
    return [...this.live].flatMap(([sessionId, { questions, isLed }]) =>
      isLed ? [] : questions.map((question) => ({ sessionId, ...question })),
    );
  }

  /** Passes the answer to the session that asked, even if another surface shows the question. */
  async answer(requestId: string, payload: AgentSend): Promise<void> {
    const asked = this.items.find((question) => question.requestId === requestId);
    const session = this.live.get(asked?.sessionId ?? '');
    if (!session) throw notWaiting(requestId);
    await session.agentSession.send(payload);
  }

  /** Follows the questions of a session, also of agents' sessions, until the session is closed. */
  follow(broker: Pick<ConfirmationBroker, 'onDidChange'>): void {
    broker.onDidChange(() => this.changed());
  }

  changed(): void {
    this.changes.fire();
  }
}
