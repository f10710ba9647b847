import assert from 'node:assert/strict';
import { type A2aOptions, type A2aServer, serveA2a } from '../../extension/a2a/main.ts';
import type { Tool } from '../../extension/ports/tool.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import type { RpcResponse } from './a2a-server.ts';
import { type TestHost, testHost } from './test-host.ts';

export interface LocalA2aOptions {
  readonly endpoint: string;
  readonly workspace: string;
  /** The folder of Gantry's own files. */
  readonly home: string;
  readonly tools?: readonly Tool[];
  readonly served?: Partial<Pick<A2aOptions, 'push' | 'approves'>>;
}

/** An A2A server in this process, which starts in milliseconds. */
export class LocalA2a {
  private constructor(
    private readonly service: AgentService,
    private readonly server: A2aServer,
    readonly host: TestHost,
  ) {}

  static async start({ endpoint, workspace, home, tools = [], served }: LocalA2aOptions): Promise<LocalA2a> {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint, GANTRY_HOME: home };
    const host = testHost({ environment, sessions: `${home}/sessions`, roots: [workspace] });
    const service = new AgentService(host, () => [...tools]);
    const server = await serveA2a({
      ...{ version: '0.0.0', port: 0, environment, service, workspace, approves: true, log: host.log },
      textOf: ({ title, detail }) => `${title}: ${detail}`,
      ...served,
    });
    return new LocalA2a(service, server, host);
  }

  get url(): string {
    return this.server.url;
  }

  get isBusy(): boolean {
    return this.server.isBusy;
  }

  readonly fetch: typeof fetch = (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('Authorization', `Bearer ${this.server.token}`);
    return fetch(input, { ...init, headers });
  };

  post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const given = { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers };
    return this.fetch(this.url, { method: 'POST', body, headers: given });
  }

  async rpc(method: string, params: unknown, headers: Readonly<Record<string, string>> = {}): Promise<RpcResponse> {
    const response = await this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
    return (await response.json()) as RpcResponse;
  }

  /** The result of a request. Fails if it is an error. */
  async result<Result>(
    method: string,
    params: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result> {
    const { error, result } = await this.rpc(method, params, headers);
    assert.equal(error, undefined, `${method}: ${error?.message}`);
    return result as Result;
  }

  /** Sends a message of 1.0, and returns its task in JSON. */
  async send(text: string, more: Readonly<Record<string, unknown>> = {}): Promise<TaskJson> {
    const { configuration, ...fields } = more;
    const parts = [{ text }];
    const message = { messageId: `message-${++messages}`, role: 'ROLE_USER', parts, ...fields };
    const result = await this.result<{ task: TaskJson }>('SendMessage', { message, configuration });
    return result.task;
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.service.dispose();
  }
}

let messages = 0;

/** A task as it is on the wire. */
export interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: {
    readonly state: string;
    readonly message?: { readonly parts: readonly { readonly text?: string; readonly data?: unknown }[] };
  };
  readonly artifacts?: readonly { readonly parts: readonly { readonly text?: string }[] }[];
  readonly history?: readonly unknown[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The question that a task waits for. */
export function requestIdOf({ status }: TaskJson): string {
  const found = status.message?.parts.flatMap(({ data }) => (data as { requestId?: string })?.requestId ?? []);
  return found?.[0] ?? assert.fail('The task asks nothing.');
}
