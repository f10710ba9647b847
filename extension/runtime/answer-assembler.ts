import type { FinishReason, GenerateContentResponseUsageMetadata, Part } from '@google/genai';
import type { AnswerChunk } from '../model/content-generator.ts';

/** Puts the chunks of one model answer together into the parts that are stored and sent back later. */
export class AnswerAssembler {
  private readonly said: Part[] = [];
  private readonly calls: Part[] = [];
  usage: GenerateContentResponseUsageMetadata | undefined;
  finishReason: FinishReason | undefined;
  modelVersion: string | undefined;

  constructor(private readonly newCallId: () => string) {}

  /** Takes a chunk and returns what of it can be shown at once: words, never calls (ADK would run them twice). */
  add(chunk: AnswerChunk): Part[] {
    const candidate = chunk.candidates?.[0];
    this.usage = chunk.usageMetadata ?? this.usage;
    this.modelVersion = chunk.modelVersion ?? this.modelVersion;
    this.finishReason = candidate?.finishReason ?? this.finishReason;
    const visible: Part[] = [];
    for (const part of candidate?.content?.parts ?? []) {
      if (part.functionCall) {
        // Models reuse ids between turns ("call_0"), which corrupts ADK's pairing: every call gets one of ours.
        // Some gateways send null for the arguments of a call that needs none.
        const functionCall = { ...part.functionCall, args: part.functionCall.args ?? {}, id: this.newCallId() };
        this.calls.push({ ...part, functionCall });
        continue;
      }
      this.keep(part);
      if (part.text) visible.push(part);
    }
    return visible;
  }

  /** Words of it have been handed on. */
  get wasShown(): boolean {
    return this.said.some((part) => part.text);
  }

  /** Words first, calls last and together, so that ADK dispatches them as one batch. */
  parts(): Part[] {
    return [...this.said, ...this.calls];
  }

  /** Only what was said aloud: what remains of an answer that ended before its calls could run. */
  words(): Part[] {
    return this.said.filter((part) => !part.thought && part.text);
  }

  private keep(part: Part): void {
    const previous = this.said.at(-1);
    if (previous && canJoin(previous) && canJoin(part) && Boolean(previous.thought) === Boolean(part.thought)) {
      previous.text = (previous.text ?? '') + (part.text ?? '');
    } else {
      this.said.push({ ...part });
    }
  }
}

/** Parts that carry a thought signature must come back exactly as they were. */
function canJoin(part: Part): boolean {
  return part.text !== undefined && part.thoughtSignature === undefined;
}
