import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import { type A2ARequestHandler, JsonRpcTransportHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import { isObject } from '../base/objects.ts';
import { type CallFacts, callContext } from './call-facts.ts';
import { isTooDeep } from './read-body.ts';

/** A response of JSON-RPC, as the SDK makes it. */
type Envelope = object;
export type RpcAnswer = Envelope | AsyncGenerator<Envelope>;

type Version = '1.0' | '0.3';
type Fields = Readonly<Record<string, unknown>>;

/** The methods of A2A, and our own. */
export interface RpcMethods extends A2ARequestHandler {
  injectResult(params: unknown, context: ServerCallContext): Promise<object>;
}

/** JSON-RPC over the methods of A2A, in the version that a client speaks. */
export class Rpc {
  private readonly now: JsonRpcTransportHandler;
  private readonly legacy: LegacyJsonRpcTransportHandler;

  constructor(private readonly handler: RpcMethods) {
    this.now = new JsonRpcTransportHandler(handler);
    this.legacy = new LegacyJsonRpcTransportHandler(handler);
  }

  /** Undefined for a body that is too large or too deep to be parsed safely. */
  async answer(
    body: string,
    version: string | undefined,
    facts: Omit<CallFacts, 'reached'>,
  ): Promise<RpcAnswer | undefined> {
    if (isTooDeep(body)) return undefined;
    const request = parsed(body);
    if (request === undefined) return failure(null, A2A_ERROR_CODE.PARSE_ERROR, 'The body is not JSON.');
    // A request is an object. A batch, which is a list, is not supported.
    if (!isRequest(request))
      return failure(idOf(request), A2A_ERROR_CODE.INVALID_REQUEST, 'This is no request of JSON-RPC 2.0.');
    const spoken = versionOf(version);
    if (spoken === undefined) {
      const text = `This server speaks the versions 1.0 and 0.3, not ${version}.`;
      return failure(idOf(request), A2A_ERROR_CODE.VERSION_NOT_SUPPORTED, text);
    }
    return this.dispatch(request, spoken, facts);
  }

  private async dispatch(request: Fields, version: Version, facts: Omit<CallFacts, 'reached'>): Promise<RpcAnswer> {
    let isReached = false;
    const reached = (): void => {
      isReached = true;
    };
    const context = callContext({ ...facts, reached }, version);
    if (request['method'] === 'inject_result') return this.inject(request, version, context);
    const handler = version === '1.0' ? this.now : this.legacy;
    const answer: unknown = await handler.handle(request, context);
    if (isStream(answer)) return begun(answer, idOf(request), version);
    // The SDK fails at parameters of the wrong shape as if the failure were its own.
    if (!isReached) return blamed(answer as Envelope);
    return request['method'] === 'ListTasks' ? wholeList(answer as Envelope) : (answer as Envelope);
  }

  private async inject(request: Fields, version: Version, context: ServerCallContext): Promise<Envelope> {
    const id = idOf(request);
    try {
      return { jsonrpc: '2.0', id, result: await this.handler.injectResult(request['params'], context) };
    } catch (error) {
      return failed(error, id, version);
    }
  }
}

/** Waits for the first event of a stream, so that an error of the request is an ordinary response. */
async function begun(stream: AsyncGenerator<Envelope>, id: RpcId, version: Version): Promise<RpcAnswer> {
  try {
    const first = await stream.next();
    return events(first, stream, id, version);
  } catch (error) {
    return failed(error, id, version);
  }
}

async function* events(
  first: IteratorResult<Envelope>,
  stream: AsyncGenerator<Envelope>,
  id: RpcId,
  version: Version,
): AsyncGenerator<Envelope> {
  let piece: Envelope | undefined;
  try {
    for (let next = first; !next.done; next = await stream.next()) {
      const event = version === '0.3' ? asFinal(next.value) : next.value;
      const { kind, final } = resultOf(event);
      if (kind === 'artifact-update') piece = event;
      // ADK's client keeps an answer, and the context that it came from, once it has seen the last chunk.
      if (piece && final === true) yield lastChunk(piece);
      yield event;
    }
  } catch (error) {
    yield failed(error, id, version);
  } finally {
    await stream.return(undefined);
  }
}

/** In 0.3, "final" says that the stream ends, which it does when the task waits. The SDK sets it only for its end. */
function asFinal(envelope: Envelope): Envelope {
  const result = resultOf(envelope);
  const { kind, status } = result;
  if (kind !== 'status-update' || !isObject(status) || status['state'] !== 'input-required') return envelope;
  return { ...envelope, result: { ...result, final: true } };
}

/** Says that nothing follows, without changing the artifact. */
function lastChunk(piece: Envelope): Envelope {
  const { metadata: _, ...result } = resultOf(piece);
  const artifact = isObject(result['artifact']) ? result['artifact'] : {};
  const nothing = { ...artifact, parts: [{ kind: 'text', text: '' }] };
  return { ...piece, result: { ...result, artifact: nothing, append: true, lastChunk: true } };
}

function resultOf(envelope: Envelope): Readonly<Record<string, unknown>> {
  return 'result' in envelope && isObject(envelope.result) ? envelope.result : {};
}

function failed(error: unknown, id: RpcId, version: Version): Envelope {
  const body =
    version === '1.0'
      ? JsonRpcTransportHandler.mapToJSONRPCError(error)
      : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error);
  return { jsonrpc: '2.0', id, error: body };
}

/** The SDK leaves empty fields out, also those that must be there: a client looks for an empty token on the last page. */
function wholeList(envelope: Envelope): Envelope {
  if (!('result' in envelope)) return envelope;
  return { ...envelope, result: { tasks: [], nextPageToken: '', totalSize: 0, ...resultOf(envelope) } };
}

function blamed(envelope: Envelope): Envelope {
  const error = 'error' in envelope && isObject(envelope.error) ? envelope.error : {};
  if (error['code'] !== A2A_ERROR_CODE.INTERNAL_ERROR) return envelope;
  return { ...envelope, error: { code: A2A_ERROR_CODE.INVALID_PARAMS, message: 'The parameters are not valid.' } };
}

type RpcId = string | number | null;

function failure(id: RpcId, code: number, message: string): Envelope {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isRequest(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const { jsonrpc, method, id = null } = value;
  const isId = id === null || typeof id === 'string' || Number.isInteger(id);
  return jsonrpc === '2.0' && typeof method === 'string' && method !== '' && isId;
}

function idOf(value: unknown): RpcId {
  const id = isObject(value) ? value['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Clients of 0.3 send no version. The patch number doesn't matter. */
function versionOf(header = '0.3'): Version | undefined {
  const [, version] = /^(0\.3|1\.0)(?:\.\d+)?$/.exec(header.trim() || '0.3') ?? [];
  return version === '1.0' || version === '0.3' ? version : undefined;
}

function isStream(value: unknown): value is AsyncGenerator<Envelope> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
