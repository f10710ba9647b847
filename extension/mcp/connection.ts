import { pathToFileURL } from 'node:url';
import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker';
import * as z from 'zod';
import { asError } from '../base/errors.ts';
import { InOrder } from '../base/in-order.ts';
import type {
  ConnectionPorts,
  McpConnection,
  Opened,
  RequestFailure,
  RequestOptions,
  ServerAnswer,
  ServerList,
  ServerQuestionAnswer,
  SignInPort,
} from './connection-types.ts';
import { limitedFetch } from './limited-fetch.ts';
import { StoredLogin } from './oauth-provider.ts';
import { readPrompts, readResources, readTools } from './read-lists.ts';
import type { ServerReach } from './server-definition.ts';
import { createTransport, speaksOnlyEvents, type TransportTarget } from './transports.ts';

export interface OpenOptions {
  readonly name: string;
  /** With its variables expanded. */
  readonly reach: ServerReach;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** More pages or entries than any legitimate server has. */
const MAX_PAGES = 50;
const MAX_ENTRIES = 2000;

const page = z.looseObject({ nextCursor: z.string().optional() });
const anything = z.looseObject({});

/** Starts or connects to a server and initializes it. Failures are part of the result. */
export async function openConnection(options: OpenOptions, ports: ConnectionPorts): Promise<Opened> {
  const { reach } = options;
  if (reach.kind !== 'url') return open(reach.kind, options, ports);
  const opened = await open('http', options, ports);
  return 'failed' in opened && speaksOnlyEvents(opened.failed) ? open('sse', options, ports) : opened;
}

/** Guides the user through the server's sign-in. Rejects if it fails. */
export async function signInTo(url: string, port: SignInPort, signal: AbortSignal): Promise<void> {
  const { browser } = port;
  if (!browser) throw new Error('There is no browser to sign in with.');
  const login = new StoredLogin(port);
  const asking = askingFor(url, port, signal);
  if ((await auth(login, asking)) === 'AUTHORIZED') return;
  if (login.page === undefined) throw new Error('The server has no page to sign in with.');
  const { code, state } = await browser.authorize(login.page, signal);
  if (!login.isExpected(state)) throw new Error('What came back is not from the page that was opened.');
  await auth(login, { ...asking, authorizationCode: code });
}

/** Renews the stored login without the user. Returns false if the user has to sign in again. */
export async function renewLogin(url: string, port: SignInPort, signal: AbortSignal): Promise<boolean> {
  return (await auth(new StoredLogin(port), askingFor(url, port, signal))) === 'AUTHORIZED';
}

function askingFor(
  serverUrl: string,
  { scopes, audiences = [] }: SignInPort,
  signal: AbortSignal,
): Parameters<typeof auth>[1] {
  const send = limitedFetch(() => undefined, signal);
  const fetchFn: typeof send = (url, init) => {
    const form = init?.body;
    // As Gemini CLI does: in the page's address, and in every request for a token.
    const isForToken = audiences.length > 0 && form instanceof URLSearchParams && form.has('grant_type');
    if (isForToken) form.set('audience', audiences.join(' '));
    return send(url, init);
  };
  // What the user configured comes before what the server suggests.
  return { serverUrl, fetchFn, ...(scopes && { scope: scopes.join(' ') }) };
}

async function open(kind: TransportTarget['kind'], options: OpenOptions, ports: ConnectionPorts): Promise<Opened> {
  const { name, reach, signal, timeoutMs } = options;
  let closing = false;
  let whyBroken: string | undefined;
  const target: TransportTarget = { kind, name, reach };
  let transport: Awaited<ReturnType<typeof createTransport>>;
  try {
    transport = await createTransport(target, ports, () => {
      closing = true;
      whyBroken = 'Its answer was too large.';
      void client.close();
      ports.closed(whyBroken);
    });
  } catch (error) {
    return { failed: failureOf(error) };
  }
  const client = createClient(name, ports);
  let isOpen = false;
  client.onerror = (error) => {
    ports.log.debug(`[mcp ${name}] ${error.message}`);
    if (!isOpen) ports.confused(error.message);
  };
  try {
    await client.connect(transport.transport, { signal, timeout: timeoutMs });
    deliverOneByOne(transport.transport);
  } catch (error) {
    const failed = failureOf(error, transport.whyEnded?.());
    await transport.transport.close().catch(() => undefined);
    return { failed };
  }
  isOpen = true;
  client.onclose = () => {
    if (!closing) ports.closed(transport.whyEnded?.() ?? 'The connection was closed.');
  };
  const close = async (): Promise<void> => {
    closing = true;
    await transport.terminate?.().catch(() => undefined);
    await client.close().catch(() => undefined);
  };
  const whyEnded = (): string | undefined => whyBroken ?? transport.whyEnded?.();
  return { connection: connectionOf(client, transport.transport, { close, whyEnded }) };
}

function createClient(name: string, ports: ConnectionPorts): Client {
  const client = new Client(
    { name: 'gantry', title: 'Gantry', version: ports.version },
    {
      capabilities: { roots: { listChanged: true }, elicitation: { form: {} } },
      // The SDK's default validator compiles the schemas of servers to code.
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    },
  );
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: ports.roots().map((path) => ({ uri: pathToFileURL(path).href })),
  }));
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    if (params.mode === 'url') return { action: 'decline' };
    return answerOf(await ports.ask({ message: params.message, schema: { ...params.requestedSchema } }, signal));
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => ports.changed('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => ports.changed('prompts'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => ports.changed('resources'));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, data } }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const isBad = !['debug', 'info', 'notice'].includes(level);
    ports.log[isBad ? 'warn' : 'info'](`[mcp ${name}] ${level}: ${text?.slice(0, 2000)}`);
  });
  return client;
}

