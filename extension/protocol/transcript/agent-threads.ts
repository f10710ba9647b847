import { Emitter } from '../../base/emitter.ts';
import type { AgentEvent, ToolDisplay } from '../agent/agent-event.ts';
import { AgentThread, type AgentWork } from './agent-thread.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

/** What a reader sees of a thread when they open it. */
export interface ThreadTranscript {
  readonly entries: readonly Entry[];
  entry(id: string): Entry | undefined;
  apply(event: AgentEvent): TranscriptChange[];
  /** Whether a call in it has begun that thread, or one that led to it. */
  hasBegun(threadId: string): boolean;
}

/** All of a thread, as it is and as it continues. */
export interface Thread extends Pick<ThreadTranscript, 'entries' | 'entry'> {
  watch(listener: (changes: readonly TranscriptChange[]) => void): () => void;
}

interface Followed {
  readonly card: AgentThread;
  readonly whole: ThreadTranscript;
  readonly changes: Emitter<readonly TranscriptChange[]>;
}

/** The subagents of a conversation: which call each works for, and what it does. */
export class AgentThreads {
  private readonly threads = new Map<string, Followed>();
  private readonly calls = new Map<string, string>();

  constructor(private readonly newTranscript: () => ThreadTranscript) {}

  /** The thread that a call has begun, once its display names it. */
  link(callId: string, display: ToolDisplay | undefined): void {
    if (display?.result?.type === 'agent') this.calls.set(display.result.threadId, callId);
  }

  hasBegun(threadId: string): boolean {
    return this.calls.has(threadId) || this.leaderOf(threadId) !== undefined;
  }

  /** The call that the event of a subagent belongs to: its own, or that of the one which it works for. */
  take(threadId: string, event: AgentEvent): string | undefined {
    const followed = this.followed(threadId);
    followed.card.take(event);
    // Its task stands above it, and nobody has said it here.
    if (event.type !== 'message' || event.role !== 'user') {
      const { threadId: _, ...own } = event;
      show(own, followed);
    }
    return this.calls.get(threadId) ?? this.takeBelow(threadId, event);
  }

  /** An agent that works for another one is shown in the thread of that one, which waits when it does. */
  private takeBelow(threadId: string, event: AgentEvent): string | undefined {
    const leader = this.leaderOf(threadId);
    if (!leader) return undefined;
    const [id, followed] = leader;
    show(event, followed);
    if (event.type === 'elicitation_request' || event.type === 'elicitation_response') followed.card.take(event);
    return this.calls.get(id);
  }

  private leaderOf(threadId: string): readonly [string, Followed] | undefined {
    return [...this.threads].find(([id, { whole }]) => id !== threadId && whole.hasBegun(threadId));
  }

  workOf(callId: string): AgentWork | undefined {
    const threadId = [...this.calls].find(([, id]) => id === callId)?.[0];
    return threadId === undefined ? undefined : this.followed(threadId).card.work;
  }

  /** A call of a subagent, as a step that waits. */
  callIn(threadId: string, callId: string): Extract<Entry, { kind: 'tool' }> | undefined {
    const step = this.followed(threadId).card.step(callId);
    return step && { kind: 'tool', ...step, status: 'running', detail: '' };
  }

  /** Undefined where no such thread was begun. */
  thread(threadId: string): Thread | undefined {
    const followed = this.threads.get(threadId);
    if (!followed) return undefined;
    const { whole, changes } = followed;
    return {
      get entries() {
        return whole.entries;
      },
      entry: (id) => whole.entry(id),
      watch: changes.on,
    };
  }

  private followed(threadId: string): Followed {
    const known = this.threads.get(threadId);
    if (known) return known;
    const followed = {
      card: new AgentThread(threadId),
      whole: this.newTranscript(),
      changes: new Emitter<readonly TranscriptChange[]>(),
    };
    this.threads.set(threadId, followed);
    return followed;
  }
}

function show(event: AgentEvent, { whole, changes }: Followed): void {
  const made = whole.apply(event);
  if (made.length > 0) changes.fire(made);
}
