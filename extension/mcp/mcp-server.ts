import { unlessAborted } from '../base/abort.ts';
import type { Logger } from '../ports/logger.ts';
import type {
  ConnectionPorts,
  McpConnection,
  Opened,
  RequestFailure,
  RequestOptions,
  ServerAnswer,
  ServerList,
  ServerPrompt,
  ServerQuestion,
  ServerQuestionAnswer,
  ServerResource,
  ServerTool,
} from './connection-types.ts';
import { RestartPlan } from './restart-plan.ts';
import type { ConfiguredServer } from './server-catalog.ts';

/** Asks the user of a call. Undefined if no user can be asked. */
export type AskPerson = (question: ServerQuestion, signal: AbortSignal) => Promise<ServerQuestionAnswer>;

export interface McpServerPorts {
  open(
    server: ConfiguredServer,
    ports: Pick<ConnectionPorts, 'ask' | 'changed' | 'closed' | 'confused'>,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<Opened>;
  now(): number;
  /** Calls `ring` once after so many milliseconds. Returns a function that cancels it. */
  alarm(ms: number, ring: () => void): () => void;
  readonly log: Logger;
  /** Called if the state or the offer has changed. */
  changed(): void;
}

/** `npx` may have to download the server first. */
const START_MS = 60_000;
const LIST_MS = 30_000;
const PING_MS = 5_000;
/** The interval for a server that changes its lists all the time. */
const LIST_AGAIN_MS = 500;

/** One server. It is started on first use, stays running, and is restarted if it ends. None of the methods rejects. */
export class McpServer {
  private current: ServerState = { kind: 'stopped' };
  private offered: ServerOffer = NO_OFFER;
  private connection: McpConnection | undefined;
  private opening: Promise<void> | undefined;
  private readonly restarts: RestartPlan;
  private preventRestart: () => void = () => undefined;
  private preventListing: () => void = () => undefined;
  private readonly outdated = new Set<ServerList>();
  private listing: Promise<void> | undefined;
  /** Callbacks of the current calls that can ask a user, the latest last. */
  private readonly asking: AskPerson[] = [];
  private life = new AbortController();

  constructor(
    readonly definition: ConfiguredServer,
    private readonly ports: McpServerPorts,
  ) {
    this.restarts = new RestartPlan(() => ports.now());
  }

  get name(): string {
    return this.definition.name;
  }

  get state(): ServerState {
    return this.current;
  }

  /** Stays the same during a restart, so that the model's tools don't change because of a crash. */
  get offer(): ServerOffer {
    return this.offered;
  }

  get instructions(): string | undefined {
    return this.connection?.instructions;
  }

  /** Resolves when the server is ready or has failed. Until then, its offer may be unknown. */
  get settled(): Promise<void> {
    return this.opening ?? Promise.resolve();
  }

  /** Starts the server in the background, unless it has been started before. */
  start(): void {
    if (this.current.kind === 'stopped') void this.open();
  }

  /** Stops and starts the server at the user's request. */
  async restart(): Promise<void> {
    await this.end({ kind: 'stopped' });
    this.restarts.reset();
    await this.open();
  }

  async disable(): Promise<void> {
    this.offered = NO_OFFER;
    await this.end({ kind: 'disabled' });
  }

  async dispose(): Promise<void> {
    this.offered = NO_OFFER;
    await this.end({ kind: 'stopped' });
  }

