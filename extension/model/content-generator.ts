import type { Content, GenerateContentConfig, GenerateContentResponse } from '@google/genai';

export interface GenerateRequest {
  readonly model: string;
  readonly contents: Content[];
  readonly config: GenerateContentConfig;
}

/** Instructions and tools cannot be counted at the Gemini API. */
export type CountRequest = Pick<GenerateRequest, 'model' | 'contents'>;

/** A piece of an answer: plain data, as the API sends it. */
export type AnswerChunk = Pick<
  GenerateContentResponse,
  'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion'
>;

/** A place answers come from: the Gemini API, a gateway, the offline guide. Failures are thrown as `ProblemError`. */
export interface ContentGenerator {
  generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncIterable<AnswerChunk>;
  /** The whole answer at once, for what is no part of the conversation. */
  generateContent(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk>;
  /** How many tokens the contents are. Absent where nobody can tell. */
  countTokens?(request: CountRequest, signal: AbortSignal): Promise<number>;
}

/** Where the next request goes, as settings and keys of this moment say. */
export interface ResolvedModel {
  readonly model: string;
  /** What surfaces show, e.g. "offline guide". */
  readonly label: string;
  readonly generator: ContentGenerator;
}
