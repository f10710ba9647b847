import { type Candidate, FinishReason, type Part } from '@google/genai';
import type { WorkspacePort } from '../../ports/workspace.ts';
import { OFFLINE_MODEL } from '../catalog/describe-model.ts';
import type { AnswerChunk, ContentGenerator, CountRequest, GenerateRequest } from '../content-generator.ts';
import type { GuideStep } from './guide-answer.ts';

const WORDS_PER_CHUNK = 8;

/** Answers if there is no credential, with fixed texts and real tool calls in the form of a model's answer. */
export class OfflineGuide implements ContentGenerator {
  constructor(private readonly workspace: Pick<WorkspacePort, 'roots'>) {}

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    request.onSend?.(request);
    const { nextStep, readTurn } = await import('./guide-answer.ts');
    const parts = partsOf(nextStep(readTurn(request), this.workspace.roots().length > 0));
    for (const [index, part] of parts.entries()) {
      signal.throwIfAborted();
      yield chunk(part, index === parts.length - 1);
    }
  }

  generateContent(): Promise<AnswerChunk> {
    return Promise.reject(new Error('The offline guide has nothing to say outside of a conversation.'));
  }

  /** The guide has no tokens, so this is Gemini's rule of thumb. */
  countTokens({ contents }: CountRequest): Promise<number> {
    return Promise.resolve(Math.ceil(JSON.stringify(contents).length / 4));
  }
}

function partsOf({ thought, text, call }: GuideStep): readonly Part[] {
  return [
    ...(thought === undefined ? [] : [{ text: thought, thought: true }]),
    ...chunksOf(text ?? '').map((words) => ({ text: words })),
    ...(call === undefined ? [] : [{ functionCall: { name: call.name, args: call.args } }]),
  ];
}

function chunksOf(text: string): readonly string[] {
  return text.match(new RegExp(`(?:\\S+\\s*){1,${WORDS_PER_CHUNK}}`, 'g')) ?? [];
}

function chunk(part: Part, last: boolean): AnswerChunk {
  const candidate: Candidate = {
    content: { role: 'model', parts: [part] },
    index: 0,
    ...(last && { finishReason: FinishReason.STOP }),
  };
  // No model was asked, so nothing was used.
  const usageMetadata = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 };
  return { candidates: [candidate], modelVersion: OFFLINE_MODEL, usageMetadata };
}
