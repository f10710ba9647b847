import { badRequest, invalidKey, missingKey, serverError } from './faults.ts';
import { estimateTokens } from './render.ts';
import type { RecordedRequest } from './request.ts';
import { Given } from './rules/given.ts';
import { requestError } from './rules/request-error.ts';
import { body, type Piece, tokenCount } from './script.ts';

export interface EndpointOptions {
  /** The only accepted key. By default, every key is accepted. */
  readonly apiKey?: string;
  /** Whether a request that Google would refuse gets Google's error. True by default. */
  readonly checksRequests?: boolean;
}

export const DEFAULT_TITLE = 'A title';

/** The answer of the model that rates messages. */
export function rated(score: number): string {
  return JSON.stringify({ complexity_reasoning: 'as the test says', complexity_score: score });
}

/** Without token counts, so that tests see only those of the conversation. */
const RATED_EASY: Piece = ({ model }) =>
  body({
    candidates: [{ content: { role: 'model', parts: [{ text: rated(20) }] }, finishReason: 'STOP' }],
    modelVersion: model,
  });

export type RequestMatcher = (request: RecordedRequest) => boolean;

/** Decides which reply a request gets, and records problems that the test should have prevented. */
export class Playbook {
  /** Everything that was sent to clients, including earlier tests: a service does not forget its signatures. */
  readonly given = new Given();
  readonly #options: EndpointOptions;
  readonly #rules: { readonly matches: RequestMatcher; readonly piece: Piece }[] = [];
  readonly #queue: Piece[];
  readonly #titles: Piece[] = [];
  readonly #routes: Piece[] = [];
  #always: Piece | undefined;
  #problems: string[] = [];

  constructor(script: readonly Piece[], options: EndpointOptions) {
    this.#queue = [...script];
    this.#options = options;
  }

  enqueue(piece: Piece): void {
    this.#queue.push(piece);
  }

  enqueueTitle(piece: Piece): void {
    this.#titles.push(piece);
  }

  enqueueRoute(piece: Piece): void {
    this.#routes.push(piece);
  }

  addRule(matches: RequestMatcher, piece: Piece): void {
    this.#rules.push({ matches, piece });
  }

  setAlways(piece: Piece): void {
    this.#always = piece;
  }

  report(problem: string): void {
    this.#problems.push(problem);
  }

  takeProblems(): readonly string[] {
    return this.#problems.splice(0);
  }

  startOver(): void {
    this.#queue.length = 0;
    this.#titles.length = 0;
    this.#routes.length = 0;
    this.#rules.length = 0;
    this.#always = undefined;
    this.#problems = [];
  }

  get unusedReplies(): number {
    return this.#queue.length + this.#titles.length + this.#routes.length;
  }

  next(request: RecordedRequest): Piece {
    const refused = this.#refusal(request);
    if (refused !== undefined) return refused;
    if (request.asksForTitle) return this.#titles.shift() ?? DEFAULT_TITLE;
    if (request.asksForRoute) return this.#routes.shift() ?? RATED_EASY;
    const rule = this.#rules.find(({ matches }) => matches(request));
    if (rule) return rule.piece;
    if (request.operation === 'countTokens') return tokenCount(estimateTokens(request.bodyLength));
    return this.#queue.shift() ?? this.#always ?? this.#exhausted(request);
  }

  #refusal(request: RecordedRequest): Piece | undefined {
    const { apiKey, checksRequests = true } = this.#options;
    if (apiKey !== undefined && request.apiKey !== apiKey) return request.apiKey ? invalidKey() : missingKey();
    if (!checksRequests) return undefined;
    const error = requestError(request, this.given);
    if (error === undefined) return undefined;
    this.report(`request ${request.id} is one that Gemini refuses: ${error.trim()}`);
    return badRequest(error);
  }

  #exhausted(request: RecordedRequest): Piece {
    const message = `The test script has no reply left for request ${request.id} ("${request.lastUserText.slice(0, 80)}").`;
    this.report(message);
    return serverError({ message });
  }
}
