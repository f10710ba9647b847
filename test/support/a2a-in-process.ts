import assert from 'node:assert/strict';
import { type A2aOptions, type A2aServer, serveA2a } from '../../extension/a2a/main.ts';
import type { Tool } from '../../extension/ports/tool.ts';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { fetchWith, type RpcResponse } from './a2a-server.ts';
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

  readonly fetch = fetchWith(() => this.server.token);

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

  list(params: object): Promise<ListedTasks> {
    return this.result<ListedTasks>('ListTasks', params);
  }

  /** The events of a stream until it ends, or the client leaves. */
  async streamed(
    method: string,
    params: object,
    seen: (event: StreamJson) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<StreamJson[]> {
    const response = await this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const events: StreamJson[] = [];
    for await (const event of streamOf(response)) {
      events.push(event);
      seen(event);
      if (signal?.aborted) break;
    }
    return events;
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.service.dispose();
  }
}

let messages = 0;

interface ListedTasks {
  readonly tasks: readonly TaskJson[];
  readonly nextPageToken: string;
  readonly totalSize: number;
}

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

/** An event of a stream, as it is on the wire. */
export interface StreamJson {
  readonly task?: TaskJson;
  readonly statusUpdate?: { readonly status: { readonly state: string }; readonly metadata?: StreamMetadata };
  readonly artifactUpdate?: {
    readonly append?: boolean;
    readonly artifact: { readonly parts: readonly { readonly text?: string }[] };
    readonly metadata?: StreamMetadata;
  };
}

type StreamMetadata = Readonly<Record<string, unknown>>;

export async function* streamOf({ body }: Response): AsyncGenerator<StreamJson> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const whole = (text + chunk).split('\n\n');
    text = whole.pop() ?? '';
    for (const event of whole.flatMap((each) => /^data: (.*)$/m.exec(each)?.[1] ?? [])) {
      yield (JSON.parse(event) as { result: StreamJson }).result;
    }
  }
}

/** The question that a task waits for. */
export function requestIdOf({ status }: TaskJson): string {
  const found = status.message?.parts.flatMap(({ data }) => (data as { requestId?: string })?.requestId ?? []);
  return found?.[0] ?? assert.fail('The task asks nothing.');
}
