import type { Content, GenerateContentConfig, GenerateContentResponse } from '@google/genai';

export interface GenerateRequest {
  readonly model: string;
  readonly contents: Content[];
  readonly config: GenerateContentConfig;
  /** Called by the source with the request as it sends it, after all checks. */
  readonly onSend?: (sent: GenerateRequest) => void;
}

/** The Gemini API cannot count the tokens of instructions and tools. */
export type CountRequest = Pick<GenerateRequest, 'model' | 'contents'>;

/** A piece of an answer: plain data, as the API sends it. */
export type AnswerChunk = Pick<
  GenerateContentResponse,
  'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion'
>;

/** A source of answers: the Gemini API, a gateway, the offline guide. Failures are thrown as `ProblemError`. */
export interface ContentGenerator {
  /** The answer in pieces. A source that first checks the request promises them. */
  generateContentStream(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncIterable<AnswerChunk> | Promise<AsyncIterable<AnswerChunk>>;
  /** The whole answer at once, for requests that are not part of the conversation. */
  generateContent(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk>;
  /** The number of tokens in the contents. Absent if the source cannot count them. */
  countTokens?(request: CountRequest, signal: AbortSignal): Promise<number>;
}

/** The target of the next request, according to the current settings and keys. */
export interface ResolvedModel {
  readonly model: string;
  /** The name that surfaces show, e.g. "offline guide". */
  readonly label: string;
  readonly generator: ContentGenerator;
}
