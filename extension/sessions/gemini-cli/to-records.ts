import { createEvent, type Event } from '@google/adk';
import type { Content, Part } from '@google/genai';
import type { ContentPart } from '../../protocol/agent/content-part.ts';
import type { RecordBody, SessionRecord } from '../session-record.ts';
import { modelTurn } from './call.ts';
import { type GeminiMessage, isResumable, isToolAnswer } from './message.ts';
import type { GeminiRecording } from './recording.ts';

export interface ImportOptions {
  readonly newId: () => string;
  /** Milliseconds. Later times in a recording are limited to this. */
  readonly now: number;
}

/** ADK quotes other authors, so recorded answers get Gantry's agent as their author. */
const AGENT = 'gantry';

/** The API requires a conversation to begin with the user, but a recording may begin in the middle. */
const OPENING = 'The recording starts here.';

/**
 * Converts a recorded conversation to the records of a session, without the header. It replays as if it had happened in
 * Gantry, and a model can continue it. Empty if there is nothing to continue.
 */
export function toRecords(recording: GeminiRecording, options: ImportOptions): SessionRecord[] {
  const writer = new RecordWriter(recording, options);
  const { messages } = recording;
  for (const [index, message] of messages.entries()) {
    if (!isResumable(message)) continue;
    if (message.type === 'user') writer.userSaid(message);
    else writer.modelSaid(message, answersBehind(messages[index + 1]));
  }
  return writer.finish(recording.summary);
}

function answersBehind(next: GeminiMessage | undefined): readonly Part[] {
  return next && isToolAnswer(next) ? next.parts : [];
}

class RecordWriter {
  private readonly records: SessionRecord[] = [];
  private readonly callIds = new Set<string>();
  private readonly newId: () => string;
  private readonly now: number;
  private invocationId: string | undefined;
  private model: string | undefined;
  private clock: number;

  constructor(recording: GeminiRecording, { newId, now }: ImportOptions) {
    this.newId = newId;
    this.now = now;
    this.clock = this.possible(Date.parse(recording.startedAt) || now);
  }

  userSaid({ parts, shown, at }: GeminiMessage): void {
    const said = parts.filter((part) => !part.functionCall && !part.thought);
    this.startRun(said, at, shown?.flatMap(shownPart));
  }

  modelSaid(message: GeminiMessage, next: readonly Part[]): void {
    if (this.invocationId === undefined) this.startRun([{ text: OPENING }], message.at);
    const { parts, calls } = modelTurn(message, next, (id) => this.uniqueId(id));
    if (parts.length === 0) return;
    const event = this.event(AGENT, { role: 'model', parts: [...parts] }, message.at, usageOf(message));
    if (message.model !== undefined && message.model !== this.model) {
      this.model = message.model;
      this.write({ type: 'model', label: message.model });
    }
    const words = parts
      .filter((part) => part.text)
      .map(({ text = '', thought }) => ({ text, ...(thought && { thought }) }));
    if (words.length > 0) this.write({ type: 'delta', parts: words });
    const displays = Object.fromEntries(calls.map(({ finished, display }) => [finished.call.id, display]));
    this.write({ type: 'event', event, ...(calls.length > 0 && { displays }) });
    if (calls.length === 0) return;
    for (const { finished, at } of calls) {
      this.advance(at);
      this.write(finished);
    }
    const answers = [...calls.map(({ response }) => response), ...calls.flatMap(({ beside }) => beside)];
    this.write({ type: 'event', event: this.event(AGENT, { role: 'user', parts: answers }) });
  }

  finish(summary: string): SessionRecord[] {
    this.endRun();
    if (summary && this.records.length > 0) this.write({ type: 'title', title: summary, by: 'model' });
    return this.records;
  }

  private startRun(parts: readonly Part[], at: number | undefined, shown?: readonly ContentPart[]): void {
    this.endRun();
    this.invocationId = this.newId();
    const event = this.event('user', { role: 'user', parts: [...parts] }, at);
    this.write({ type: 'sent', streamId: this.newId(), event, ...(shown?.length && { shown: [...shown] }) });
    this.write({ type: 'run_started' });
  }

  private endRun(): void {
    if (this.invocationId !== undefined) this.write({ type: 'run_ended', reason: 'completed' });
    this.invocationId = undefined;
  }

  private event(author: string, content: Content, at?: number, usage: Partial<Event> = {}): Event {
    this.advance(at);
    const invocationId = this.invocationId ?? this.newId();
    return createEvent({ id: this.newId(), invocationId, author, content, timestamp: this.clock, ...usage });
  }

  /** ADK orders events by time, so each event needs a different time. */
  private advance(at: number | undefined): void {
    this.clock = Math.max(this.clock + 1, this.possible(at ?? 0));
  }

  /** ADK treats the time 0 as missing. */
  private possible(at: number): number {
    return Math.max(1, Math.min(at, this.now));
  }

  private write(body: RecordBody): void {
    this.records.push({ ...body, at: new Date(this.clock).toISOString() });
  }

  private uniqueId(recorded: string): string {
    const id = recorded === '' || this.callIds.has(recorded) ? this.newId() : recorded;
    this.callIds.add(id);
    return id;
  }
}

function usageOf({ tokens, model }: GeminiMessage): Partial<Event> {
  const modelVersion = model === undefined ? {} : { modelVersion: model };
  if (!tokens) return modelVersion;
  return {
    ...modelVersion,
    usageMetadata: {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output,
      cachedContentTokenCount: tokens.cached,
      thoughtsTokenCount: tokens.thoughts,
      toolUsePromptTokenCount: tokens.tool,
      totalTokenCount: tokens.total,
    },
  };
}

function shownPart({ text, inlineData, fileData }: Part): ContentPart[] {
  if (text) return [{ type: 'text', text }];
  const uri = fileData?.fileUri;
  const mimeType = inlineData?.mimeType ?? fileData?.mimeType;
  const type = mimeType === undefined ? {} : { mimeType };
  if (inlineData?.data !== undefined) return [{ type: 'media', data: inlineData.data, ...type }];
  return uri === undefined ? [] : [{ type: 'media', uri, ...type }];
}
