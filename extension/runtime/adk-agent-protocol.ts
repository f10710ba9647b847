import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Runner, type Session, StreamingMode } from '@google/adk';
import type { Content, Part } from '@google/genai';
import { problemOf } from '../model/model-problem.ts';
import type { AgentEndReason, AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';
import type { AgentProtocol, AgentSend, Unsubscribe } from '../protocol/agent-protocol.ts';
import type { ContentPart } from '../protocol/content-part.ts';
import { textPart } from '../protocol/content-part.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { LiveSessionService } from '../sessions/live-session-service.ts';
import type { AgentModel } from './agent-model.ts';
import type { EventLog } from './event-log.ts';
import { type DescribeCall, endReasonOf, problemEvent, toolCallsOf, translateEvent } from './event-translator.ts';
import type { Logger } from './host.ts';
import { badInput, checkMessageSize } from './message-limits.ts';
import { repairHistory } from './repair-history.ts';

export interface AdkBinding {
  readonly session: Session;
  readonly sessions: LiveSessionService;
  readonly runner: Runner;
  readonly model: AgentModel;
  readonly scheduler: Scheduler;
  readonly events: EventLog;
  readonly describe: DescribeCall;
  /** Where the run of this moment writes its events. */
  readonly stream: CurrentStream;
  readonly workspace: string;
  /** Model calls allowed for one message; negative for no limit. */
  readonly maxTurns: () => number;
  readonly log: Logger;
}

/** Lets the model and the scheduler speak into whichever stream is running. */
export class CurrentStream {
  emit: (body: AgentEventBody) => void = () => undefined;
}

/** A conversation with ADK behind it: one run at a time, each run one stream of events. */
export class AdkAgentProtocol implements AgentProtocol {
  private running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  private initialized = false;

  constructor(private readonly adk: AdkBinding) {}

  get events(): readonly AgentEvent[] {
    return this.adk.events.events;
  }

  subscribe(listener: (event: AgentEvent) => void): Unsubscribe {
    return this.adk.events.subscribe(listener);
  }

  async send(payload: AgentSend): Promise<{ readonly streamId: string | null }> {
    if ('message' in payload) {
      const { content, displayContent } = payload.message;
      checkMessageSize(content);
      const shown = displayContent === undefined ? content : [textPart(displayContent)];
      return this.start({ role: 'user', parts: content.flatMap(toPart) }, shown, payload._meta);
    }
    if ('action' in payload && payload.action.type === 'retry') {
      if (this.adk.session.events.length === 0)
        throw badInput('Nothing was said yet, so there is nothing to try again.');
      return this.start(this.adk.sessions.kick());
    }
    throw badInput('This session takes messages and the action "retry"; nothing else can be sent to it.');
  }

  async abort(): Promise<void> {
    this.running?.abort.abort();
    await this.running?.ended;
  }

  private start(message: Content, shown?: readonly ContentPart[], meta?: AgentSend['_meta']): { streamId: string } {
    if (this.running) throw badInput('Gantry is still answering. Stop it first, or wait until it is done.');
    const streamId = randomUUID();
    const emit = this.adk.events.open(streamId);
    this.adk.stream.emit = emit;
    if (!this.initialized) {
      this.initialized = true;
      emit({ type: 'initialize', sessionId: this.adk.session.id, workspace: this.adk.workspace, agentId: 'gantry' });
    }
    if (shown) emit({ type: 'message', role: 'user', content: shown, ...(meta && { _meta: meta }) });
    const abort = new AbortController();
    // Each parallel call listens for the abort; more than ten are normal.
    setMaxListeners(0, abort.signal);
    // A macrotask, so that the caller has the stream id before `agent_start`.
    const ended = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.run(message, emit, abort));
    this.running = { abort, ended };
    return { streamId };
  }

  private async run(message: Content, emit: (body: AgentEventBody) => void, abort: AbortController): Promise<void> {
    emit({ type: 'agent_start' });
    const { signal } = abort;
    const runStart = this.adk.session.events.length;
    let end = ended('failed');
    try {
      end = await this.converse(message, emit, signal);
      if (signal.aborted) await this.repair(runStart);
    } catch (error) {
      this.adk.log.error('The run ended with an error', error);
      if (!signal.aborted) emit(problemEvent(problemOf(error)));
      end = ended(signal.aborted ? 'aborted' : 'failed');
      // What still runs of the broken batch is not waited for.
      abort.abort();
      await this.repair(runStart).catch((cause: unknown) => this.adk.log.error('The history was not repaired', cause));
    }
    this.running = undefined;
    emit(end);
  }

  private async converse(
    message: Content,
    emit: (body: AgentEventBody) => void,
    signal: AbortSignal,
  ): Promise<AgentEventBody> {
    const { runner, session, scheduler, describe } = this.adk;
    const maxTurns = this.adk.maxTurns();
    let turns = 0;
    let reason: AgentEndReason = 'completed';
    if (signal.aborted || maxTurns === 0) await this.keepUnsent(message);
    if (maxTurns === 0) return turnLimit(maxTurns, turns);
    const run = runner.runAsync({
      userId: session.userId,
      sessionId: session.id,
      newMessage: message,
      runConfig: { streamingMode: StreamingMode.SSE },
      abortSignal: signal,
    });
    for await (const event of run) {
      const calls = toolCallsOf(event);
      for (const body of translateEvent(event, describe)) emit(body);
      if (event.partial) continue;
      if (calls.length > 0) scheduler.submit(calls, signal);
      const modelAnswered = event.content?.role === 'model' || event.errorCode !== undefined;
      if (modelAnswered) turns++;
      if (modelAnswered) reason = calls.length > 0 ? 'completed' : endReasonOf(event);
      // The answers to the calls are stored by now, so the history is valid to stop on.
      else if (turns === maxTurns) return turnLimit(maxTurns, turns);
    }
    return ended(signal.aborted ? 'aborted' : reason);
  }

  private async repair(runStart: number): Promise<void> {
    const { sessions, session, scheduler, model } = this.adk;
    await repairHistory(sessions, session, runStart, scheduler, model.takeInterrupted());
  }

  /** ADK stores a message only with a run that begins; the user's words are kept all the same. */
  private async keepUnsent(content: Content): Promise<void> {
    const { sessions, session } = this.adk;
    await sessions.appendUserMessage(session, content);
  }
}

function ended(reason: AgentEndReason): AgentEventBody {
  return { type: 'agent_end', reason };
}

function turnLimit(maxTurns: number, turnCount: number): AgentEventBody {
  return { type: 'agent_end', reason: 'max_turns', data: { code: 'MAX_TURNS_EXCEEDED', maxTurns, turnCount } };
}

function toPart(part: ContentPart): Part[] {
  switch (part.type) {
    case 'text':
    case 'reference':
      return [{ text: part.text }];
    case 'thought':
      return [];
    case 'media': {
      const mimeType = part.mimeType ?? 'application/octet-stream';
      if (part.data !== undefined) return [{ inlineData: { data: part.data, mimeType } }];
      return part.uri === undefined ? [] : [{ fileData: { fileUri: part.uri, mimeType } }];
    }
  }
}
