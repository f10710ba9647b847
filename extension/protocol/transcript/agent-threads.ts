import { Emitter } from '../../base/emitter.ts';
import type { AgentEvent, ToolDisplay } from '../agent/agent-event.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
type AgentWork = NonNullable<ToolEntry['agent']>;
type Step = AgentWork['steps'][number];

/** How much of a subagent's work is shown below its line without opening its thread. */
const STEPS = 5;
const WORDS = 600;

/** The work of a subagent in its thread, as the card of its call shows it. */
class AgentThread {
  private name = '';
  private turns = 0;
  private maxTurns: number | undefined;
  private tokens = 0;
  private model: string | undefined;
  private words = '';
  private thoughts = '';
  private readonly steps = new Map<string, Step>();
  /** The subagent's pending questions to the user. */
  private readonly asking = new Set<string>();

  constructor(private readonly threadId: string) {}

  take(event: AgentEvent): void {
    switch (event.type) {
      case 'initialize':
        this.name = event.agentId;
        break;
      case 'agent_start':
        this.maxTurns = numberIn(event._meta, 'maxTurns') ?? this.maxTurns;
        break;
      case 'usage':
        this.turns++;
        this.tokens += (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
        this.model = event.model;
        break;
      case 'message':
        this.say(event);
        break;
      case 'tool_request':
        this.words = '';
        this.thoughts = '';
        this.steps.set(event.requestId, stepOf(event.requestId, event.name, event.display, 'running'));
        break;
      case 'tool_response':
        this.steps.set(
          event.requestId,
          stepOf(event.requestId, event.name, event.display, event.isError ? 'error' : 'success'),
        );
        break;
      case 'elicitation_request':
        this.asking.add(event.requestId);
        break;
      case 'elicitation_response':
        this.asking.delete(event.requestId);
        break;
      case 'agent_end':
        this.stopSteps();
        break;
    }
  }

  step(callId: string): Step | undefined {
    return this.steps.get(callId);
  }

  get work(): AgentWork {
    const steps = [...this.steps.values()];
    return {
      threadId: this.threadId,
      name: this.name,
      turns: this.turns,
      ...(this.maxTurns !== undefined && { maxTurns: this.maxTurns }),
      tokens: this.tokens,
      ...(this.model !== undefined && { model: this.model }),
      earlier: Math.max(0, steps.length - STEPS),
      steps: steps.slice(-STEPS),
      words: this.words,
      thoughts: this.thoughts,
      waits: this.asking.size > 0,
    };
  }

  /** Steps without an outcome at the end of a run were cut off with it. */
  private stopSteps(): void {
    for (const [id, step] of this.steps)
      if (step.status === 'running') this.steps.set(id, { ...step, status: 'cancelled' });
  }

  private say({ role, content }: Extract<AgentEvent, { type: 'message' }>): void {
    if (role !== 'agent') return;
    for (const part of content) {
      if (part.type === 'text') this.words = (this.words + part.text).slice(-WORDS);
      if (part.type === 'thought') this.thoughts = (this.thoughts + part.thought).slice(-WORDS);
    }
  }
}

function stepOf(
  id: string,
  name: string,
  display: Extract<AgentEvent, { type: 'tool_request' }>['display'],
  status: Step['status'],
): Step {
  return { id, name, subject: display?.description ?? '', summary: display?.resultSummary ?? '', status };
}

function numberIn(meta: Readonly<Record<string, unknown>> | undefined, key: string): number | undefined {
  const value = meta?.[key];
  return typeof value === 'number' ? value : undefined;
}

/** The entries of a thread, shown when the reader opens it. */
export interface ThreadTranscript {
  readonly entries: readonly Entry[];
  entry(id: string): Entry | undefined;
  apply(event: AgentEvent): TranscriptChange[];
  /** Whether a call in this thread has started the given thread, directly or through other subagents. */
  hasBegun(threadId: string): boolean;
}

/** A whole thread, which can be watched for changes. */
export interface Thread extends Pick<ThreadTranscript, 'entries' | 'entry'> {
  watch(listener: (changes: readonly TranscriptChange[]) => void): () => void;
}

interface Followed {
  readonly card: AgentThread;
  readonly whole: ThreadTranscript;
  readonly changes: Emitter<readonly TranscriptChange[]>;
}

/** The subagents of a conversation: the call that each works for, and its work. */
export class AgentThreads {
  private readonly threads = new Map<string, Followed>();
  private readonly calls = new Map<string, string>();

  constructor(private readonly newTranscript: () => ThreadTranscript) {}

  /** Connects a call with the thread that it started, once the call's display names the thread. */
  link(callId: string, display: ToolDisplay | undefined): void {
    if (display?.result?.type === 'agent') this.calls.set(display.result.threadId, callId);
  }

  hasBegun(threadId: string): boolean {
    return this.calls.has(threadId) || this.leaderOf(threadId) !== undefined;
  }

  /**
   * Takes an event of a subagent and returns the call that it belongs to: the subagent's own, or that of its leader.
   */
  take(threadId: string, event: AgentEvent): string | undefined {
    const followed = this.followed(threadId);
    followed.card.take(event);
    // A user message is the subagent's task, which is already shown above the thread; the user didn't write it.
    if (event.type !== 'message' || event.role !== 'user') {
      const { threadId: _, ...own } = event;
      show(own, followed);
    }
    return this.calls.get(threadId) ?? this.takeBelow(threadId, event);
  }

  /** Shows a nested subagent in the thread of its leader. If the subagent waits for the user, so does the leader. */
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

  /** A call of a subagent, as an entry that waits for an answer. */
  callIn(threadId: string, callId: string): Extract<Entry, { kind: 'tool' }> | undefined {
    const step = this.followed(threadId).card.step(callId);
    return step && { kind: 'tool', ...step, status: 'running', detail: '' };
  }

  /** Returns undefined if no thread with this id was started. */
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