  rootsChanged(): void {
    this.connection?.rootsChanged();
  }

  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: Omit<RequestOptions, 'timeoutMs'>,
    ask?: AskPerson,
  ): Promise<ServerAnswer<unknown>> {
    return this.whileAsking(ask, () =>
      this.request(options.signal, (connection) => connection.callTool(name, args, this.limited(options))),
    );
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ServerAnswer<unknown>> {
    return this.request(signal, (connection) => connection.getPrompt(name, args, this.limited({ signal })));
  }

  readResource(uri: string, signal: AbortSignal): Promise<ServerAnswer<unknown>> {
    return this.request(signal, (connection) => connection.readResource(uri, this.limited({ signal })));
  }

  private limited(options: Omit<RequestOptions, 'timeoutMs'>): RequestOptions {
    return { ...options, timeoutMs: this.definition.timeoutMs };
  }

  private async whileAsking<Value>(ask: AskPerson | undefined, work: () => Promise<Value>): Promise<Value> {
    if (!ask) return work();
    this.asking.push(ask);
    try {
      return await work();
    } finally {
      this.asking.splice(this.asking.indexOf(ask), 1);
    }
  }

  private async request(
    signal: AbortSignal,
    send: (connection: McpConnection) => Promise<ServerAnswer<unknown>>,
    isAgain = false,
  ): Promise<ServerAnswer<unknown>> {
    const connection = await this.connected(signal);
    if ('failed' in connection) return connection;
    const answer = await send(connection.value);
    if (!('failed' in answer)) return answer;
    this.afterFailure(answer.failed, connection.value);
    if (answer.failed.kind === 'closed' && answer.failed.isUntouched && !isAgain && !signal.aborted) {
      return this.request(signal, send, true);
    }
    return answer;
  }

  private afterFailure({ kind, message }: RequestFailure, connection: McpConnection): void {
    if (kind === 'sign-in') this.lost(connection, { kind: 'needs-sign-in' });
    if (kind === 'closed') this.lost(connection, undefined, message);
    if (kind !== 'timeout') return;
    void connection.isAlive(PING_MS).then((isAlive) => {
      if (!isAlive) this.lost(connection, undefined, 'It does not answer any more.');
    });
  }

  /** The connection, once it is open. */
  private async connected(signal: AbortSignal): Promise<ServerAnswer<McpConnection>> {
    if (!this.connection && this.mayStart()) void this.open();
    if (this.opening) await unlessAborted(this.opening, signal);
    if (signal.aborted) return { failed: { kind: 'cancelled', message: 'Cancelled.' } };
    return this.connection ? { value: this.connection } : { failed: { kind: 'closed', message: this.whyNot() } };
  }

  private mayStart(): boolean {
    return this.current.kind === 'stopped' || (this.current.kind === 'failed' && this.current.retries);
  }

  private whyNot(): string {
    const { current, name } = this;
    if (current.kind === 'failed') return `The MCP server "${name}" does not run: ${current.reason}`;
    if (current.kind === 'needs-sign-in') return `The user has to sign in to the MCP server "${name}" first.`;
    return `The MCP server "${name}" is off.`;
  }

  private open(): Promise<void> {
    this.opening ??= this.openNow().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async openNow(): Promise<void> {
    this.preventRestart();
    const { signal } = this.life;
    this.become({ kind: 'starting' });
    const listeners = {
      ask: (question: ServerQuestion, stop: AbortSignal) => this.ask(question, stop),
      changed: (list: ServerList) => this.listChanged(list),
      closed: (reason: string) => this.lost(this.connection, undefined, reason),
      confused: (trouble: string) => {
        if (this.current.kind === 'starting') this.become({ kind: 'starting', trouble });
      },
    };
    const timeoutMs = Math.min(START_MS, this.definition.timeoutMs);
    const opened = await this.ports.open(this.definition, listeners, { signal, timeoutMs });
    if ('failed' in opened) return signal.aborted ? undefined : this.notOpened(opened.failed);
    const offer = await this.readOffer(opened.connection, signal);
    if (signal.aborted || 'failed' in offer) await opened.connection.close();
    if (signal.aborted) return;
    if ('failed' in offer) return this.notOpened(offer.failed);
    this.connection = opened.connection;
    this.offered = offer.value;
    this.restarts.ready();
    this.become({ kind: 'ready' });
  }

  private notOpened({ kind, message }: RequestFailure): void {
    if (kind === 'sign-in') {
      this.offered = NO_OFFER;
      this.become({ kind: 'needs-sign-in' });
    } else this.failed(message);
  }

  /** A list that a server fails to return is empty, except for its tools: without those, opening fails. */
  private async readOffer(connection: McpConnection, signal: AbortSignal): Promise<ServerAnswer<ServerOffer>> {
    const options = { signal, timeoutMs: Math.min(LIST_MS, this.definition.timeoutMs) };
    const none = { value: [] };
    const [tools, prompts, resources] = await Promise.all([
      connection.lists.has('tools') ? connection.listTools(options) : none,
      connection.lists.has('prompts') ? connection.listPrompts(options) : none,
      connection.lists.has('resources') ? connection.listResources(options) : none,
    ]);
    if ('failed' in tools) return tools;
    return {
      value: {
        tools: tools.value,
        prompts: 'failed' in prompts ? [] : prompts.value,
        resources: 'failed' in resources ? [] : resources.value,
      },
    };
  }

  private listChanged(list: ServerList): void {
    this.outdated.add(list);
    if (this.listing) return;
    this.listing = this.listAgain().finally(() => {
      this.listing = undefined;
    });
  }

  /** Reads all lists at once and not too often, because a server may report changes endlessly. */
  private async listAgain(): Promise<void> {
    const { signal } = this.life;
    // A server that reports changes before it is ready will be read anyway.
    await this.opening;
    while (this.outdated.size > 0 && this.connection && !signal.aborted) {
      this.outdated.clear();
      const { connection } = this;
      const offer = await this.readOffer(connection, signal);
      if (signal.aborted || this.connection !== connection) return;
      if ('failed' in offer) this.ports.log.warn(`[mcp ${this.name}] Its tools are not known: ${offer.failed.message}`);
      else this.offered = offer.value;
      this.ports.changed();
      await new Promise<void>((resolve) => {
        const prevent = this.ports.alarm(LIST_AGAIN_MS, resolve);
        this.preventListing = () => {
          prevent();
          resolve();
        };
      });
    }
  }

  private async ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerQuestionAnswer> {
    // The protocol doesn't say to which call a question belongs. Without a call, the user isn't asked.
    const ask = this.asking.at(-1);
    return ask ? ask(question, signal) : { action: 'decline' };
  }

  /** Drops an unusable connection. Later reports about the same connection are ignored. */
  private lost(connection: McpConnection | undefined, state: ServerState | undefined, reason = ''): void {
    if (!connection || this.connection !== connection) return;
    this.connection = undefined;
    void connection.close();
    if (state) {
      this.offered = NO_OFFER;
      this.become(state);
    } else this.failed(reason);
  }

  private failed(reason: string): void {
    const wait = this.restarts.failed();
    this.ports.log.warn(`[mcp ${this.name}] ${reason}`);
    if (wait === undefined) this.offered = NO_OFFER;
    else this.preventRestart = this.ports.alarm(wait, () => void this.open());
    this.become({ kind: 'failed', reason, retries: wait !== undefined });
  }

  private async end(state: ServerState): Promise<void> {
    this.preventRestart();
    this.preventListing();
    this.life.abort();
    this.life = new AbortController();
    const { connection, opening } = this;
    this.connection = undefined;
    this.become(state);
    await connection?.close();
    await opening;
    this.opening = undefined;
    this.become(state);
  }

  private become(state: ServerState): void {
    this.current = state;
    this.ports.changed();
  }
}

/** The state of a server, as shown to people. */
export type ServerState =
  /** Not needed so far. */
  | { readonly kind: 'stopped' }
  /** `trouble` describes invalid output of the server so far. */
  | { readonly kind: 'starting'; readonly trouble?: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'needs-sign-in' }
  /** `retries` means that it is restarted automatically. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retries: boolean }
  /** The user turned it off in this window. */
  | { readonly kind: 'disabled' };

interface ServerOffer {
  readonly tools: readonly ServerTool[];
  readonly prompts: readonly ServerPrompt[];
  readonly resources: readonly ServerResource[];
}

const NO_OFFER: ServerOffer = { tools: [], prompts: [], resources: [] };
