import type { IncomingHttpHeaders } from 'node:http';
import type { Content, FunctionResponse, Part } from '@google/genai';
import { TITLE_INSTRUCTION } from '../../../extension/runtime/library/session-title.ts';
import { deferred } from '../deferred.ts';
import type { Operation, RequestBody } from './wire.ts';

export interface Route {
  readonly apiVersion: string;
  readonly model: string;
  readonly operation: Operation;
}

/** How the exchange ended: completely answered, cut by the script, or aborted by the client. */
export type Outcome = 'answered' | 'cut' | 'disconnected';

export interface RequestFacts {
  /** Counted from 1 in order of arrival. */
  readonly id: number;
  readonly method: string;
  /** Path with its query, as received. */
  readonly path: string;
  readonly route: Route;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  readonly body: RequestBody;
}

const GEMINI_PATH =
  /^\/(v\d\w*)\/(?:projects\/[^/]+\/locations\/[^/]+\/)?(?:publishers\/[^/]+\/)?(?:tunedModels|models)\/([^/:]+):(\w+)$/;
const OPERATIONS: readonly Operation[] = ['streamGenerateContent', 'generateContent', 'countTokens'];

export function parseRoute(pathname: string): Route | undefined {
  const [, apiVersion, model, name] = GEMINI_PATH.exec(pathname) ?? [];
  const operation = OPERATIONS.find((known) => known === name);
  if (!apiVersion || !model || !operation) return undefined;
  return { apiVersion, model: decodeURIComponent(model), operation };
}

export function parseBody(raw: string): RequestBody | undefined {
  try {
    const body: unknown = JSON.parse(raw);
    return isRequestBody(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** One request as the endpoint received it, with accessors for tests. */
export class RecordedRequest {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly model: string;
  readonly operation: Operation;
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
  readonly bodyLength: number;
  /** In milliseconds of the `performance.now()` clock. */
  readonly receivedAt: number = performance.now();
  readonly closed: Promise<Outcome>;
  readonly #close: (outcome: Outcome) => void;
  #outcome: Outcome | undefined;

  constructor(facts: RequestFacts) {
    const closed = deferred<Outcome>();
    this.closed = closed.promise;
    this.#close = closed.resolve;
    this.id = facts.id;
    this.method = facts.method;
    this.path = facts.path;
    this.apiVersion = facts.route.apiVersion;
    this.model = facts.route.model;
    this.operation = facts.route.operation;
    this.headers = facts.headers;
    this.body = facts.body;
    this.bodyLength = facts.rawBody.length;
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  get disconnected(): boolean {
    return this.#outcome === 'disconnected';
  }

  get streamed(): boolean {
    return this.operation === 'streamGenerateContent';
  }

  /** True for a title request, which follows the first exchange and is not part of a conversation. */
  get asksForTitle(): boolean {
    return this.operation === 'generateContent' && this.systemText === TITLE_INSTRUCTION;
  }

  /** True for a request that chooses a model for a message, which is not part of a conversation. */
  get asksForRoute(): boolean {
    return JSON.stringify(this.body.generationConfig ?? {}).includes('"complexity_score"');
  }

  get apiKey(): string | undefined {
    const key = this.headers['x-goog-api-key'];
    return typeof key === 'string' ? key : undefined;
  }

  /** The conversation, without the descriptions of the machine and the workspace that the product adds to it. */
  get contents(): readonly Content[] {
    return (this.body.contents ?? []).filter((content) => !isEnvironment(content));
  }

  /** The descriptions of the machine and the workspace. */
  get environment(): readonly string[] {
    return (this.body.contents ?? []).filter(isEnvironment).map(({ parts }) => textOf(parts));
  }

  /** The newest text from the user. Turns that contain only tool results are skipped. */
  get lastUserText(): string {
    const texts = this.contents.filter((content) => content.role !== 'model').map((content) => textOf(content.parts));
    return texts.findLast((text) => text !== '') ?? '';
  }

  get systemText(): string {
    return textOf(this.body.systemInstruction?.parts);
  }

  get toolNames(): readonly string[] {
    const tools = this.body.tools ?? [];
    return tools.flatMap((tool) => tool.functionDeclarations ?? []).flatMap((declared) => declared.name ?? []);
  }

  /** The tool results in the newest content; empty if it contains none. */
  get toolResults(): readonly FunctionResponse[] {
    return (this.contents.at(-1)?.parts ?? []).flatMap((part) => part.functionResponse ?? []);
  }

  settle(outcome: Outcome): void {
    this.#outcome ??= outcome;
    this.#close(this.#outcome);
  }
}

function isEnvironment({ role, parts }: Content): boolean {
  return role === 'user' && /^(?:Facts|More or changed facts) about the machine and the workspace,/.test(textOf(parts));
}

function textOf(parts: readonly Part[] = []): string {
  return parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('');
}

function isRequestBody(value: unknown): value is RequestBody {
  if (!isRecord(value)) return false;
  const { contents = [], systemInstruction, tools = [] } = value;
  return (
    Array.isArray(contents) &&
    contents.every(isContent) &&
    (systemInstruction === undefined || isContent(systemInstruction)) &&
    Array.isArray(tools) &&
    tools.every(isRecord)
  );
}

function isContent(value: unknown): value is Content {
  if (!isRecord(value)) return false;
  const { parts = [] } = value;
  return Array.isArray(parts) && parts.every(isRecord);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
