import { createEvent, type Event, State } from '@google/adk';
import type { Part } from '@google/genai';
import { answerParts, isNameless, saidIn } from '../model/answer-parts.ts';
import type { RuleDraft } from '../policy/policy-types.ts';
import type { ClientTool } from '../ports/tool.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import { CallLedger } from './call-ledger.ts';
import { Compactions } from './compactions.ts';
import { ReviewLedger } from './files/review-ledger.ts';
import { Notices, type SessionNotice } from './notices.ts';
import { OpenCommands } from './open-commands.ts';
import type { RecordOf, SessionHeader, SessionRecord } from './session-record.ts';
import { isModelTurn, UsageMeter } from './session-totals.ts';

/** A run that has started and not ended. */
export interface OpenRun {
  readonly streamId: string;
  /** False between the message and the first step. */
  started: boolean;
  /** The text of the answer so far. */
  words: Part[];
  /** The model's last text, if nothing follows it. */
  answer: Event | undefined;
  /** The model that was chosen for this run alone. */
  readonly model?: string | undefined;
}

export type FileChange = RecordOf<'file_change'>;

/** What can still be restored after a rewind. */
interface Cut {
  readonly rewindId: string;
  readonly events: readonly Event[];
  /** Pending messages that the rewind removed. */
  readonly pending: readonly RecordOf<'pending'>[];
  readonly notices: readonly SessionNotice[];
}

interface ProtectedHistory {
  readonly change: RecordOf<'protected_changed'>;
  readonly putBack: RecordOf<'protected_put_back'>['files'][number][];
}

/** Grants of the session, with the number of events at that time. */
interface Granted {
  readonly rules: readonly RuleDraft[];
  readonly after: number;
}

/** Folders and hosts opened to the sandbox, with the number of events at that time. */
interface Opened {
  readonly record: RecordOf<'sandbox_allowed'>;
  readonly after: number;
}

/**
 * The state that results from the records of a session: the history for the model and everything that a restart needs.
 * Only this class changes it, both for new records and for replayed ones.
 */
export class SessionHistory {
  /** The same array as that of the ADK session. */
  readonly events: Event[] = [];
  readonly calls = new CallLedger();
  /** Pending messages, by the ID of the event that they will become. */
  readonly pending = new Map<string, RecordOf<'pending'>>();
  readonly fileChanges: FileChange[] = [];
  readonly review = new ReviewLedger();
  /** Protected files that changed during a command, by record ID, and which were restored. */
  readonly protectedChanges = new Map<string, ProtectedHistory>();
  /** The commands that are running, or were when the log ended. */
  readonly commands = new OpenCommands();
  /** Notices that the model hasn't received yet. */
  readonly notices = new Notices();
  /** Summaries and shortened outputs. */
  readonly compactions = new Compactions((eventId) => this.indexOf.has(eventId));
  header: SessionHeader | undefined;
  openRun: OpenRun | undefined;
  lastEnd: RecordOf<'run_ended'> | undefined;
  title: RecordOf<'title'> | undefined;
  /** The model the user chose for this session, and the one that was announced last in this run. */
  chosenModel: string | undefined;
  modelLabel: string | undefined;
  /** The approval mode; undefined until the user chooses one. */
  mode: ApprovalMode | undefined;
  /** The grants for the rest of the session. */
  grants: readonly RuleDraft[] = [];
  pinned = false;
  /** The same array until the client names other tools. */
  clientTools: readonly ClientTool[] = [];
  /** Whether loop detection is on; the user may turn it off for the session. */
  loopDetection = true;
  /** The ids of the secrets that were reported to the user. */
  readonly leftOut = new Set<string>();
  /** Usage of the current or last run, and of the session since its limits were extended. */
  runUse = new UsageMeter();
  sessionUse = new UsageMeter();
  /** The ADK state of this session; shared state is stored elsewhere. */
  private state: Record<string, unknown> = {};
  private readonly indexOf = new Map<string, number>();
  /** The number of file changes when a message was sent. */
  private readonly changesBefore = new Map<string, number>();
  /** The number of events when a message was queued. */
  private readonly eventsBefore = new Map<string, number>();
  private cut: Cut | undefined;
  private granted: readonly Granted[] = [];
  private opened: readonly Opened[] = [];

