import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type InitializeResponse,
  type NewSessionRequest,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { distDir } from './dist.ts';
import { tempFolder } from './temp-folder.ts';

export interface AcpEditorOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** After `acp`; trusts all folders by default. */
  readonly flags?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  /** False to leave it to the test. */
  readonly initializes?: boolean;
}

type Answering<Request, Response> = (request: Request) => Response | Promise<Response>;

/** An editor that starts the command line as its agent: the client of the ACP SDK, and the production bundle. */
export class AcpEditor {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything that the agent wrote to stdout and stderr. */
  stdout = '';
  stderr = '';
  /** By session, in the order in which they arrived. */
  readonly updates = new Map<string, SessionUpdate[]>();
  readonly permissions: RequestPermissionRequest[] = [];
  readonly forms: CreateElicitationRequest[] = [];
  onPermission: Answering<RequestPermissionRequest, RequestPermissionResponse> = () => choose('once');
  onForm: Answering<CreateElicitationRequest, CreateElicitationResponse> = () => ({ action: 'cancel' });
  /** Texts of open files by path, as the editor has them. Others are not found. */
  readonly open = new Map<string, string>();
  readonly written: { readonly path: string; readonly content: string; readonly sessionId: string }[] = [];
  onWrite: (path: string, content: string) => void | Promise<void> = () => undefined;
  readonly ended: Promise<number | null>;
  private readonly connection: ClientConnection;
  private readonly raws: string[] = [];
  private readonly listeners = new Set<() => void>();

  private constructor(home: string, { environment = {}, flags = ['--trust'] }: AcpEditorOptions) {
    this.child = spawn(process.execPath, [join(distDir, 'headless.js'), 'acp', ...flags], {
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'], HOME: home, GANTRY_HOME: home, ...environment },
    });
    const output = new PassThrough();
    createInterface({ input: this.child.stdout })
      .on('line', (line) => {
        this.stdout += `${line}\n`;
        // The SDK complains about responses to what it has not sent.
        if (/"id":(?:null|"raw")/.test(line)) this.raws.push(line);
        else output.write(`${line}\n`);
        this.changed();
      })
      .on('close', () => output.end());
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.changed();
    });
    this.child.stdin.on('error', () => undefined);
    this.ended = once(this.child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
    const stream = ndJsonStream(Writable.toWeb(this.child.stdin), Readable.toWeb(output) as ReadableStream<Uint8Array>);
    this.connection = this.app().connect(stream);
  }

  /** Starts the agent and initializes the connection. */
  static async start(
    options: AcpEditorOptions = {},
  ): Promise<AcpEditor & { readonly introduction: InitializeResponse }> {
    const home = await tempFolder('acp-home');
    const editor = new AcpEditor(options.environment?.['GANTRY_HOME'] ?? home.path, options);
    void editor.ended.then(() => home.dispose());
    if (options.initializes === false) return Object.assign(editor, { introduction: { protocolVersion: 0 } });
    const introduction = await editor.agent.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'test-editor', title: 'Test Editor', version: '1' },
      clientCapabilities: options.capabilities ?? {},
    });
    return Object.assign(editor, { introduction });
  }

  get agent(): ClientConnection['agent'] {
    return this.connection.agent;
  }

  async newSession(cwd: string, more: Partial<NewSessionRequest> = {}): Promise<string> {
    return (await this.agent.request('session/new', { cwd, mcpServers: [], ...more })).sessionId;
  }

  /** Sends a line as it is, with the id "raw" if it has one, and resolves with the response. */
  async raw(line: string): Promise<unknown> {
    const earlier = this.raws.length;
    this.child.stdin.write(`${line}\n`);
    await this.until(() => this.raws.length > earlier);
    return JSON.parse(this.raws.at(-1) ?? '');
  }

  prompt(sessionId: string, text: string): Promise<PromptResponse> {
    return this.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  }

  of<Kind extends SessionUpdate['sessionUpdate']>(
    sessionId: string,
    kind: Kind,
  ): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    const isKind = (update: SessionUpdate): update is Extract<SessionUpdate, { sessionUpdate: Kind }> =>
      update.sessionUpdate === kind;
    return (this.updates.get(sessionId) ?? []).filter(isKind);
  }

  /** What the agent said, without its thoughts. */
  said(sessionId: string): string {
    const chunks = this.of(sessionId, 'agent_message_chunk');
    return chunks.map(({ content }) => (content.type === 'text' ? content.text : '')).join('');
  }

  /** Resolves when something that arrived makes this true. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.listeners.add(resolve));
  }

  /** Closes the pipes, as an editor does that quits. Resolves with the exit code. */
  async quit(): Promise<number | null> {
    this.child.stdin.end();
    return this.ended;
  }

  private app(): ReturnType<typeof client> {
    return client({ name: 'test-editor' })
      .onNotification('session/update', ({ params: { sessionId, update } }) => {
        this.updates.set(sessionId, [...(this.updates.get(sessionId) ?? []), update]);
        this.changed();
      })
      .onRequest('session/request_permission', ({ params }) => {
        this.permissions.push(params);
        this.changed();
        return this.onPermission(params);
      })
      .onRequest('elicitation/create', ({ params }) => {
        this.forms.push(params);
        this.changed();
        return this.onForm(params);
      })
      .onRequest('fs/read_text_file', ({ params: { path } }) => {
        const content = this.open.get(path);
        if (content === undefined) throw new Error(`${path} is not open`);
        return { content };
      })
      .onRequest('fs/write_text_file', async ({ params: { path, content, sessionId } }) => {
        this.written.push({ path, content, sessionId });
        await this.onWrite(path, content);
        return {};
      });
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}

/** The answer of a user who clicks this option. */
export function choose(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } };
}
