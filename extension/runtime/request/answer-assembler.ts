import type { FinishReason, GenerateContentResponseUsageMetadata, Part } from '@google/genai';
import { answerParts, saidIn } from '../../model/answer-parts.ts';
import type { AnswerChunk } from '../../model/content-generator.ts';

/** Puts the chunks of one model answer together into the parts that are stored and sent back later. */
export class AnswerAssembler {
  private readonly said: Part[] = [];
  usage: GenerateContentResponseUsageMetadata | undefined;
  finishReason: FinishReason | undefined;
  modelVersion: string | undefined;

  constructor(private readonly newCallId: (given?: unknown) => string) {}

  /** Takes a chunk and returns what of it can be shown at once: words, never calls (ADK would run them twice). */
  add(chunk: AnswerChunk): Part[] {
    const candidate = chunk.candidates?.[0];
    this.usage = chunk.usageMetadata ?? this.usage;
    this.modelVersion = chunk.modelVersion ?? this.modelVersion;
    this.finishReason = candidate?.finishReason ?? this.finishReason;
    const parts = (candidate?.content?.parts ?? []).flatMap(saidIn);
    for (const part of parts) this.said.push(part.functionCall ? this.withOwnCall(part) : part);
    return parts.filter(({ text }) => text);
  }

  /** Words of it have been handed on. */
  get wasShown(): boolean {
    return this.said.some((part) => part.text);
  }

  /** All of it, once it is complete. The calls are one batch for ADK wherever they stand. */
  parts(): Part[] {
    return answerParts(this.said);
  }

  /** Only what was said aloud: what remains of an answer that ended before its calls could run. */
  words(): Part[] {
    return answerParts(this.said.filter((part) => !part.thought && part.text));
  }

  /** With an id of ours. */
  private withOwnCall(part: Part): Part {
    const { name, args, id } = part.functionCall ?? {};
    // Some gateways send null for the arguments of a call that needs none. How the arguments were streamed is left
    // out: the SDK refuses to send that to the Gemini API.
    return { ...part, functionCall: { ...(name && { name }), args: args ?? {}, id: this.newCallId(id) } };
  }
}
