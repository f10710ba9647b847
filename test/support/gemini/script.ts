import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '@google/genai';
import type { Gate } from './gate.ts';
import type { RecordedRequest } from './request.ts';
import type { FinishReasonName, Usage } from './wire.ts';

/** The steps of a reply, in order. Headers are sent with the first step that needs them. */
export type Step =
  | ChunkStep
  | { readonly kind: 'settings'; readonly settings: ReplySettings }
  /** JSON that is sent unchanged: as a frame in a stream, otherwise as the whole answer. */
  | { readonly kind: 'body'; readonly body: object }
  /** Bytes that are sent unchanged, without framing. */
  | { readonly kind: 'raw'; readonly data: string | Uint8Array }
  | { readonly kind: 'wait'; readonly headersFirst: boolean; pass(signal: AbortSignal): Promise<void> }
  /** A whole HTTP response instead of a model reply. */
  | HttpStep
  | { readonly kind: 'cut' };

export interface ChunkStep {
  readonly kind: 'chunk';
  /** Without parts, the candidate has no content at all. */
  readonly parts?: readonly Part[];
}

export interface HttpStep {
  readonly kind: 'http';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Settings of the whole reply, wherever they occur in it. The last one wins. */
export interface ReplySettings {
  /** The finish reason on the last chunk. The default is `STOP`; `none` omits it. */
  readonly finishReason?: FinishReasonName | 'none';
  readonly usage?: Usage;
  readonly modelVersion?: string;
}

/** A reply consists of pieces: a string is a text chunk, and a function decides when the request is known. */
export type Piece = string | Step | readonly Piece[] | ((request: RecordedRequest) => Piece);

export function text(value: string): ChunkStep {
  return { kind: 'chunk', parts: [{ text: value }] };
}

/** One chunk per string. */
export function stream(...values: readonly string[]): readonly ChunkStep[] {
  return values.map(text);
}

export function thought(value: string): ChunkStep {
  return { kind: 'chunk', parts: [{ text: value, thought: true }] };
}

export function call(name: string, args: Record<string, unknown> = {}, id?: string): ChunkStep {
  return { kind: 'chunk', parts: [{ functionCall: { name, args, ...(id === undefined ? {} : { id }) } }] };
}

/** Adds the thought signature that Gemini expects back in the next request. */
export function signed(thoughtSignature: string, chunk: ChunkStep): ChunkStep {
  return { kind: 'chunk', parts: (chunk.parts ?? []).map((part) => ({ ...part, thoughtSignature })) };
}

/** Merges several chunks, e.g. parallel calls in one frame. */
export function together(...chunks: readonly ChunkStep[]): ChunkStep {
  return { kind: 'chunk', parts: chunks.flatMap((chunk) => chunk.parts ?? []) };
}

export function finish(finishReason: FinishReasonName | 'none'): Step {
  return { kind: 'settings', settings: { finishReason } };
}

/** The token counts of the whole reply. By default, the total is computed. */
export function usage(counts: Usage): Step {
  const {
    promptTokenCount = 0,
    candidatesTokenCount = 0,
    thoughtsTokenCount = 0,
    toolUsePromptTokenCount = 0,
  } = counts;
  const totalTokenCount = promptTokenCount + candidatesTokenCount + thoughtsTokenCount + toolUsePromptTokenCount;
  return { kind: 'settings', settings: { usage: { totalTokenCount, ...counts } } };
}

export function modelVersion(version: string): Step {
  return { kind: 'settings', settings: { modelVersion: version } };
}

/** An answer to `:countTokens`, which is estimated by default. */
export function tokenCount(totalTokens: number): Step {
  return body({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] });
}

export function body(json: object): Step {
  return { kind: 'body', body: json };
}

/** Sends nothing, not even headers, until the gate opens. */
export function hold(gate: Gate): Step {
  return { kind: 'wait', headersFirst: false, pass: (signal) => gate.pass(signal) };
}

/** Sends the headers and everything before this step, then stops until the gate opens. */
export function pause(gate: Gate): Step {
  return { kind: 'wait', headersFirst: true, pass: (signal) => gate.pass(signal) };
}

/** Waits for real time. Use this only for tests of time itself, such as smooth streaming; otherwise, use a gate. */
export function delay(milliseconds: number): Step {
  return {
    kind: 'wait',
    headersFirst: true,
    pass: (signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
  };
}

/** Text chunks with a delay before each. */
export function slow(milliseconds: number, ...values: readonly string[]): readonly Step[] {
  return values.flatMap((value) => [delay(milliseconds), text(value)]);
}

/** `length` characters of text in chunks of 64 K. Numbered, because repeated words would be detected as a loop. */
export function huge(length: number, chunkLength = 65_536): readonly ChunkStep[] {
  const lines = Array.from(
    { length: Math.ceil(length / 48) },
    (_, line) => `All work and no play makes model ${line} a dull one. \n`,
  );
  const all = lines.join('').slice(0, length);
  return Array.from({ length: Math.ceil(length / chunkLength) }, (_, index) =>
    text(all.slice(index * chunkLength, (index + 1) * chunkLength)),
  );
}

export function toSteps(piece: Piece, request: RecordedRequest): readonly Step[] {
  if (typeof piece === 'string') return [text(piece)];
  if (typeof piece === 'function') return toSteps(piece(request), request);
  if (isList(piece)) return piece.flatMap((inner) => toSteps(inner, request));
  return [piece];
}

// `Array.isArray` alone does not narrow a readonly array out of a union.
function isList(piece: Step | readonly Piece[]): piece is readonly Piece[] {
  return Array.isArray(piece);
}
