import type {
  AgentConnection,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  InitializeRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import * as z from 'zod';
import { Joiner } from '../base/joiner.ts';

/** Longer than an editor takes for a file, and short enough for a client that never answers. */
const FILE_MS = 10_000;

/** The program on the other end, as its sessions use it. */
export class AcpClient {
  private capabilities: ClientCapabilities = {};
  private info: InitializeRequest['clientInfo'];
  /** The text that is not written yet, by session. */
  private readonly held = new Map<string, Joiner<SessionUpdate>>();

  constructor(
    private readonly connection: () => Pick<AgentConnection, 'client' | 'signal'>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Whether the connection has ended, so that nobody answers any more. */
  get isGone(): boolean {
    return this.connection().signal.aborted;
  }

  introduce({ clientCapabilities, clientInfo }: InitializeRequest): void {
    this.capabilities = clientCapabilities ?? {};
    this.info = clientInfo;
  }

  /** Its name for people. */
  get name(): string {
    return this.info?.title || this.info?.name || 'an ACP client';
  }

  get hasForms(): boolean {
    return (this.capabilities.elicitation?.form ?? null) !== null;
  }

  get hasNotices(): boolean {
    return (this.capabilities.session?.notices ?? null) !== null;
  }

  get readsFiles(): boolean {
    return this.capabilities.fs?.readTextFile === true;
  }

  get writesFiles(): boolean {
    return this.capabilities.fs?.writeTextFile === true;
  }

  /** Updates are written in the order of the calls. Text of one message that arrives in quick succession is one update. */
  update(sessionId: string, update: SessionUpdate): void {
    const send = (whole: SessionUpdate): void => this.send(sessionId, whole);
    const held = this.held.get(sessionId) ?? new Joiner<SessionUpdate>({ isHeld: isText, joined: joinedText, send });
    this.held.set(sessionId, held);
    held.take(update);
  }

  /** Writes text that is held back. Required before anything that must come after it. */
  flush(sessionId: string): void {
    this.held.get(sessionId)?.flush();
  }

  private send(sessionId: string, update: SessionUpdate): void {
    if (!this.isGone) this.context.notify('session/update', { sessionId, update }).catch(this.failed);
  }

  /** After `signal`, the answer no longer counts, and the client is told so. */
  async permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    this.flush(request.sessionId);
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    return permission.parse(await this.context.request('session/request_permission', request, options));
  }

  async form(
    request: CreateElicitationRequest & { readonly sessionId: string },
    signal: AbortSignal,
  ): Promise<FormResponse> {
    this.flush(request.sessionId);
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
    const response: CreateElicitationResponse = await this.context.request('elicitation/create', request, options);
    return form.parse(response);
  }

  async readText(sessionId: string, path: string): Promise<string> {
    const response: unknown = await this.context.request('fs/read_text_file', { sessionId, path }, soon());
    return fileText.parse(response).content;
  }

  async writeText(sessionId: string, path: string, content: string): Promise<void> {
    await this.context.request('fs/write_text_file', { sessionId, path, content }, soon());
  }

  private get context(): AgentConnection['client'] {
    return this.connection().client;
  }
}

const soon = () => ({ cancellationSignal: AbortSignal.timeout(FILE_MS), stopWaitingOnCancel: true });

const fileText = z.looseObject({ content: z.string() });
const permission = z.looseObject({
  outcome: z.discriminatedUnion('outcome', [
    z.looseObject({ outcome: z.literal('cancelled') }),
    z.looseObject({ outcome: z.literal('selected'), optionId: z.string() }),
  ]),
});
const form = z.looseObject({
  action: z.string(),
  content: z.record(z.string(), z.unknown()).nullish(),
});
export type FormResponse = z.infer<typeof form>;

type TextUpdate = Extract<SessionUpdate, { sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>;

function isText(update: SessionUpdate): update is TextUpdate {
  const { sessionUpdate: kind } = update;
  return (kind === 'agent_message_chunk' || kind === 'agent_thought_chunk') && update.content.type === 'text';
}

/** Two pieces of the same message as one; undefined if they are of different ones. */
function joinedText(first: SessionUpdate, second: SessionUpdate): TextUpdate | undefined {
  if (!isText(first) || !isText(second) || first.sessionUpdate !== second.sessionUpdate) return undefined;
  if (first.messageId !== second.messageId) return undefined;
  const [before, after] = [first.content, second.content];
  if (before.type !== 'text' || after.type !== 'text') return undefined;
  return { ...first, content: { type: 'text', text: `${before.text}${after.text}` } };
}
