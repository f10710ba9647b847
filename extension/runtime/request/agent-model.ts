import { BaseLlm, type BaseLlmConnection, type BaseTool, type LlmRequest, type LlmResponse } from '@google/adk';
import type { Content, FinishReason, GenerateContentResponseUsageMetadata, Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { untilAborted } from '../../base/abort.ts';
import { answerParts, saidIn } from '../../model/answer-parts.ts';
import type { CallEvent, ModelCall, Switching } from '../../model/calls/model-call.ts';
import type { ModelCalls } from '../../model/calls/model-calls.ts';
import { answersCalls } from '../../model/calls/nudge.ts';
import { requestConfigFor } from '../../model/catalog/request-config.ts';
import type { AnswerChunk, ResolvedModel } from '../../model/content-generator.ts';
import { problemOf } from '../../model/model-problem.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { AnswerCleaner } from '../../safety/answer-cleaner.ts';
import { statusResponse } from './call-status.ts';
import type { LastRequest } from './last-request.ts';
import { newCallId, OutgoingContents } from './outgoing-contents.ts';
import { type ContextNote, noteMetadata, type SessionContext } from './session-context.ts';
import type { SessionSecrets } from './session-secrets.ts';

export interface AgentModelOptions {
  readonly calls: Pick<ModelCalls, 'stream'>;
  /** The model as the user chose it. It is read at every request, and a hook may override it. */
  readonly modelName: () => string;
  /** The name of the subagent that makes the request. Undefined for the main agent. */
  readonly scope?: string;
  /** The model of the last request. */
  readonly lastAsked: () => string;
  readonly switching: Switching;
  /** Called before the request. Throws a `ProblemError` if the model must not be used. */
  readonly onModelResolved: (model: ResolvedModel) => void;
  readonly log: Logger;
  /** Makes a request fit into the window of its model, or throws. */
  readonly context: Pick<SessionContext, 'fit'>;
  readonly last: LastRequest;
  readonly onSent: () => void;
  readonly secrets: Pick<SessionSecrets, 'answerCleaner'>;
  /** Creates a stub for an unknown tool name, so that ADK answers the call instead of looping on it (docs/adk.md). */
  readonly toolFor: (name: string) => BaseTool;
}

/** The model name in ADK that means the model in the settings. */
export const STANDS_FOR_SETTINGS = 'gantry';

/** ADK's view of the model: text as partial responses, then one complete response with everything. */
export class AgentModel extends BaseLlm {
  private readonly outgoing = new OutgoingContents();

  constructor(private readonly options: AgentModelOptions) {
    super({ model: STANDS_FOR_SETTINGS });
  }

  override async *generateContentAsync(
    request: LlmRequest,
    _stream?: boolean,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<LlmResponse, void> {
    let answer: AnswerAssembler | undefined;
    let fit: ContextNote | undefined;
    try {
      const events = this.options.calls.stream(
        this.call(request, (note) => {
          fit = note;
        }),
        signal,
      );
      for await (const event of untilAborted(events, signal)) {
        if (event.type === 'attempt' || !answer) answer = await this.newAnswer();
        if (event.type === 'done') yield* shown(answer.end());
        yield* this.responses(event, request, answer, fit);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.options.log.error('The model did not answer', error);
        yield* shown(answer?.end() ?? []);
        yield failed(error, answer, request.contents);
      }
    }
  }

  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error('Live connections are not used.'));
  }

  private async newAnswer(): Promise<AnswerAssembler> {
    return new AnswerAssembler(newCallId, await this.options.secrets.answerCleaner());
  }

  private call(request: LlmRequest, noted: (note: ContextNote) => void): ModelCall {
    const { modelName, switching, context, last, onSent, scope } = this.options;
    const model = request.model === undefined || request.model === this.model ? modelName() : request.model;
    return {
      key: { model, isChat: true, ...(scope !== undefined && { scope }) },
      contents: request.contents,
      fit: (chosen) => {
        const { contents, note } = context.fit(chosen, request.contents, request.config);
        noted(note);
        return this.outgoing.of(contents);
      },
      config: (chosen) => requestConfigFor(request.config, chosen),
      switching,
      onSend: (sent) => {
        last.take(sent);
        onSent();
      },
    };
  }

  private *responses(
    event: CallEvent,
    request: LlmRequest,
    answer: AnswerAssembler,
    fit: ContextNote | undefined,
  ): Generator<LlmResponse, void> {
    switch (event.type) {
      case 'attempt':
        this.options.onModelResolved(event.resolved);
        return;
      case 'chunk':
        if (event.chunk.usageMetadata) this.options.last.counted(event.chunk.usageMetadata);
        yield* shown(answer.add(event.chunk));
        return;
      case 'retracted':
        if (answer.wasShown) yield statusResponse(event);
        return;
      case 'waiting':
        yield statusResponse(event);
        return;
      case 'switched':
        // Later requests continue with the model of the last one, which need not be reported again.
        if (event.chosen || event.to !== this.options.lastAsked()) yield statusResponse(event);
        return;
      case 'done':
        yield this.complete(request, answer, event, fit);
    }
  }

  private complete(
    request: LlmRequest,
    answer: AnswerAssembler,
    { model, attempts }: Extract<CallEvent, { type: 'done' }>,
    fit: ContextNote | undefined,
  ): LlmResponse {
    const parts = answer.parts();
    for (const { functionCall } of parts) {
      const name = functionCall?.name;
      if (name && !Object.hasOwn(request.toolsDict, name)) request.toolsDict[name] = this.options.toolFor(name);
    }
    return {
      // The API refuses a content without parts, so an empty answer gets no content.
      ...(parts.length > 0 && { content: { role: 'model', parts } }),
      turnComplete: true,
      modelVersion: answer.modelVersion ?? model,
      customMetadata: { model, attempts, ...(fit && noteMetadata(fit)) },
      ...(answer.usage && { usageMetadata: answer.usage }),
      ...(answer.finishReason && { finishReason: answer.finishReason }),
    };
  }
}

