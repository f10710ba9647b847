import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import type { AgentSend } from '../protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';

export interface Conversation {
  readonly session: AgentSession;
  readonly payload: AgentSend;
  /** Ends the run early; the run still closes with its `agent_end`. */
  readonly stop: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onStopFailed: (error: unknown) => void;
}

/**
 * One payload and all that follows from it. Resolves after `agent_end`; rejects when the session does not take the
 * message.
 */
export async function converse({ session, payload, stop, onEvent, onStopFailed }: Conversation): Promise<void> {
  const abort = (): void => void session.abort().catch(onStopFailed);
  // A session may have introduced itself already, and a subscription replays nothing. What else was said is not news.
  const introduction = session.events.find((event) => event.type === 'initialize');
  if (introduction) onEvent(introduction);
  const unsubscribe = session.subscribe(onEvent);
  stop.addEventListener('abort', abort);
  try {
    for await (const event of session.sendStream(payload)) {
      // Stopped while the message was being taken, when there was nothing to abort yet.
      if (event.type === 'agent_start' && stop.aborted) abort();
    }
  } finally {
    stop.removeEventListener('abort', abort);
    unsubscribe();
  }
}
