import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CodeLensRefreshRequest,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  FileChangeType,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  type ProtocolRequestType,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  type SemanticTokensLegend,
  type ServerCapabilities,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { PipedProgram } from '../../../extension/processes/piped-process.ts';
import { changeBetween } from '../../../extension/text/changed-part.ts';
import { atExit } from '../at-exit.ts';
import { deferred } from '../deferred.ts';
import { distDir } from '../dist.ts';

export interface LspClientOptions {
  /** Absolute. The folder that is open. */
  readonly root: string;
  readonly trusted?: boolean;
  /** For Node itself. */
  readonly nodeArgs?: readonly string[];
  /** Another server than ours, or ours with other options of Node. */
  readonly program?: Pick<PipedProgram, 'file' | 'args' | 'environment'>;
  /** More `initializationOptions`. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** An editor, as far as golden texts ask it. */
export interface AskedClient {
  readonly connection: {
    sendRequest<Params, Result, Partial, Problem, Options>(
      type: ProtocolRequestType<Params, Result, Partial, Problem, Options>,
      params: Params,
    ): Promise<Result>;
  };
  /** The names of the types of semantic tokens. */
  readonly legend: SemanticTokensLegend;
  /** What the server said to stderr, and to the log of its client. */
  readonly errors: string;
  uri(path: string): string;
  open(path: string, text: string): Promise<string>;
  close(uri: string): Promise<void>;
  /** Tells the server that a file on the disk has changed. */
  changedOnDisk(path: string): Promise<void>;
  /** The problems of the last version of a document, when the server has reported them. */
  problems(uri: string): Promise<readonly Diagnostic[]>;
  stop(): Promise<void>;
}

interface Published {
  readonly version: number | undefined;
  readonly problems: readonly Diagnostic[];
}

/** An editor as far as the protocol knows, with the language server in a process of its own. */
export class LspClient implements AskedClient {
  readonly connection: ProtocolConnection;
  errors = '';
  private capabilities: ServerCapabilities | undefined;
  private readonly versions = new Map<string, number>();
  private opened = 0;
  private readonly published = new Map<string, Published>();
  private lensesAreNew = deferred<void>();
  private readonly waiting = new Set<() => void>();

  private constructor(readonly process: ChildProcess) {
    const { stdin, stdout, stderr } = process;
    if (!stdin || !stdout) throw new Error('the server has no pipes');
    stderr?.on('data', (data) => {
      this.errors += String(data);
    });
    this.connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    this.connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, version, diagnostics }) => {
      this.published.set(uri, { version, problems: diagnostics });
      for (const look of this.waiting) look();
    });
    this.connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
      this.errors += `${message}\n`;
    });
    this.connection.onRequest(RegistrationRequest.type, () => undefined);
    this.connection.onRequest(CodeLensRefreshRequest.type, () => {
      this.lensesAreNew.resolve(undefined);
      this.lensesAreNew = deferred<void>();
    });
    this.connection.listen();
  }

  static async start(given: LspClientOptions): Promise<LspClient & { readonly answer: InitializeResult }> {
    const { root, trusted = true, nodeArgs = [], options } = given;
    const args = [...nodeArgs, join(distDir, 'language-server.js'), '--stdio'];
    const { program = { file: process.execPath, args, environment: {} } } = given;
    const child = spawn(program.file, program.args, { env: program.environment });
    const forget = atExit(() => child.kill('SIGKILL'));
    child.once('exit', forget);
    const client = new LspClient(child);
    const answer = await client.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'root' }],
      capabilities: {
        textDocument: { completion: { completionItem: { snippetSupport: true } } },
        workspace: {
          codeLens: { refreshSupport: true },
          workspaceEdit: { documentChanges: true, resourceOperations: ['rename'] },
        },
      },
      initializationOptions: { trusted, home: join(root, 'home'), gantryHome: join(root, 'gantry'), ...options },
    });
    client.capabilities = answer.capabilities;
    await client.connection.sendNotification(InitializedNotification.type, {});
    return Object.assign(client, { answer });
  }

  get legend(): SemanticTokensLegend {
    const provider = this.capabilities?.semanticTokensProvider;
    return provider && 'legend' in provider ? provider.legend : { tokenTypes: [], tokenModifiers: [] };
  }

  uri(path: string): string {
    return pathToFileURL(path).href;
  }

  async open(path: string, text: string, languageId = 'plaintext'): Promise<string> {
    const uri = this.uri(path);
    // Problems of a document that was at this place before must not count.
    const version = ++this.opened;
    this.versions.set(uri, version);
    this.published.delete(uri);
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId, version, text },
    });
    return uri;
  }

  /** Replaces the text of an open document. */
  async change(uri: string, text: string): Promise<void> {
    const version = (this.versions.get(uri) ?? 0) + 1;
    this.versions.set(uri, version);
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  }

  /** Changes an open document as an editor does, by what is different. */
  async edit(uri: string, before: string, after: string): Promise<void> {
    const change = changeBetween(before, after);
    const document = TextDocument.create(uri, '', 0, before);
    // No position is between the two characters of a line end.
    const start = change.start - (before[change.start - 1] === '\r' ? 1 : 0);
    const same = change.same - (before[before.length - change.same] === '\n' ? 1 : 0);
    const range = { start: document.positionAt(start), end: document.positionAt(before.length - same) };
    const version = (this.versions.get(uri) ?? 0) + 1;
    this.versions.set(uri, version);
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [{ range, text: after.slice(start, after.length - same) }],
    });
  }

  async close(uri: string): Promise<void> {
    this.versions.delete(uri);
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** Resolves when the server has something new to say in code lenses. */
  get newLenses(): Promise<void> {
    return this.lensesAreNew.promise;
  }

  async changedOnDisk(path: string): Promise<void> {
    await this.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
      changes: [{ uri: this.uri(path), type: FileChangeType.Changed }],
    });
  }

  /** The problems of a version of a document, when the server has reported them. The last version by default. */
  async problems(uri: string, version = this.versions.get(uri)): Promise<readonly Diagnostic[]> {
    const known = await this.reported(uri, (one) => one.version === version);
    return known.problems;
  }

  /** The problems of a file that is not open, when the server has reported some. */
  async problemsOfClosed(path: string): Promise<readonly Diagnostic[]> {
    return (await this.reported(this.uri(path), ({ problems }) => problems.length > 0)).problems;
  }

  private async reported(uri: string, isWanted: (known: Published) => boolean): Promise<Published> {
    for (;;) {
      const known = this.published.get(uri);
      if (known && isWanted(known)) return known;
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.waiting.delete(look);
          resolve();
        };
        this.waiting.add(look);
      });
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    await ended;
    this.connection.dispose();
  }
}