function answerOf(answer: ServerQuestionAnswer): {
  action: ServerQuestionAnswer['action'];
  content?: Record<string, string | number | boolean | string[]>;
} {
  return answer.action === 'accept' ? { action: 'accept', content: { ...answer.content } } : { action: answer.action };
}

interface Ending {
  readonly close: () => Promise<void>;
  readonly whyEnded: () => string | undefined;
}

function connectionOf(client: Client, transport: Transport, { close, whyEnded }: Ending): McpConnection {
  const capabilities = client.getServerCapabilities() ?? {};
  const lists = (['tools', 'prompts', 'resources'] as const).filter((list) => capabilities[list] !== undefined);
  const ask = (
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<ServerAnswer<unknown>> => request(client, { method, params }, { ...options, whyEnded });
  const listed = async <Entry>(
    list: ServerList,
    options: RequestOptions,
    read: (entries: readonly unknown[]) => readonly Entry[],
  ): Promise<ServerAnswer<readonly Entry[]>> => {
    const all = await pages(client, list, { ...options, whyEnded });
    return 'failed' in all ? all : { value: read(all.value) };
  };
  return {
    lists: new Set<ServerList>(lists),
    instructions: client.getInstructions(),
    listTools: (options) => listed('tools', options, readTools),
    listPrompts: (options) => listed('prompts', options, readPrompts),
    listResources: (options) => listed('resources', options, readResources),
    callTool: (name, args, options) => ask('tools/call', { name, arguments: args }, options),
    getPrompt: (name, args, options) => ask('prompts/get', { name, arguments: args }, options),
    readResource: (uri, options) => ask('resources/read', { uri }, options),
    isAlive: async (limitMs) => 'value' in (await ask('ping', {}, { signal: NEVER, timeoutMs: limitMs })),
    rootsChanged: () => {
      if (client.transport === transport) client.sendRootsListChanged().catch(() => undefined);
    },
    close,
  };
}

const NEVER = new AbortController().signal;

type Asking = RequestOptions & Pick<Ending, 'whyEnded'>;

async function request(
  client: Client,
  call: { readonly method: string; readonly params: Record<string, unknown> },
  { signal, timeoutMs, onProgress, whyEnded }: Asking,
): Promise<ServerAnswer<unknown>> {
  // The SDK never removes its listener from the signal, which may live as long as a session.
  const own = new AbortController();
  const abort = (): void => own.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const options = {
      signal: own.signal,
      timeout: timeoutMs,
      ...(onProgress && { onprogress: onProgress, resetTimeoutOnProgress: true, maxTotalTimeout: LONGEST }),
    };
    return { value: await client.request(call, anything, options) };
  } catch (error) {
    return { failed: signal.aborted ? { kind: 'cancelled', message: 'Cancelled.' } : failureOf(error, whyEnded()) };
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The limit for a call of a server that keeps reporting progress. */
const LONGEST = 6 * 3_600_000;

async function pages(client: Client, list: ServerList, options: Asking): Promise<ServerAnswer<readonly unknown[]>> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES && entries.length < MAX_ENTRIES; count++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await request(client, { method: `${list}/list`, params }, options);
    if ('failed' in answer) return answer;
    const { success, data } = page.safeParse(answer.value);
    const found = data?.[list];
    if (!success || !Array.isArray(found)) {
      return { failed: { kind: 'error', message: `Its list of ${list} makes no sense.` } };
    }
    entries.push(...found.slice(0, MAX_ENTRIES - entries.length));
    if (data.nextCursor === undefined || data.nextCursor === cursor) break;
    cursor = data.nextCursor;
  }
  return { value: entries };
}

/**
 * The SDK handles notifications slightly later than responses. If both arrive together, the last progress of a call
 * would come after its end and be lost.
 */
export function deliverOneByOne(transport: Transport): void {
  const deliver = transport.onmessage;
  const inOrder = new InOrder();
  transport.onmessage = (message, extra) => {
    inOrder.run(async () => deliver?.(message, extra)).catch((error: unknown) => transport.onerror?.(asError(error)));
  };
}

/** Error codes of the SDK. */
const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;

/** Classifies errors of the SDK, of `fetch` and of processes by their consequences. */
function failureOf(error: unknown, whyEnded?: string): RequestFailure {
  const message = messageOf(error);
  const code = codeOf(error);
  if (code === 401 || error instanceof UnauthorizedError) {
    return { kind: 'sign-in', message: 'It wants you to sign in.', isUntouched: true };
  }
  if (code === REQUEST_TIMEOUT) return { kind: 'timeout', message };
  if (code === CONNECTION_CLOSED) return { kind: 'closed', message: whyEnded ?? message };
  // The response of a server that has forgotten the session, for example after a restart.
  if (code === 404) return { kind: 'closed', message, isUntouched: true };
  return { kind: code === undefined && isNetwork(error) ? 'closed' : 'error', message };
}

function codeOf(error: unknown): number | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}

function isNetwork(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.message === 'Not connected');
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_MESSAGE);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message.replace(/^MCP error -?\d+: /, '')}${cause}`.slice(0, MAX_MESSAGE);
}

const MAX_MESSAGE = 2000;