function* shown(parts: readonly Part[]): Generator<LlmResponse, void> {
  for (const part of parts) yield { content: { role: 'model', parts: [part] }, partial: true };
}

/** A failure is stored as an event, like an answer, so that it is shown again when the session is opened later. */
function failed(error: unknown, answer: AnswerAssembler | undefined, contents: readonly Content[]): LlmResponse {
  const problem = whereRetryGoesOn(problemOf(error), contents);
  const words = answer?.words() ?? [];
  return {
    errorCode: problem.kind,
    errorMessage: problem.title,
    customMetadata: { problem },
    interrupted: true,
    ...(words.length > 0 && { content: { role: 'model', parts: words } }),
    ...(answer?.usage && { usageMetadata: answer.usage }),
  };
}

/** If tools have run for this message, their results are in the history, and a retry continues after them. */
function whereRetryGoesOn(problem: Problem, contents: readonly Content[]): Problem {
  if (!problem.actions.includes('retry') || !answersCalls(contents)) return problem;
  const detail = l10n.t("{0} The effects of tools are kept, and the tools don't run again.", problem.detail);
  const actions = problem.actions.map((action) => (action === 'retry' ? 'retry-from-here' : action));
  return { ...problem, detail, actions };
}

/**
 * Puts the chunks of one model answer together into the parts that are stored and sent back later. They are cleaned
 * first, so what is shown, what is stored and what tools get is the same.
 */
export class AnswerAssembler {
  private readonly said: Part[] = [];
  usage: GenerateContentResponseUsageMetadata | undefined;
  finishReason: FinishReason | undefined;
  modelVersion: string | undefined;

  constructor(
    private readonly newCallId: (given?: unknown) => string,
    private readonly cleaner: Pick<AnswerCleaner, 'add' | 'end'>,
  ) {}

  /** Takes a chunk and returns the parts that can be shown at once: text, but no calls (ADK would run them twice). */
  add(chunk: AnswerChunk): Part[] {
    const candidate = chunk.candidates?.[0];
    this.usage = chunk.usageMetadata ?? this.usage;
    this.modelVersion = chunk.modelVersion ?? this.modelVersion;
    this.finishReason = candidate?.finishReason ?? this.finishReason;
    return this.say(this.cleaner.add((candidate?.content?.parts ?? []).flatMap(saidIn)));
  }

  /** The text that was held back, because the answer is over. */
  end(): Part[] {
    return this.say(this.cleaner.end());
  }

  /** Whether some of its text has been passed on. */
  get wasShown(): boolean {
    return this.said.some((part) => part.text);
  }

  /** All parts of the complete answer. ADK treats its calls as one batch, wherever they are. */
  parts(): Part[] {
    return answerParts(this.said);
  }

  /** Only the text, without thoughts: the remainder of an answer that ended before its calls could run. */
  words(): Part[] {
    return answerParts(this.said.filter((part) => !part.thought && part.text));
  }

  private say(parts: readonly Part[]): Part[] {
    for (const part of parts) this.said.push(part.functionCall ? this.withOwnCall(part) : part);
    return parts.filter(({ text }) => text);
  }

  /** Gives the call an id of Gantry. */
  private withOwnCall(part: Part): Part {
    const { name, args, id } = part.functionCall ?? {};
    // Some gateways send null as the arguments of a call that needs none. Fields about how the arguments were streamed
    // are omitted: the SDK refuses to send them to the Gemini API.
    return { ...part, functionCall: { ...(name && { name }), args: args ?? {}, id: this.newCallId(id) } };
  }
}
