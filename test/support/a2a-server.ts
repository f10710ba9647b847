import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Part, Role, type SendMessageRequest, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { HeadlessProcess, type HeadlessResult } from './headless.ts';

export interface A2aServerOptions {
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
  /** After `serve`; the folder is trusted by default. */
  readonly flags?: readonly string[];
  /** A free one by default. */
  readonly port?: number;
}

export interface RpcResponse {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The command line as an A2A server, in a process of its own, and clients for it. */
export class A2aServer {
  private constructor(
    private readonly process: HeadlessProcess,
    readonly url: string,
    readonly tokenFile: string,
    readonly token: string,
  ) {}

  static async start({ workspace, environment, flags = ['--trust'], port = 0 }: A2aServerOptions): Promise<A2aServer> {
    const args = ['serve', '--port', String(port), '--workspace', workspace, ...flags];
    const process = new HeadlessProcess(args, { environment, stdin: 'open' });
    const lines = createInterface({ input: process.child.stdout });
    const first = await Promise.race([once(lines, 'line').then(([line]) => String(line)), process.ended]);
    if (typeof first !== 'string') assert.fail(`The server did not start: ${first.stderr}`);
    const { url, tokenFile, pid } = JSON.parse(first) as { url: string; tokenFile: string; pid: number };
    assert.equal(pid, process.child.pid);
    return new A2aServer(process, url, tokenFile, await readFile(tokenFile, 'utf8'));
  }

  get pid(): number {
    return this.process.child.pid ?? 0;
  }

  get ended(): Promise<HeadlessResult> {
    return this.process.ended;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<HeadlessResult> {
    this.process.child.kill(signal);
    return this.process.ended;
  }

  readonly fetch = fetchWith(() => this.token);

  post(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const given = { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers };
    return this.fetch(this.url, { method: 'POST', body: body as BodyInit, headers: given });
  }

  /** One request, whose response is no stream. */
  async rpc(method: string, params: unknown, headers: Readonly<Record<string, string>> = {}): Promise<RpcResponse> {
    const response = await this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
    return (await response.json()) as RpcResponse;
  }

  client(): Promise<Client> {
    return clientOf(this.url, this.fetch);
  }
}

/** Sends the token with everything, and comes back when the server has had enough for a second. */
export function fetchWith(token: () => string): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('Authorization', `Bearer ${token()}`);
    for (;;) {
      const response = await fetch(input, { ...init, headers });
      if (response.status !== 429) return response;
    }
  };
}

/** The client of the SDK, which speaks 1.0. */
export function clientOf(url: string, fetchImpl: typeof fetch): Promise<Client> {
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(url);
}

export interface Said {
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly returnImmediately?: boolean;
}

let messages = 0;

/** A message of a client: a text, or data. */
export function said(content: string | Readonly<Record<string, unknown>>, more: Said = {}): SendMessageRequest {
  const value =
    typeof content === 'string'
      ? ({ $case: 'text', value: content } as const)
      : ({ $case: 'data', value: content } as const);
  const { contextId = '', taskId = '', metadata, returnImmediately = false } = more;
  return {
    tenant: '',
    message: {
      messageId: `message-${++messages}`,
      contextId,
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content: value, metadata: undefined, filename: '', mediaType: '' }],
      metadata: metadata && { ...metadata },
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
    metadata: undefined,
  };
}

/** Sends a message, and resolves with its task when that has ended or waits. */
export async function sent(client: Client, request: SendMessageRequest): Promise<Task> {
  const result = await client.sendMessage(request);
  assert.ok('status' in result, 'a message is answered with a task');
  return result;
}

export function stateOf({ status }: Pick<Task, 'status'>): string {
  return String(TaskState[status?.state ?? 0])
    .replace('TASK_STATE_', '')
    .toLowerCase()
    .replace('_', '-');
}

export function answerOf({ artifacts }: Pick<Task, 'artifacts'>): string {
  return artifacts.flatMap(({ parts }) => parts.map(textOf)).join('');
}

export function textOf({ content }: Part): string {
  return content?.$case === 'text' ? content.value : '';
}

export interface AskedData {
  readonly requestId: string;
  readonly callId: string;
  readonly title: string;
  readonly message: string;
  readonly schema: unknown;
  readonly details: { readonly type: string };
}

/** The questions that a task waits for. */
export function questionsOf({ status }: Pick<Task, 'status'>): AskedData[] {
  const parts = status?.message?.parts ?? [];
  return parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value as AskedData] : []));
}

export async function collected(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const event of stream) all.push(event);
  return all;
}

/** A stream in lines: its states, and what else it tells. Text in a row is one line, however it was cut. */
export function outlineOf(stream: readonly StreamResponse[]): string[] {
  const lines: string[] = [];
  for (const line of linesOf(stream)) {
    const before = lines.at(-1);
    const isMore = line.startsWith('more: ') && (before?.startsWith('text: ') || before?.startsWith('more: '));
    if (isMore) lines.push(`${lines.pop()}${line.slice('more: '.length)}`);
    else lines.push(line);
  }
  return lines;
}

function linesOf(stream: readonly StreamResponse[]): string[] {
  return stream.map(({ payload }) => {
    switch (payload?.$case) {
      case 'task':
        return `task ${stateOf(payload.value)}`;
      case 'artifactUpdate':
        return `${payload.value.append ? 'more' : 'text'}: ${(payload.value.artifact?.parts ?? []).map(textOf).join('')}`;
      case 'statusUpdate': {
        const [part] = payload.value.status?.message?.parts ?? [];
        const type =
          part?.content?.$case === 'data' ? String((part.content.value as { type: unknown }).type) : undefined;
        return type ?? stateOf({ status: payload.value.status });
      }
      default:
        return String(payload?.$case);
    }
  });
}
