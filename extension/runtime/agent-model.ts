import { randomUUID } from 'node:crypto';
import { BaseLlm, type BaseLlmConnection, type BaseTool, type LlmRequest, type LlmResponse } from '@google/adk';
import type { GenerateContentConfig } from '@google/genai';
import { supportsThinking } from '../model/catalog/known-models.ts';
import type { AnswerChunk, ResolvedModel } from '../model/content-generator.ts';
import { problemOf } from '../model/model-problem.ts';
import { unlessAborted } from '../scheduler/unless-aborted.ts';
import { AnswerAssembler } from './answer-assembler.ts';
import { noteMetadata } from './context-note.ts';
import type { Logger } from './host.ts';
import { outgoingContents } from './outgoing-contents.ts';
import type { FittedRequest, SessionContext } from './session-context.ts';

export interface AgentModelOptions {
  /** Asked at every request: settings and keys may change at any time. Named when a hook wants another model. Throws a `ProblemError` when nothing can answer. */
  readonly resolve: (model?: string) => Promise<ResolvedModel>;
  readonly onModelResolved: (model: ResolvedModel) => void;
  readonly log: Logger;
  /** Makes a request fit into the window of its model, or says that it cannot. */
  readonly context: Pick<SessionContext, 'fit'>;
  /** A stand-in for a name that is no tool, so that ADK answers the call instead of looping on it (docs/adk.md). */
  readonly toolFor: (name: string) => BaseTool;
}

/** The name ADK has for whatever the settings choose. */
export const STANDS_FOR_SETTINGS = 'gantry';

/** ADK's view of the model: deltas as partial responses, then one complete response with the calls last. */
export class AgentModel extends BaseLlm {
  constructor(private readonly options: AgentModelOptions) {
    super({ model: STANDS_FOR_SETTINGS });
  }

  override async *generateContentAsync(
    request: LlmRequest,
    _stream?: boolean,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<LlmResponse, void> {
    const answer = new AnswerAssembler(() => `call-${randomUUID()}`);
    try {
      // The key may be in a store that asks the user for a password first.
      const named = request.model === this.model ? undefined : request.model;
      const resolved = await unlessAborted(this.options.resolve(named), signal);
      if (!resolved) return;
      this.options.onModelResolved(resolved);
      const fitted = this.options.context.fit(resolved.model, request.contents, request.config);
      for await (const chunk of untilAborted(this.stream(resolved, request, fitted, signal), signal)) {
        for (const part of answer.add(chunk)) yield { content: { role: 'model', parts: [part] }, partial: true };
      }
      if (!signal.aborted) yield this.complete(request, answer, fitted.note);
    } catch (error) {
      if (!signal.aborted) {
        this.options.log.error('The model did not answer', error);
        yield failed(error, answer);
      }
    }
  }

  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error('Live connections are not used.'));
  }

  private stream(
    { model, generator }: ResolvedModel,
    request: LlmRequest,
    { contents }: FittedRequest,
    signal: AbortSignal,
  ): AsyncIterable<AnswerChunk> {
    const config = requestConfig(request.config, model);
    return generator.generateContentStream({ model, contents: outgoingContents(contents), config }, signal);
  }

  private complete(request: LlmRequest, answer: AnswerAssembler, note: FittedRequest['note']): LlmResponse {
    const parts = answer.parts();
    for (const { functionCall } of parts) {
      const name = functionCall?.name ?? '';
      if (functionCall && !Object.hasOwn(request.toolsDict, name)) {
        functionCall.name = name || 'unnamed';
        request.toolsDict[functionCall.name] = this.options.toolFor(functionCall.name);
      }
    }
    return {
      content: { role: 'model', parts },
      turnComplete: true,
      modelVersion: answer.modelVersion ?? note.model,
      customMetadata: noteMetadata(note),
      ...(answer.usage && { usageMetadata: answer.usage }),
      ...(answer.finishReason && { finishReason: answer.finishReason }),
    };
  }
}

/** Ends with the signal, because ADK waits for a model that ignores it (docs/adk.md). One listener for all chunks. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** ADK's labels are not part of the Gemini API; thoughts are shown, so they are asked for where the model has them. */
function requestConfig({ labels: _, ...config }: GenerateContentConfig = {}, model: string): GenerateContentConfig {
  return supportsThinking(model) ? { ...config, thinkingConfig: { includeThoughts: true } } : config;
}

/** A failure is an answer too: stored as an event, so that it is there again when the session is shown later. */
function failed(error: unknown, answer: AnswerAssembler): LlmResponse {
  const problem = problemOf(error);
  const words = answer.words();
  return {
    errorCode: problem.kind,
    errorMessage: problem.title,
    customMetadata: { problem },
    interrupted: true,
    ...(words.length > 0 && { content: { role: 'model', parts: words } }),
    ...(answer.usage && { usageMetadata: answer.usage }),
  };
}
