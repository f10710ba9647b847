import type { Part } from '@google/genai';
import type { RecordedRequest } from './request.ts';
import type { ChunkStep, ReplySettings, Step } from './script.ts';
import type { Candidate, ResponseBody, Usage } from './wire.ts';

/** Gemini's own rule of thumb. Exact counts are scripted with `usage`. */
const CHARACTERS_PER_TOKEN = 4;

export type RenderedStep = Exclude<Step, ChunkStep | { kind: 'settings' }> | { kind: 'response'; body: ResponseBody };

/** Converts chunks to response bodies with cumulative token counts and a final finish reason, as Google does. */
export function renderSteps(steps: readonly Step[], request: RecordedRequest): readonly RenderedStep[] {
  const settings = settingsOf(steps);
  const played = withFinishChunk(
    steps.filter((step) => step.kind !== 'settings'),
    settings,
  );
  const last = played.findLastIndex((step) => step.kind === 'chunk');
  const counter = new TokenCounter(request);
  return played.map((step, index): RenderedStep => {
    if (step.kind !== 'chunk') return step;
    const running = counter.add(step.parts ?? []);
    return { kind: 'response', body: toResponse(step, settings, request, running, index === last) };
  });
}

/** The single answer to `:generateContent` that the chunks of a stream add up to. */
export function mergeResponses(bodies: readonly ResponseBody[]): ResponseBody {
  const last = bodies.at(-1);
  const parts = joinTexts(bodies.flatMap((body) => body.candidates?.[0]?.content?.parts ?? []));
  const content: Pick<Candidate, 'content'> = parts.length > 0 ? { content: { parts, role: 'model' } } : {};
  return { ...last, ...(last ? { candidates: [{ index: 0, ...last.candidates?.[0], ...content }] } : {}) };
}

export function estimateTokens(length: number): number {
  return Math.ceil(length / CHARACTERS_PER_TOKEN);
}

function settingsOf(steps: readonly Step[]): ReplySettings {
  let settings: ReplySettings = {};
  for (const step of steps) if (step.kind === 'settings') settings = { ...settings, ...step.settings };
  return settings;
}

type PlayedStep = Exclude<Step, { kind: 'settings' }>;

/** A reply that consists only of `finish(…)` is a candidate without content. */
function withFinishChunk(steps: readonly PlayedStep[], settings: ReplySettings): readonly PlayedStep[] {
  const says = steps.some((step) => step.kind !== 'wait');
  return says || (settings.finishReason ?? 'none') === 'none' ? steps : [...steps, { kind: 'chunk' }];
}

function toResponse(
  step: ChunkStep,
  settings: ReplySettings,
  request: RecordedRequest,
  running: Usage,
  last: boolean,
): ResponseBody {
  const finishReason = last ? (settings.finishReason ?? 'STOP') : 'none';
  const candidate: Candidate = {
    ...(step.parts ? { content: { parts: step.parts, role: 'model' } } : {}),
    ...(finishReason === 'none' ? {} : { finishReason }),
    index: 0,
  };
  return {
    candidates: [candidate],
    usageMetadata: (last ? settings.usage : undefined) ?? running,
    modelVersion: settings.modelVersion ?? request.model,
    responseId: `response-${request.id}`,
  };
}

class TokenCounter {
  readonly #promptTokenCount: number;
  #answer = 0;
  #thoughts = 0;

  constructor(request: RecordedRequest) {
    this.#promptTokenCount = estimateTokens(request.bodyLength);
  }

  add(parts: readonly Part[]): Usage {
    for (const part of parts) {
      const tokens = estimateTokens((part.text ?? JSON.stringify(part.functionCall ?? '')).length);
      if (part.thought) this.#thoughts += tokens;
      else this.#answer += tokens;
    }
    return {
      promptTokenCount: this.#promptTokenCount,
      candidatesTokenCount: this.#answer,
      ...(this.#thoughts > 0 ? { thoughtsTokenCount: this.#thoughts } : {}),
      totalTokenCount: this.#promptTokenCount + this.#answer + this.#thoughts,
    };
  }
}

function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before?.text === undefined || part.text === undefined || before.thought !== part.thought) joined.push(part);
    else joined[joined.length - 1] = { ...before, ...part, text: before.text + part.text };
  }
  return joined;
}
