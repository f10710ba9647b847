import { Emitter } from '../base/emitter.ts';
import type { AgentSend } from '../protocol/agent/agent-protocol.ts';
import { type AskedQuestion, notWaiting } from '../scheduler/confirmation-broker.ts';
import type { LiveSession } from './live-session.ts';

export interface OpenQuestion extends AskedQuestion {
  readonly sessionId: string;
}

/** What people have been asked in the open sessions of this process, whoever shows them. */
export class OpenQuestions {
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;

  constructor(private readonly live: ReadonlyMap<string, LiveSession>) {}

  get items(): readonly OpenQuestion[] {
    // What an agent asks is among the questions of the session that it works for.
    return [...this.live].flatMap(([sessionId, { questions, isLed }]) =>
      isLed ? [] : questions.map((question) => ({ sessionId, ...question })),
    );
  }

  /** Brings the answer to the session that asks, whoever shows it. */
  async answer(requestId: string, payload: AgentSend): Promise<void> {
    const asked = this.items.find((question) => question.requestId === requestId);
    const session = this.live.get(asked?.sessionId ?? '');
    if (!session) throw notWaiting(requestId);
    await session.agentSession.send(payload);
  }

  /** Until the session is closed. Agents that work for another session are sessions, too. */
  follow({ calls: { broker } }: LiveSession): void {
    broker.onDidChange(() => this.changed());
  }

  changed(): void {
    this.changes.fire();
  }
}
