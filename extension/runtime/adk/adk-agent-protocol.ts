import { randomUUID } from 'node:crypto';
import { createEvent, type Event } from '@google/adk';
import type { Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import type { AgentEvent } from '../../protocol/agent/agent-event.ts';
import type {
  ActionSend,
  AgentProtocol,
  AgentSend,
  ElicitationAnswer,
  MessageSend,
  Unsubscribe,
  UpdateSend,
} from '../../protocol/agent/agent-protocol.ts';
import { APPROVAL_MODES, isApprovalMode } from '../../protocol/agent/approval-mode.ts';
import type { ContentPart, Delivery } from '../../protocol/agent/content-part.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { noticeEvents } from '../commands/command-notices.ts';
import { CompressionRun, type SessionCompaction } from '../compaction/session-compaction.ts';
import type { EventStream } from '../events/event-stream.ts';
import { endReasonOf } from '../events/event-translator.ts';
import type { RunEnd, RunningRun, SessionStatus, StoppableRun } from '../events/stoppable-run.ts';
import type { SessionEnvironment } from '../knowledge/session-environment.ts';
import { pipedMetadata } from '../message/named-by-user.ts';
import { checkOneKind, type TakenMessage, takeMessage } from '../message/send-payload.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import { badInput } from '../problems/message-limits.ts';
import { heldElsewhere } from '../problems/session-problems.ts';
import { AgentRun, type RunParts } from './agent-run.ts';

export interface AdkBinding extends RunParts {
  readonly stream: EventStream;
  /** The protocol stores the current run here. */
  readonly status: SessionStatus;
  readonly broker: ConfirmationBroker;
  readonly mode: SessionMode;
  readonly compaction: SessionCompaction;
  /** Runs before each run: reads files again that may have changed on disk. Never rejects. */
  readonly prepare: () => Promise<void>;
  /** Passes the answers to the session that asked: this session, or an agent that works for it. */
  readonly answer: (answers: readonly ElicitationAnswer[], by: string) => void;
  /** A note for the model about a message, such as the agents that it mentions. */
  readonly noteOn: (content: readonly ContentPart[]) => string | undefined;
  /** Tells the model about the machine and the workspace. */
  readonly environment: Pick<SessionEnvironment, 'look' | 'news'>;
  /** Notes for the model about what changed beside the conversation. */
  readonly notes: () => readonly Event[];
  /** Resumes waiting calls that the rules allow by now. */
  readonly releaseAllowed: () => void;
  /** Throws a `ProblemError` when a message is too long for the model. */
  readonly checkMessage: (parts: readonly Part[]) => void;
  /** Whether a user can answer questions. */
  readonly interactive: boolean;
  /** Settles when the current rewind of files ends; undefined if there is none. */
  readonly rewinding: () => Promise<void> | undefined;
}

type Taken = { readonly streamId: string | null };

/** Runs a conversation with ADK: one run at a time, and each run is one stream of events. */
export class AdkAgentProtocol implements AgentProtocol {
  constructor(private readonly adk: AdkBinding) {}

  get id(): string {
    return this.adk.journal.id;
  }

  get events(): readonly AgentEvent[] {
    return this.adk.stream.events;
  }

  private get running(): RunningRun | undefined {
    return this.adk.status.running;
  }

  subscribe(listener: (event: AgentEvent) => void): Unsubscribe {
    return this.adk.stream.subscribe(listener);
  }

  async send(payload: AgentSend): Promise<Taken> {
    checkOneKind(payload);
    // The first message waits for a moment, so that it comes after what it is about.
    const described = 'message' in payload ? this.adk.environment.look() : undefined;
    if (described && !this.running) await described;
    for (let last = this.ending(); last; last = this.ending()) await last;
    const { status, journal } = this.adk;
    if (status.heldBy !== undefined) throw new ProblemError(heldElsewhere(status.heldBy));
    if (journal.isClosed) throw badInput(l10n.t('The session was closed, so nothing was sent.'));
    if ('message' in payload) {
      const message = this.withNote(payload, takeMessage(payload, payload._meta, this.adk.checkMessage));
      const { delivery = 'steer', model } = payload.message;
      return this.running ? this.wait(message, delivery, model) : this.say(message, model);
    }
    if ('elicitations' in payload) {
      this.adk.answer(payload.elicitations, surfaceOf(payload._meta));
      return { streamId: this.running?.streamId ?? null };
    }
    return 'update' in payload ? this.update(payload.update) : this.act(payload.action);
  }

  async abort(): Promise<void> {
    this.running?.run.stop();
    await this.running?.ended;
  }

  /**
   * Handles the run that a restart cut off. If it waited for the user, it keeps waiting. Otherwise it is closed, so
   * that Gantry sends no request to a model that the user did not ask for.
   */
  async recover(): Promise<void> {
    const { journal, scheduler, broker, interactive } = this.adk;
    const { openRun, calls } = journal.history;
    if (!openRun) return;
    this.adk.mode.beginRun();
    await this.adk.prepare();
    if (!openRun.started) this.markStart();
    // Restore questions first, so that they can be answered as soon as the caller has the session.
    for (const { question } of calls.open) if (question) broker.restore(question.requestId, question);
    scheduler.adopt(calls.open);
    // A question that a started call asked was lost together with the call.
    for (const { id, question, started } of calls.open) if (started && question) broker.withdraw(id);
    const run = new AgentRun(this.adk);
    const asking = await Promise.all(calls.open.map((call) => scheduler.wouldAsk(call)));
    if (interactive && asking.includes(true)) {
      this.adk.status.running = { run, streamId: openRun.streamId, ended: this.finish(run) };
      return;
    }
    const answered = wholeAnswer(journal.history);
    await run.repair();
    this.close(answered ? { reason: endReasonOf(answered) } : { reason: 'aborted', data: { code: 'INTERRUPTED' } });
  }

  /** Between Stop and the end of the run, and during a rewind, a message has to wait: it is meant for afterwards. */
  private ending(): Promise<void> | undefined {
    return this.running?.run.stopped ? this.running.ended : this.adk.rewinding();
  }

  private withNote({ message: { content } }: MessageSend, taken: TakenMessage): TakenMessage {
    const note = this.adk.noteOn(content);
    return note === undefined ? taken : { ...taken, parts: [...taken.parts, { text: note }] };
  }

  private say({ parts, shown, meta }: TakenMessage, model?: string): Taken {
    const given = meta && { meta };
    const event = userEvent({ id: randomUUID(), parts, ...given });
    return this.start({ event, shown, ...given, ...(model !== undefined && { model }) });
  }

  /** Queues a message that was sent during a run. It is shown at once and joins the conversation later. */
  private wait({ parts, shown, meta }: TakenMessage, delivery: Delivery, model?: string): Taken {
    if (delivery === 'steer' && model !== undefined) {
      throw badInput(
        l10n.t('A message that joins a run is answered by the model of that run, so it cannot choose one.'),
      );
    }
    const more = { ...(meta && { meta }), ...(model !== undefined && { model }) };
    this.adk.journal.append({ type: 'pending', id: randomUUID(), delivery, parts, shown, ...more });
    return { streamId: delivery === 'steer' ? (this.running?.streamId ?? null) : null };
  }

  private update({ title, model, config }: UpdateSend['update']): Taken {
    const { journal } = this.adk;
    if (config !== undefined) this.configure(config);
    if (title !== undefined) {
      const trimmed = title.trim();
      if (trimmed === '') throw badInput(l10n.t('A title needs at least one character.'));
      journal.append({ type: 'title', title: trimmed, by: 'user' });
    }
    if (model !== undefined) journal.append({ type: 'choice', model });
    return { streamId: null };
  }

  private configure(config: Readonly<Record<string, unknown>>): void {
    const { approvalMode, loopDetection, ...other } = config;
    const isMode = approvalMode === undefined || isApprovalMode(approvalMode);
    const isSwitch = loopDetection === undefined || typeof loopDetection === 'boolean';
    if (!isMode || !isSwitch || Object.keys(config).length === 0 || Object.keys(other).length > 0) {
      const modes = APPROVAL_MODES.join(', ');
      throw badInput(
        `A session can be configured with approvalMode, which is ${modes}, and loopDetection, true or false.`,
      );
    }
    if (loopDetection !== undefined) this.adk.journal.append({ type: 'loop_detection', on: loopDetection });
    if (approvalMode === undefined) return;
    this.adk.mode.setMode(approvalMode);
    this.adk.releaseAllowed();
  }

  private act({ type, data }: ActionSend['action']): Taken {
    switch (type) {
      case 'retry':
      case 'continue':
        return this.goOn();
      case 'withdraw':
        return this.withdraw(data);
      case 'compress':
        return this.compress();
      case 'stop_agent':
        return this.stopAgent(data);
      default:
        throw badInput(
          `There is no action "${type}". This session takes retry, continue, withdraw, compress and stop_agent.`,
        );
    }
  }

  private goOn(): Taken {
    if (this.running) throw badInput(stillAnswering());
    const { history } = this.adk.journal;
    if (history.events.length === 0) throw badInput(l10n.t('There are no messages yet, so there is nothing to retry.'));
    const last = history.events.at(-1);
    if (last?.author === 'user' && last.content?.parts?.[0]?.text === '') {
      throw badInput(l10n.t('A hook blocked your message. Change it and send it again.'));
    }
    const extendsLimits = history.lastEnd?.data?.['scope'] === 'session';
    return this.start(extendsLimits ? { extendsLimits } : {});
  }

  private compress(): Taken {
    if (this.running) throw badInput(stillAnswering(), notCompressed());
    const reason = this.adk.compaction.whyNot();
    if (reason !== undefined) throw badInput(reason, notCompressed());
    return this.begin({}, new CompressionRun(this.adk.compaction));
  }

  private withdraw(data: unknown): Taken {
    const id = typeof data === 'object' && data !== null && 'messageId' in data ? data.messageId : undefined;
    const { journal } = this.adk;
    if (typeof id !== 'string' || !journal.history.pending.has(id)) {
      throw badInput(l10n.t('That message is already part of the conversation and cannot be withdrawn.'));
    }
    journal.append({ type: 'withdrawn', id, by: 'user' });
    return { streamId: this.running?.streamId ?? null };
  }

  private stopAgent(data: unknown): Taken {
    const id = typeof data === 'object' && data !== null && 'callId' in data ? data.callId : undefined;
    if (typeof id !== 'string' || !this.adk.scheduler.stopAgent(id)) {
      throw badInput('That agent is no longer running.');
    }
    return { streamId: this.running?.streamId ?? null };
  }

  private start(sent: Omit<RecordOf<'sent'>, 'type' | 'at' | 'streamId'>): Taken {
    const { journal } = this.adk;
    // Notices happened before the message, so they are stored before it.
    const notices = [...noticeEvents(journal.history), ...this.adk.environment.news(), ...this.adk.notes()];
    for (const event of notices) journal.append({ type: 'event', event });
    return this.begin(sent, new AgentRun(this.adk, sent.event));
  }

  private begin(sent: Omit<RecordOf<'sent'>, 'type' | 'at' | 'streamId'>, run: StoppableRun): Taken {
    const streamId = randomUUID();
    this.adk.journal.append({ type: 'sent', streamId, ...sent });
    this.adk.mode.beginRun();
    // A macrotask, so that the caller has the stream id before `agent_start`.
    const ended = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      this.markStart();
      await this.adk.prepare();
      return this.finish(run);
    });
    this.adk.status.running = { run, streamId, ended };
    return { streamId };
  }

  private markStart(): void {
    const { journal, limits } = this.adk;
    const isOfAgent = journal.header.agent !== undefined;
    journal.append({ type: 'run_started', ...(isOfAgent && { maxTurns: limits().prompt.turns }) });
  }

  private async finish(run: StoppableRun): Promise<void> {
    this.end(await run.go(), run.stopped);
  }

  private end(end: RunEnd, stopped: boolean): void {
    const { journal } = this.adk;
    // After Stop, nothing more may happen by itself: queued messages return to the user.
    if (stopped) {
      for (const id of [...journal.history.pending.keys()]) journal.append({ type: 'withdrawn', id, by: 'stop' });
    }
    this.close(end);
    if (end.reason === 'completed') this.sayNext();
  }

  private close({ reason, data }: RunEnd): void {
    const { journal, scheduler, sessions, session, status } = this.adk;
    scheduler.forget();
    sessions.resetState(session.id);
    status.running = undefined;
    this.adk.mode.endRun();
    journal.append({ type: 'run_ended', reason, ...(data && { data: { ...data } }) });
  }

  /** Sends the next message that was queued during the run. */
  private sayNext(): void {
    const [next] = this.adk.journal.history.pending.values();
    if (!next || this.running) return;
    this.start({ event: userEvent(next), ...(next.model !== undefined && { model: next.model }) });
  }
}