  take(record: SessionRecord): void {
    this.runUse.take(record);
    this.sessionUse.take(record);
    this.review.take(record);
    switch (record.type) {
      case 'session':
        this.header = record;
        return;
      case 'sent':
        this.takeSent(record);
        return;
      case 'run_started':
        if (this.openRun) this.openRun.started = true;
        return;
      case 'delta':
        for (const part of record.parts) if (part.text && !part.thought) this.openRun?.words.push(part);
        return;
      case 'retracted':
        if (this.openRun) this.openRun.words = [];
        return;
      case 'event':
        this.takeEvent(record.event);
        return;
      case 'tool_started':
      case 'tool_finished':
      case 'asked':
      case 'answered':
        this.calls.take(record);
        this.commands.take(record);
        return;
      case 'command_started':
        this.commands.take(record);
        return;
      case 'command_ended':
      case 'command_lost':
        this.commands.take(record);
        this.notices.add(record, this.events.length);
        return;
      case 'commented':
      case 'loop':
        this.notices.add(record, this.events.length);
        return;
      case 'protected_changed':
        this.protectedChanges.set(record.id, { change: record, putBack: [] });
        if (!record.inResult) this.notices.add(record, this.events.length);
        return;
      case 'protected_put_back':
        this.protectedChanges.get(record.id)?.putBack.push(...record.files);
        if (record.files.some(({ outcome }) => outcome === 'back')) this.notices.add(record, this.events.length);
        return;
      case 'comment_withdrawn':
        this.notices.withdraw(record.id);
        return;
      case 'loop_detection':
        this.loopDetection = record.on;
        return;
      case 'file_change':
        this.fileChanges.push(record);
        return;
      case 'pending':
        this.pending.set(record.id, record);
        this.eventsBefore.set(record.id, this.events.length);
        return;
      case 'withdrawn':
        this.pending.delete(record.id);
        return;
      case 'run_ended':
        this.openRun = undefined;
        this.lastEnd = record;
        return;
      case 'rewind':
        this.takeRewind(record);
        return;
      case 'rewind_undone':
        this.takeUndo(record);
        return;
      case 'title':
        if (record.by === 'user' || this.title?.by !== 'user') this.title = record;
        return;
      case 'choice':
        this.chosenModel = record.model;
        return;
      case 'model':
        this.modelLabel = record.label;
        return;
      case 'mode':
        this.mode = record.mode;
        return;
      case 'grant':
        this.keepGrants([...this.granted, { rules: record.rules, after: this.events.length }]);
        return;
      case 'sandbox_allowed':
        this.opened = [...this.opened, { record, after: this.events.length }];
        this.notices.add(record, this.events.length);
        return;
      case 'hook':
        if (record.kind === 'clear') this.clear();
        return;
      case 'left_out':
        for (const { id } of record.secrets) this.leftOut.add(id);
        return;
      case 'client_tools':
        this.clientTools = record.tools;
        return;
      case 'pinned':
        this.pinned = record.pinned;
        return;
      case 'compacted':
      case 'compaction_gave_nothing':
      case 'outputs_cut':
        this.compactions.take(record, this.events.at(-1)?.id);
        return;
      default:
        return;
    }
  }

  /** A copy of the state, without keys that are only valid during a run. */
  currentState(): Record<string, unknown> {
    return { ...this.state };
  }

  /** Undefined for an event that is not, or no longer, part of the conversation. */
  positionOf(eventId: string): number | undefined {
    return this.indexOf.get(eventId);
  }

  isMessage(messageId: string): boolean {
    return this.changesBefore.has(messageId) && this.indexOf.has(messageId);
  }

  /** Undefined after the conversation has continued. */
  get undoableRewind(): string | undefined {
    return this.cut?.rewindId;
  }

  /** The number of file changes before this message. */
  changesUntil(messageId: string): number {
    return this.changesBefore.get(messageId) ?? this.fileChanges.length;
  }

  /** Changes that were recorded when the process ended, but may not have been made. */
  changesInDoubt(): FileChange[] {
    const lastOf = new Map(this.fileChanges.map((change) => [change.path, change]));
    return [...lastOf.values()].filter(({ callId, rewindId, reviewId }) => {
      if (rewindId !== undefined) return rewindId === this.cut?.rewindId;
      if (reviewId !== undefined) return this.review.isOpen(reviewId);
      const call = this.calls.get(callId ?? '');
      return call !== undefined && !call.finished;
    });
  }

