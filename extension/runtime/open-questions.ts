import * as l10n from '@vscode/l10n';
import { Emitter } from '../base/emitter.ts';
import type { AgentSend } from '../protocol/agent/agent-protocol.ts';
import type { AskedQuestion } from '../scheduler/confirmation-broker.ts';
import type { LiveSession } from './live-session.ts';
import { badInput } from './problems/message-limits.ts';

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

  async answer(sessionId: string, payload: AgentSend): Promise<void> {
    const session = this.live.get(sessionId);
    if (!session)
      throw badInput(l10n.t('Its session was closed in the meantime.'), l10n.t('The answer was not delivered'));
    await session.agentSession.send(payload);
  }

  /** Until the session is closed. */
  follow(session: LiveSession): void {
    session.edits.onDidChange(() => this.changed());
  }

  changed(): void {
    this.changes.fire();
  }
}
