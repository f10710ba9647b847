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
  /** Something besides the entries may have changed: running, title, who holds it, what can be undone. */
  stateChanged(): void;
  /** A message that waited was taken back: it belongs into the input again. */
  returned(message: UserEntry): void;
}

/** A session as the panel shows it. Everything follows from its events, so a resumed one is as it was. */
export class ShownConversation {
  readonly transcript = new Transcript();
  readonly knownEditor = new KnownEditor();
  /** Known with the first event; until then nothing of it is stored either. */
  id: string | undefined;
  /** Whether there is something to come back to. */
  isStored = false;
  isCompacting = false;
  /** By all of its requests, also those of messages that were rewound. */
  spent: PanelState['spent'] = { input: 0, output: 0 };
  private runningSince: number | undefined;
  private readonly unsubscribe: () => void;

  constructor(
    readonly session: AgentSession,
    private readonly service: AgentService,
    /** Another one when it is shown, or not shown any more. */
    public listener: ConversationListener,
  ) {
    for (const event of session.events) {
      this.transcript.apply(event);
      this.note(event);
    }
    this.unsubscribe = session.subscribe((event) => this.take(event));
  }

  /** When the run of this moment began. What another window does with the session is not followed here. */
  get startedAt(): number | undefined {
    return this.heldBy === undefined ? this.runningSince : undefined;
  }

  /** What can be done with it, as long as it is open. */
  get open(): OpenSession | undefined {
    return this.id !== undefined && this.service.isOpen(this.id) ? this.service.session(this.id) : undefined;
  }

  get heldBy(): string | undefined {
    return this.open?.heldBy;
  }

  get approvedPlan(): string | undefined {
    return approvedPlan(this.session.events, (callId) => this.transcript.entry(callId) !== undefined);
  }

  /** What the user said and the agent did not get yet. */
  get waiting(): UserEntry[] {
    if (this.heldBy !== undefined) return [];
    return this.transcript.entries.flatMap((entry) => (entry.kind === 'user' && entry.pending ? [entry] : []));
  }

  stopListening(): void {
    this.unsubscribe();
  }

  /** Stops it and lets others have it. */
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
    // What a subagent does is a conversation of its own; what it used is counted here when it is done.
    if (event.threadId !== undefined) return;
    this.knownEditor.take(event);
    if (event.type === 'initialize') this.id = event.sessionId;
    else this.isStored = true;
    // The message is there before its run: the panel is at work from the moment it was taken.
    if (isTakenMessage(event)) this.runningSince ??= Date.parse(event.timestamp);
    if (event.type === 'usage') this.spent = withUsage(this.spent, event);
    if (event.type === 'agent_start') this.runningSince = Date.parse(event.timestamp);
    if (event.type === 'agent_end') this.runningSince = undefined;
    if (event.type === 'custom' && event.kind === 'compacting') this.isCompacting = true;
    else if (endsCompacting(event)) this.isCompacting = false;
  }

  /** Asked before the event is applied, which removes the entry. */
  private returnedMessage(event: AgentEvent): UserEntry | undefined {
    if (event.type !== 'custom' || event.kind !== 'message_withdrawn') return undefined;
    const { messageId } = event.data;
    const entry = this.transcript.entries.find((other) => other.kind === 'user' && other.messageId === messageId);
    return entry?.kind === 'user' ? entry : undefined;
  }
}

function withUsage(spent: PanelState['spent'], event: UsageEvent): PanelState['spent'] {
  const { inputTokens = 0, outputTokens = 0, cost } = event;
  return {
    input: spent.input + inputTokens,
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

/** Not for every word of an answer: looking at the state costs more than appending to an entry. */
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

/** The text of the plan that the user last approved, as they left it. `counts` tells whether its call was not rewound. */
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

/** What the answer made of it; one without words changes nothing. */
function editIn(events: readonly AgentEvent[], requestId: string): string | undefined {
  const answer = events.findLast((event) => event.type === 'elicitation_response' && event.requestId === requestId);
  const plan = answer?.type === 'elicitation_response' ? answer.content['plan'] : undefined;
  return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}