const stillAnswering = (): string => l10n.t('Gantry is still answering. Stop it first, or wait until it is done.');
const notCompressed = (): string => l10n.t('The conversation was not compressed');

/** The model's last answer in the run, if it is complete and only the record of the run's end is missing. */
function wholeAnswer({ openRun, calls }: SessionHistory): Event | undefined {
  const { answer, words = [] } = openRun ?? {};
  if (!answer || answer.interrupted || answer.errorCode || words.length > 0 || calls.open.length > 0) return undefined;
  return answer;
}

/** Messages for the next request of the run. There are none while a call is unanswered: the API accepts none there. */
export function steeringEvents({ pending, calls }: SessionHistory): Event[] {
  if (calls.open.length > 0) return [];
  return [...pending.values()].filter(({ delivery }) => delivery === 'steer').map(userEvent);
}

/** The surface that answers, as it names itself. */
function surfaceOf(meta: AgentSend['_meta']): string {
  const source = meta?.['source'];
  return typeof source === 'string' ? source : 'unknown';
}

function userEvent({ id, parts, meta }: Pick<RecordOf<'pending'>, 'id' | 'parts' | 'meta'>): Event {
  return createEvent({ id, author: 'user', content: { role: 'user', parts }, ...pipedMetadata(meta) });
}
