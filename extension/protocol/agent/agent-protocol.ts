import type { AgentEvent } from './agent-event.ts';
import type { ContentPart, Delivery } from './content-part.ts';

export interface MessageSend {
  readonly message: {
    readonly content: readonly ContentPart[];
    readonly displayContent?: string;
    /** How a message is delivered during a run: with the next model request (the default), or in its own run later. */
    readonly delivery?: Delivery;
    /** The model of the run that this message begins. A message that joins a run cannot have one. */
    readonly model?: string;
  };
}

export interface ElicitationsSend {
  readonly elicitations: readonly ElicitationAnswer[];
}

export interface ElicitationAnswer {
  readonly requestId: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Of an approval: an `ApprovalAnswer`. */
  readonly content: Readonly<Record<string, unknown>>;
}

export interface UpdateSend {
  readonly update: {
    readonly title?: string;
    readonly model?: string;
    readonly config?: Readonly<Record<string, unknown>>;
  };
}

export interface ActionSend {
  readonly action: { readonly type: string; readonly data: unknown };
}

/** Exactly one of message, elicitations, update and action is set. */
export type AgentSend = (MessageSend | ElicitationsSend | UpdateSend | ActionSend) & {
  readonly _meta?: Readonly<Record<string, unknown>>;
};

export type Unsubscribe = () => void;

/** A conversation partner: something to send to, listen to and stop. */
export interface AgentProtocol {
  /** The id of the session, even before anything has happened in it. */
  readonly id: string;
  /**
   * Resolves when the payload was accepted. The id is that of the affected stream: a new one, the running one, or null
   * if nothing was started. A new stream's id is returned before its `agent_start` is emitted.
   */
  send(payload: AgentSend): Promise<{ readonly streamId: string | null }>;
  /** Live events only; nothing is replayed. */
  subscribe(listener: (event: AgentEvent) => void): Unsubscribe;
  abort(): Promise<void>;
  /** All events so far, oldest first. */
  readonly events: readonly AgentEvent[];
}
