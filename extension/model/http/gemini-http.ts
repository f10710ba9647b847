import { z } from 'zod';
import { parseApiError, parseSeconds, type Redact, redactor } from '../api-error.ts';
import type { AnswerChunk } from '../content-generator.ts';
import { parseJson } from '../json.ts';
import { ModelFailureError } from '../model-failure.ts';
import { networkCode, PROXY_SIGN_IN } from '../network-error.ts';
import { checkedFrame, looksLikeHtml } from './answer-frame.ts';
import { type IdleTimeout, IdleTimeoutError } from './idle-timeout.ts';
import { EventStreamParser, ItemTooLongError } from './sse.ts';

/** Enough for any error object; an endless error page must not fill the memory. */
const MAX_ERROR_BODY = 64 * 1024;

/** Whole answers are short: titles, decisions. */
const MAX_WHOLE_ANSWER = 1024 * 1024;

const KEY_HEADER = 'x-goog-api-key';

/** The credentials of a request. */
export interface ModelAccess {
  readonly headers: Readonly<Record<string, string>>;
  /** The header values that must not be shown if the endpoint repeats them. */
  readonly secrets: readonly string[];
}

/** Opens a streamed answer. Throws if the response is not a valid answer. */
export async function openAnswer(
  input: Request | URL | string,
  init: RequestInit | undefined,
  access: ModelAccess,
  silence: IdleTimeout,
): Promise<AsyncIterable<AnswerChunk>> {
  const redact = redactor(access.secrets);
  const { body } = await accepted(input, init, access, silence, redact);
  return body ? readAnswer(body, silence, redact) : NOTHING;
}

/** Fetches a whole answer. Throws if the response is not a valid answer. */
export async function fetchAnswer(
  input: Request | URL | string,
  init: RequestInit | undefined,
  access: ModelAccess,
  silence: IdleTimeout,
): Promise<AnswerChunk> {
  const redact = redactor(access.secrets);
  const { body } = await accepted(input, init, access, silence, redact);
  const text = await readStart(body, MAX_WHOLE_ANSWER, silence);
  return checkedFrame({ type: 'event', text, complete: false }, redact);
}

/** The endpoint's count of tokens. */
export async function fetchCount(
  input: Request | URL | string,
  init: RequestInit | undefined,
  access: ModelAccess,
  silence: IdleTimeout,
): Promise<number> {
  const redact = redactor(access.secrets);
  const { body } = await accepted(input, init, access, silence, redact);
  const text = await readStart(body, MAX_WHOLE_ANSWER, silence);
  const counted = countSchema.safeParse(parseJson(text));
  if (!counted.success) throw new ModelFailureError({ type: 'unreadable' }, redact(text.slice(0, 2000)));
  return counted.data.totalTokens;
}

/** The API omits the field if it is zero. */
const countSchema = z.object({ totalTokens: z.int().nonnegative().default(0) });

const NOTHING: AsyncIterable<AnswerChunk> = (async function* () {})();

async function accepted(
  input: Request | URL | string,
  init: RequestInit | undefined,
  access: ModelAccess,
  silence: IdleTimeout,
  redact: Redact,
): Promise<Response> {
  const response = await send(input, init, access, silence);
  if (!response.ok) throw await refusal(response, silence, redact);
  if (!isHtml(response)) return response;
  await response.body?.cancel();
  throw notGemini(response.status, 'a web page', 'content-type text/html');
}

/** The only function that sends requests to a model. */
async function send(
  input: Request | URL | string,
  init: RequestInit = {},
  access: ModelAccess,
  silence: IdleTimeout,
): Promise<Response> {
  const headers = new Headers(init.headers);
  // The SDK's key is a dummy that keeps it from searching for a key itself.
  headers.delete(KEY_HEADER);
  for (const [name, value] of Object.entries(access.headers)) headers.set(name, value);
  try {
    // Following a redirect would send the key and other credentials to any host that the endpoint names.
    return await silence.broken(fetch(input, { ...init, headers, redirect: 'manual', signal: silence.signal }));
  } catch (error) {
    const code = networkCode(error);
    if (code.startsWith('HPE_')) throw notGemini(0, 'something that is not HTTP', code, error);
    throw new ModelFailureError({ type: 'no-answer', code }, code, { cause: error });
  }
}

async function refusal(response: Response, silence: IdleTimeout, redact: Redact): Promise<ModelFailureError> {
  const { status, headers } = response;
  const body = await readStart(response.body, MAX_ERROR_BODY, silence);
  if (status < 400) return notGemini(status, 'a redirect', redact(`to ${headers.get('location') ?? 'nowhere'}`));
  const evidence = redact(`status ${status}: ${body.slice(0, 2000)}`);
  // Some implementations of fetch return a 407 instead of failing.
  if (status === 407) return new ModelFailureError({ type: 'no-answer', code: PROXY_SIGN_IN }, evidence);
  const error = parseApiError(parseJson(body), redact);
  const html = isHtml(response) || looksLikeHtml(body);
  if (!error && (html ? status < 500 : !speaksForItself(status))) {
    return notGemini(status, html ? 'a web page' : 'something else', evidence);
  }
  const retrySeconds = parseSeconds(headers.get('retry-after') ?? undefined);
  const known = error ?? { code: status, message: '', status: '' };
  const timed = retrySeconds === undefined ? known : { retrySeconds, ...known };
  return new ModelFailureError({ type: 'refused', status, error: timed }, evidence);
}

/**
 * Gateways send these statuses without Google's error object. An HTML page with 5xx comes from a proxy whose service is
 * down; with another status, there is no such service at the address.
 */
function speaksForItself(status: number): boolean {
  return status >= 500 || [401, 403, 408, 413, 429].includes(status);
}

async function readStart(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  silence: IdleTimeout,
): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (reader && text.length < limit) {
      const { done, value } = await silence.broken(reader.read());
      silence.begun();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
    await reader?.cancel();
  } catch {
    // The text so far is enough: an error has its status, and half an answer fails to parse.
  }
  return text;
}

function isHtml(response: Response): boolean {
  return /^(?:text\/html|application\/xhtml)/i.test(response.headers.get('content-type') ?? '');
}

function notGemini(status: number, what: string, evidence: string, cause?: unknown): ModelFailureError {
  return new ModelFailureError({ type: 'not-gemini', status, what }, evidence, { cause });
}

/**
 * The validated chunks of an answer as they arrive. Throws for anything else. Leaving the loop early closes the
 * connection.
 */
async function* readAnswer(
  body: ReadableStream<Uint8Array>,
  silence: IdleTimeout,
  redact: Redact,
): AsyncGenerator<AnswerChunk> {
  const parser = new EventStreamParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await silence.broken(reader.read());
      silence.begun();
      for (const item of done ? parser.end() : parser.push(value)) yield checkedFrame(item, redact);
      if (done) return;
    }
  } catch (error) {
    throw streamFailure(error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function streamFailure(error: unknown): ModelFailureError {
  if (error instanceof ModelFailureError) return error;
  if (error instanceof ItemTooLongError) return new ModelFailureError({ type: 'unreadable' }, 'an endless event');
  const silent = error instanceof IdleTimeoutError && { silent: true };
  return new ModelFailureError({ type: 'cut', ...silent }, networkCode(error), { cause: error });
}
