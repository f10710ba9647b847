import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, type Message, type Part, Role, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

export interface A2aSite {
  readonly url: string;
  readonly cardUrl: string;
  /** The card as it is served, for definitions that contain it. */
  readonly card: Record<string, unknown>;
  /** The texts of the messages that arrived, in order. */
  readonly messages: readonly string[];
  /** `METHOD path` and the headers of all requests. */
  readonly requests: readonly { readonly line: string; readonly headers: IncomingMessage['headers'] }[];
  readonly canceled: readonly string[];
  dispose(): Promise<void>;
}

export interface A2aSiteOptions {
  readonly version?: '1.0' | '0.3';
  readonly binding?: 'JSONRPC' | 'HTTP+JSON';
  readonly streams?: boolean;
  /** Runs before everything else. Returns true if it has answered. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Changes the card that is served. */
  readonly cardChanges?: () => Record<string, unknown>;
}

/** What the agent does with a message. */
export type Work = (turn: Turn) => Promise<void> | void;

/** The agent's side of a task. */
export class Turn {
  constructor(
    private readonly context: RequestContext,
    private readonly bus: ExecutionEventBus,
  ) {}

  get text(): string {
    return textOf(this.context.userMessage);
  }

  /** Whether the message answers a question of the agent. */
  get isAnswer(): boolean {
    return this.context.task !== undefined;
  }

  begin(): this {
    const { taskId: id, contextId, userMessage } = this.context;
    const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined };
    this.bus.publish(
      AgentEvent.task({ id, contextId, status, artifacts: [], history: [userMessage], metadata: undefined }),
    );
    return this.move(TaskState.TASK_STATE_WORKING);
  }

  /** Answers without a task. */
  answer(text: string): void {
    this.bus.publish(AgentEvent.message(agentMessage(textPart(text), this.context)));
    this.bus.finished();
  }

  say(artifactId: string, text: string, append = false): this {
    return this.make(artifactId, [textPart(text)], append);
  }

  make(artifactId: string, parts: readonly Part[], append = false, name = ''): this {
    const { taskId, contextId } = this.context;
    const artifact = { artifactId, name, description: '', parts: [...parts], metadata: undefined, extensions: [] };
    const update = { taskId, contextId, artifact, append, lastChunk: !append, metadata: undefined };
    this.bus.publish(AgentEvent.artifactUpdate(update));
    return this;
  }

  move(state: TaskState, content?: string | Part): this {
    const { taskId, contextId } = this.context;
    const part = typeof content === 'string' ? textPart(content) : content;
    const message = part && agentMessage(part, this.context);
    const status = { state, message, timestamp: undefined };
    this.bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    return this;
  }

  end(state: TaskState = TaskState.TASK_STATE_COMPLETED, text?: string): void {
    this.move(state, text);
    this.bus.finished();
  }
}

/** An agent on this machine, served by the SDK. Everything that isn't about the protocol is up to `work`. */
export async function startA2aSite(work: Work, options: A2aSiteOptions = {}): Promise<A2aSite> {
  const messages: string[] = [];
  const canceled: string[] = [];
  const requests: { line: string; headers: IncomingMessage['headers'] }[] = [];
  const app = express();
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    if (!options.before?.(request, response)) app(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = cardOf(url, options);
  const executor = {
    execute: async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
      messages.push(textOf(context.userMessage));
      await work(new Turn(context, bus));
    },
    cancelTask: async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
      const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp: undefined };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status, metadata: undefined }));
      bus.finished();
    },
  };
  const requestHandler = new DefaultRequestHandler(ownCard(url, options), new InMemoryTaskStore(), executor);
  const cancelTask = requestHandler.cancelTask.bind(requestHandler);
  requestHandler.cancelTask = (request, context) => {
    canceled.push(request.id);
    return cancelTask(request, context);
  };
  const handling = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
  app.get('/card.json', (_, response) => {
    response.json({ ...card, ...options.cardChanges?.() });
  });
  app.use('/rpc', jsonRpcHandler(handling));
  app.use('/rest', restHandler(handling));
  return {
    url,
    cardUrl: `${url}/card.json`,
    card,
    messages,
    requests,
    canceled,
    dispose: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function textPart(text: string, metadata?: Record<string, unknown>): Part {
  return { content: { $case: 'text', value: text }, metadata, filename: '', mediaType: '' };
}

export function dataPart(data: unknown, metadata?: Record<string, unknown>): Part {
  return { content: { $case: 'data', value: data }, metadata, filename: '', mediaType: 'application/json' };
}

function agentMessage(part: Part, { taskId, contextId }: RequestContext): Message {
  return {
    messageId: `${taskId}-${JSON.stringify(part)}`,
    contextId,
    taskId,
    role: Role.ROLE_AGENT,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function textOf({ parts }: Message): string {
  return parts
    .map(({ content }) => (content?.$case === 'text' ? content.value : JSON.stringify(content?.value)))
    .join('');
}

function cardOf(
  url: string,
  { version = '1.0', binding = 'JSONRPC', streams = true }: A2aSiteOptions,
): Record<string, unknown> {
  const address = `${url}/${binding === 'JSONRPC' ? 'rpc' : 'rest'}`;
  const about = {
    name: 'Sample',
    description: 'An agent for tests.',
    version: '1',
    provider: { organization: 'Tests', url },
    capabilities: { streaming: streams },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  return version === '0.3'
    ? { ...about, url: address, preferredTransport: binding, protocolVersion: '0.3.0' }
    : { ...about, supportedInterfaces: [{ url: address, protocolBinding: binding, protocolVersion: '1.0' }] };
}

/** The card that the handler checks requests with: it serves both versions. */
function ownCard(url: string, options: A2aSiteOptions): AgentCard {
  const { binding = 'JSONRPC' } = options;
  const versions = ['1.0', '0.3'].map((protocolVersion) => ({ url, protocolBinding: binding, protocolVersion }));
  return AgentCard.fromJSON({ ...cardOf(url, { ...options, version: '1.0' }), supportedInterfaces: versions });
}
