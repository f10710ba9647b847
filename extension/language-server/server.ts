import * as l10n from '@vscode/l10n';
import type {
  CancellationToken,
  CodeActionParams,
  Connection,
  InitializeParams,
  InitializeResult,
  InlayHintParams,
  Position,
  RenameParams,
  WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver';
import {
  DidChangeWatchedFilesNotification,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { errorText } from '../base/errors.ts';
import { ConfigDocument } from './config-document.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';
import type { LanguageSupport } from './language.ts';
import { ProblemReports } from './problem-reports.ts';
import { encodeTokens, tokenLegend } from './semantic-tokens.ts';
import { pathOfUri, readStartOptions, type StartOptions } from './start-options.ts';
import { Workspace } from './workspace.ts';

/** A document with what the server knows about its kind. */
interface Known {
  readonly file: ConfigDocument;
  readonly language: LanguageSupport;
  readonly workspace: Workspace;
}

type Answer<T> = T | Promise<T>;

interface AboutDocument {
  readonly textDocument: { readonly uri: string };
  readonly position?: Position;
}

/** Characters after which clients ask for completions on their own. */
const TRIGGERS = ['"', "'", '=', '[', '{', ':', '/', '@', '$', '.', ' '];

/** The files that documents refer to. */
const WATCHED = ['**/.gemini/**', '**/*mcp.json', '**/gemini-extension.json', '**/*.md'];

/** A language server for everything that configures the agent. Executes nothing, connects to nothing, writes no file. */
export class LanguageServer {
  private readonly documents = new TextDocuments(TextDocument);
  private readonly reports: ProblemReports;
  private options: StartOptions | undefined;
  private workspace: Workspace | undefined;
  private followsFolders = false;

  constructor(
    private readonly connection: Connection,
    private readonly languageOf: (kind: DocumentKind) => LanguageSupport | undefined,
  ) {
    this.reports = new ProblemReports({
      problemsOf: (uri) => this.problemsOf(uri),
      send: (uri, diagnostics) => {
        const version = this.documents.get(uri)?.version;
        const about = { uri, diagnostics: [...diagnostics], ...(version !== undefined && { version }) };
        void connection.sendDiagnostics(about);
      },
      failed: (error) => connection.console.error(errorText(error)),
    });
  }

  listen(): void {
    const { connection, documents } = this;
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => {
      this.watchFiles();
      if (this.followsFolders) connection.workspace.onDidChangeWorkspaceFolders((event) => this.changeFolders(event));
    });
    connection.onDidChangeWatchedFiles(() => this.reread());
    documents.onDidOpen(() => this.reread());
    documents.onDidChangeContent(({ document: { uri } }) => this.reports.add(uri));
    documents.onDidSave(() => this.reread());
    documents.onDidClose(({ document: { uri } }) => {
      this.reports.remove(uri);
      this.reread();
    });
    this.answerRequests();
    documents.listen(connection);
    connection.listen();
  }

  private initialize(params: InitializeParams): InitializeResult {
    const options = readStartOptions(params);
    const { texts } = options;
    if (texts) l10n.config({ contents: texts });
    this.know(options);
    this.followsFolders = params.capabilities.workspace?.workspaceFolders === true;
    return {
      serverInfo: { name: 'gantry-language-server' },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: TRIGGERS },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        codeActionProvider: { codeActionKinds: ['quickfix'] },
        codeLensProvider: {},
        documentLinkProvider: {},
        inlayHintProvider: true,
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        documentFormattingProvider: true,
        semanticTokensProvider: { legend: tokenLegend, full: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  private know(options: StartOptions): void {
    this.options = options;
    this.workspace = new Workspace(options, { textOf: (path) => this.openText(path) });
  }

  private changeFolders({ added, removed }: WorkspaceFoldersChangeEvent): void {
    const { options } = this;
    if (!options) return;
    const gone = removed.map(({ uri }) => pathOfUri(uri));
    const kept = options.roots.filter((root) => !gone.includes(root));
    this.know({ ...options, roots: [...kept, ...added.flatMap(({ uri }) => pathOfUri(uri) ?? [])] });
    this.reread();
  }

  private watchFiles(): void {
    // Clients that cannot watch files tell about saved documents, at least.
    const watchers = WATCHED.map((globPattern) => ({ globPattern }));
    this.connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => undefined);
  }

  private answerRequests(): void {
    const { connection } = this;
    connection.onCompletion(
      this.list(({ language: { completions }, file, workspace }, at) => completions?.(file, at, workspace)),
    );
    connection.onHover(this.one(({ language, file, workspace }, at) => language.hover?.(file, at, workspace)));
    connection.onDefinition(
      this.list(({ language, file, workspace }, at) => language.definitions?.(file, at, workspace)),
    );
    connection.onReferences(
      this.list(({ language, file, workspace }, at) => language.references?.(file, at, workspace)),
    );
    connection.onPrepareRename(
      this.one(({ language, file, workspace }, at) => language.renameRange?.(file, at, workspace)),
    );
    connection.onRenameRequest(
      this.one(({ language, file, workspace }, at, { newName }: RenameParams) =>
        language.rename?.(file, at, newName, workspace),
      ),
    );
    connection.onCodeAction(
      this.list(({ language, file, workspace }, _, { range }: CodeActionParams) =>
        language.actions?.(file, range, workspace),
      ),
    );
    connection.onCodeLens(this.list(({ language, file, workspace }) => language.lenses?.(file, workspace)));
    connection.onDocumentLinks(this.list(({ language, file, workspace }) => language.links?.(file, workspace)));
    connection.onDocumentSymbol(this.list(({ language, file, workspace }) => language.outline?.(file, workspace)));
    connection.onFoldingRanges(this.list(({ language, file }) => language.folding?.(file)));
    connection.onDocumentFormatting(this.list(({ language, file }) => language.format?.(file)));
    connection.languages.inlayHint.on(
      this.list(({ language, file, workspace }, _, { range }: InlayHintParams) =>
        language.hints?.(file, range, workspace),
      ),
    );
    const tokens = this.one(async ({ language, file }) => encodeTokens(file, (await language.tokens?.(file)) ?? []));
    connection.languages.semanticTokens.on(async (about, token) => (await tokens(about, token)) ?? { data: [] });
  }

  private list<T, P extends AboutDocument>(
    ask: (known: Known, offset: number, about: P) => Answer<readonly T[] | undefined>,
  ): (about: P, token: CancellationToken) => Promise<T[] | null> {
    return this.one(async (known, offset, about: P) => [...((await ask(known, offset, about)) ?? [])]);
  }

  private one<T, P extends AboutDocument>(
    ask: (known: Known, offset: number, about: P) => Answer<T | undefined>,
  ): (about: P, token: CancellationToken) => Promise<T | null> {
    return (about, token) => this.answer(about, token, ask);
  }

  /** Answers a request about an open document. Nothing is known about other documents. */
  private async answer<T, P extends AboutDocument>(
    about: P,
    token: CancellationToken,
    ask: (known: Known, offset: number, about: P) => Answer<T | undefined>,
  ): Promise<T | null> {
    const known = this.known(about.textDocument.uri);
    if (!known) return null;
    const offset = about.position ? known.file.offsetAt(about.position) : 0;
    const found = await ask(known, offset, about);
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    if (known.file.isStale) throw new ResponseError(LSPErrorCodes.ContentModified, 'the document has changed');
    return found ?? null;
  }

  private known(uri: string): Known | undefined {
    const document = this.documents.get(uri);
    const path = pathOfUri(uri);
    const { options, workspace } = this;
    if (!document || path === undefined || !options || !workspace) return undefined;
    const kind = documentKind(path, options);
    const language = kind && this.languageOf(kind);
    return language && { file: new ConfigDocument(document, path), language, workspace };
  }

  private async problemsOf(uri: string): ReturnType<ConstructorParameters<typeof ProblemReports>[0]['problemsOf']> {
    const known = this.known(uri);
    if (!known) return undefined;
    const { file, language, workspace } = known;
    const problems = await language.problems(file, workspace);
    return file.isStale ? undefined : problems;
  }

  private openText(path: string): string | undefined {
    const { workspace } = this;
    return workspace && this.documents.get(workspace.uriOf(path))?.getText();
  }

  /** Any document may refer to what has changed. */
  private reread(): void {
    this.workspace?.forget();
    for (const uri of this.documents.keys()) this.reports.add(uri);
  }
}
