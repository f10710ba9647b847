import type { AgentEvent, UsageEvent } from '../../protocol/agent/agent-event.ts';
import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import type { PanelState } from '../../protocol/panel/panel-messages.ts';
import { Transcript } from '../../protocol/transcript/transcript.ts';
import type { Entry, TranscriptChange } from '../../protocol/transcript/transcript-entry.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import type { OpenSession } from '../../runtime/open-session.ts';
import { KnownEditor } from '../editor/known-editor.ts';

export type UserEntry = Extract<Entry, { kind: 'user' }>;

export interface ConversationListener {
  changed(changes: TranscriptChange[]): void;
  /** Something other than the entries may have changed: whether it runs, its title, its holder, what can be undone. */
  stateChanged(): void;
  /** A pending message was withdrawn. Its text returns to the input. */
  returned(message: UserEntry): void;
}

/** A session as the panel shows it. Its state is derived from events only, so a resumed session looks the same. */
export class ShownConversation {
  readonly transcript = new Transcript();
  readonly knownEditor = new KnownEditor();
  /** Known with the first event. Until then, nothing of the session is stored. */
  id: string | undefined;
  /** Whether the session has something to resume. */
  isStored = false;
  isCompacting = false;
  /** The usage of all its requests, including those of rewound messages. */
  spent: PanelState['spent'] = { input: 0, output: 0 };
  private runningSince: number | undefined;
  private readonly unsubscribe: () => void;

  constructor(
    readonly session: AgentSession,
    private readonly service: AgentService,
    /** Replaced when the session is shown or moves to the background. */
    public listener: ConversationListener,
  ) {
    for (const event of session.events) {
      this.transcript.apply(event);
      this.note(event);
    }
    this.unsubscribe = session.subscribe((event) => this.take(event));
  }

  /** When the current run started. Undefined if another window holds the session. */
  get startedAt(): number | undefined {
    return this.heldBy === undefined ? this.runningSince : undefined;
  }

  /** The session's operations, while it is open. */
  get open(): OpenSession | undefined {
    return this.id !== undefined && this.service.isOpen(this.id) ? this.service.session(this.id) : undefined;
  }

  get heldBy(): string | undefined {
    return this.open?.heldBy;
  }

  get approvedPlan(): string | undefined {
    return approvedPlan(this.session.events, (callId) => this.transcript.entry(callId) !== undefined);
  }

  /** The pending messages, which the agent did not get yet. */
  get waiting(): UserEntry[] {
    if (this.heldBy !== undefined) return [];
    return this.transcript.entries.flatMap((entry) => (entry.kind === 'user' && entry.pending ? [entry] : []));
  }

  stopListening(): void {
    this.unsubscribe();
  }

  /** Stops the session and releases it for other windows. */
  async close(): Promise<void> {
    this.stopListening();
    await this.session.abort();
    if (this.id !== undefined) await this.service.closeSession(this.id);
  }

  private take(event: AgentEvent): void {
    const returned = this.returnedMessage(event);
    const changes = this.transcript.apply(event);
    this.note(event);
    if (changes.length > 0) this.listener.changed(changes);
    if (changesState(event)) this.listener.stateChanged();
    if (returned !== undefined) this.listener.returned(returned);
  }

  private note(event: AgentEvent): void {
    // A subagent has its own conversation. Its usage is added here when it is done.
    if (event.threadId !== undefined) return;
    this.knownEditor.take(event);
    if (event.type === 'initialize') this.id = event.sessionId;
    else this.isStored = true;
    // A message is accepted before its run starts. The panel shows activity from that moment.
    if (isTakenMessage(event)) this.runningSince ??= Date.parse(event.timestamp);
    if (event.type === 'usage') this.spent = withUsage(this.spent, event);
    if (event.type === 'agent_start') this.runningSince = Date.parse(event.timestamp);
    if (event.type === 'agent_end') this.runningSince = undefined;
    if (event.type === 'custom' && event.kind === 'compacting') this.isCompacting = true;
    else if (endsCompacting(event)) this.isCompacting = false;
  }

  /** Must be called before the event is applied, because that removes the entry. */
  private returnedMessage(event: AgentEvent): UserEntry | undefined {
    if (event.type !== 'custom' || event.kind !== 'message_withdrawn') return undefined;
    const { messageId } = event.data;
    const entry = this.transcript.entries.find((other) => other.kind === 'user' && other.messageId === messageId);
    return entry?.kind === 'user' ? entry : undefined;
  }
}

function withUsage(spent: PanelState['spent'], event: UsageEvent): PanelState['spent'] {
  const { inputTokens = 0, cachedTokens, outputTokens = 0, cost } = event;
  return {
    input: spent.input + inputTokens,
    ...((spent.cached ?? cachedTokens) !== undefined && { cached: (spent.cached ?? 0) + (cachedTokens ?? 0) }),
    output: spent.output + outputTokens,
    ...((spent.cost !== undefined || cost) && { cost: (spent.cost ?? 0) + (cost?.amount ?? 0) }),
  };
}

function isTakenMessage(event: AgentEvent): boolean {
  if (event.type === 'custom') return event.kind === 'message_delivered';
  return event.type === 'message' && event.role === 'user' && event._meta?.pending === undefined;
}

function endsCompacting(event: AgentEvent): boolean {
  return event.type === 'agent_end' || (event.type === 'custom' && event.kind === 'compaction_ended');
}

/** Excludes the text of answers: evaluating the state costs more than appending to an entry. */
function changesState(event: AgentEvent): boolean {
  switch (event.type) {
    case 'message':
      return event.role === 'user';
    case 'initialize':
    case 'session_update':
    case 'agent_start':
    case 'agent_end':
    case 'error':
    case 'custom':
    case 'usage':
    case 'tool_response':
      return true;
    default:
      return false;
  }
}

/** The plan that the user last approved, with the user's edits. `counts` returns whether its call was not rewound. */
export function approvedPlan(events: readonly AgentEvent[], counts: (callId: string) => boolean): string | undefined {
  const approved = events.findLast(
    (event) => event.type === 'tool_response' && event.data?.['approvedPlan'] !== undefined && counts(event.requestId),
  );
  if (approved?.type !== 'tool_response') return undefined;
  const asked = events.findLast(
    (event) => event.type === 'elicitation_request' && event._meta?.callId === approved.requestId,
  );
  if (asked?.type !== 'elicitation_request') return undefined;
  const details = asked._meta?.approval?.details;
  return editIn(events, asked.requestId) ?? (details?.type === 'plan' ? details.text : undefined);
}

/** The user's edited plan in the answer. An empty text counts as no edit. */
function editIn(events: readonly AgentEvent[], requestId: string): string | undefined {
  const answer = events.findLast((event) => event.type === 'elicitation_response' && event.requestId === requestId);
  const plan = answer?.type === 'elicitation_response' ? answer.content['plan'] : undefined;
  return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}