  private takeSent({ streamId, event, extendsLimits, model }: RecordOf<'sent'>): void {
    this.openRun = { streamId, started: false, words: [], answer: undefined, model };
    this.runUse = new UsageMeter();
    if (extendsLimits) this.sessionUse = new UsageMeter();
    this.cut = undefined;
    // Whoever follows one run alone learns which model answers in it.
    this.modelLabel = undefined;
    if (event) this.takeEvent(event);
  }

  private takeEvent(raw: Event): void {
    const event = createEvent(sendable(raw));
    if (event.author === 'user' && !this.indexOf.has(event.id))
      this.changesBefore.set(event.id, this.fileChanges.length);
    const known = this.indexOf.get(event.id);
    if (known === undefined) this.push(event);
    else this.events[known] = event;
    this.addState(event);
    this.calls.takeEvent(event);
    this.compactions.takeEvent(event);
    this.pending.delete(event.id);
    this.notices.delivered(event.id);
    if (!this.openRun) return;
    if (isModelTurn(event)) this.openRun.words = [];
    this.openRun.answer = isModelTurn(event) ? event : undefined;
  }

  private push(event: Event): void {
    this.indexOf.set(event.id, this.events.length);
    this.events.push(event);
  }

  private addState({ actions }: Event): void {
    for (const [key, value] of Object.entries(actions?.stateDelta ?? {})) {
      if (!SHARED_OR_SHORT.some((prefix) => key.startsWith(prefix))) this.state[key] = value;
    }
  }

  private takeRewind({ id, messageId, what }: RecordOf<'rewind'>): void {
    const at = this.indexOf.get(messageId);
    if (what === 'files' || at === undefined) {
      this.cut = { rewindId: id, events: [], pending: [], notices: [] };
      return;
    }
    const pending = [...this.pending.values()].filter((message) => (this.eventsBefore.get(message.id) ?? 0) > at);
    for (const message of pending) this.pending.delete(message.id);
    const notices = this.notices.takeAfter(at);
    const events = this.events.splice(at);
    for (const event of events) this.indexOf.delete(event.id);
    this.calls.clear();
    // A grant that was given after that message no longer applies.
    this.keepGrants(this.granted.filter(({ after }) => after <= at));
    this.opened = this.opened.filter(({ after }) => after <= at);
    this.recomputeState();
    this.cut = { rewindId: id, events, pending, notices };
  }

  private takeUndo({ rewindId }: RecordOf<'rewind_undone'>): void {
    if (this.cut?.rewindId !== rewindId) return;
    for (const event of this.cut.events) this.push(event);
    for (const message of this.cut.pending) this.pending.set(message.id, message);
    this.notices.putBack(this.cut.notices);
    this.recomputeState();
    this.cut = undefined;
  }

  /** Folders and hosts that the user opened to the sandbox for the rest of the session. */
  get sandboxAllowed(): readonly RecordOf<'sandbox_allowed'>[] {
    return this.opened.map(({ record }) => record);
  }

  /** The grants since this message. */
  grantsSince(messageId: string): readonly RuleDraft[] {
    const at = this.indexOf.get(messageId);
    return at === undefined ? [] : this.granted.filter(({ after }) => after > at).flatMap(({ rules }) => rules);
  }

  private keepGrants(granted: readonly Granted[]): void {
    this.granted = granted;
    this.grants = granted.flatMap(({ rules }) => rules);
  }

  /** Clears the history for the model, because a hook asked for it. The log keeps the conversation. */
  private clear(): void {
    this.events.length = 0;
    this.indexOf.clear();
    this.calls.clear();
    this.recomputeState();
    this.cut = undefined;
  }

  private recomputeState(): void {
    this.state = {};
    for (const event of this.events) this.addState(event);
  }
}

const SHARED_OR_SHORT = [State.APP_PREFIX, State.USER_PREFIX, State.TEMP_PREFIX];

/**
 * Removes empty texts, because ADK omits an answer that begins with one. Older versions stored them, and imports and
 * hooks may add them.
 */
function sendable(event: Event): Event {
  const { content } = event;
  const isUnfit = (part: Part): boolean => part.text === '' || saidIn(part).length !== 1 || isNameless(part);
  if (content?.role !== 'model' || !content.parts?.some(isUnfit)) return event;
  const parts = answerParts(content.parts);
  return parts.length > 0 ? { ...event, content: { ...content, parts } } : event;
}
