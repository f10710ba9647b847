import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import type {
  CancellationToken,
  CodeActionParams,
  Connection,
  Diagnostic,
  InitializeParams,
  InitializeResult,
  InlayHintParams,
  Position,
  ReferenceParams,
  RenameParams,
  WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver';
import {
  CodeLensRefreshRequest,
  DidChangeWatchedFilesNotification,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { errorText } from '../base/errors.ts';
import { configCatalogs, extensionPlaces, isInstalled } from './config-catalogs.ts';
import { ConfigDocument } from './config-document.ts';
import { configFiles } from './config-files.ts';
import { type DocumentKind, documentKind, type KnownPlaces } from './document-kind.ts';
import type { LanguageSupport } from './language.ts';
import { type FileWithNames, locationOf, Names, prepared, RenameRefused } from './names.ts';
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

/** Whether an answer still counts if the user has typed since. */
type HoldsFor = 'this text' | 'any text';

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
  private readonly files = new Map<string, ConfigDocument>();
  /** The documents by path: clients write the same path as different URIs. */
  private readonly uris = new Map<string, string>();
  /** The files with problems that are not open. */
  private closed: readonly string[] = [];
  private rereading: NodeJS.Timeout | undefined;
  private readonly reports: ProblemReports;
  private options: StartOptions | undefined;
  private workspace: Workspace | undefined;
  private places: KnownPlaces = { memoryNames: [], extensions: [] };
  private followsFolders = false;

  constructor(
    private readonly connection: Connection,
    private readonly languageOf: (kind: DocumentKind) => LanguageSupport | undefined,
    /** The problems of files that are not open, by path. */
    private readonly problemsOfClosed: (workspace: Workspace) => Promise<ReadonlyMap<string, readonly Diagnostic[]>>,
    /** Where the shipped rules are, unless the client says it. */
    private readonly shippedPolicies?: string,
  ) {
    this.reports = new ProblemReports({
      problemsOf: (uri) => (uri === CLOSED_FILES ? this.reportClosed() : this.problemsOf(uri)),
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
    documents.onDidOpen(({ document: { uri } }) => {
      const path = pathOfUri(uri);
      if (path !== undefined) this.uris.set(path, uri);
      // A client may open a document again that it never closed.
      this.files.delete(uri);
      this.rereadSoon();
    });
    documents.onDidChangeContent(({ document: { uri } }) => {
      this.reports.add(uri);
      // What is typed here can be what another document is about. A document that was just opened is not known yet.
      if (documents.keys().length > 1 && this.files.has(uri)) this.rereadSoon(AFTER_TYPING_MS);
    });
    documents.onDidSave(() => this.reread());
    documents.onDidClose(({ document: { uri } }) => {
      this.files.delete(uri);
      this.uris.delete(pathOfUri(uri) ?? '');
      this.reports.remove(uri);
      this.rereadSoon();
    });
    this.answerRequests();
    documents.listen(connection);
    connection.listen();
  }

  private initialize(params: InitializeParams): InitializeResult {
    const options = readStartOptions(params, this.shippedPolicies);
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
    this.workspace = new Workspace(options, {
      textOf: (path) => this.openText(path),
      lensesChanged: () => {
        if (options.can.lensRefresh) this.connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
      },
    });
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
    // Editors filter these by what was typed since, and ask again only for the next word.
    connection.onCompletion(
      this.list(({ language: { completions }, file, workspace }, at) => completions?.(file, at, workspace), 'any text'),
    );
    connection.onHover(this.one(({ language, file, workspace }, at) => language.hover?.(file, at, workspace)));
    this.answerAboutNames();
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

  /** Names across files, unless the kind of file knows better. */
  private answerAboutNames(): void {
    const { connection } = this;
    connection.onDefinition(
      this.list(async ({ language, file, workspace }, at) => {
        const own = await language.definitions?.(file, at, workspace);
        if (own && own.length > 0) return own;
        const names = await this.names(file, workspace);
        const name = names.about(file, at);
        return name && names.definitions(name).map(locationOf);
      }),
    );
    connection.onReferences(
      this.list(async ({ language, file, workspace }, at, { context }: ReferenceParams) => {
        const own = await language.references?.(file, at, workspace);
        if (own && own.length > 0) return own;
        const names = await this.names(file, workspace);
        const name = names.about(file, at);
        const uses = name ? names.uses(name) : [];
        return uses.filter(({ isDefinition }) => !isDefinition || context.includeDeclaration).map(locationOf);
      }),
    );
    connection.onPrepareRename(
      this.one(async ({ language, file, workspace }, at) => {
        const own = await language.renameRange?.(file, at, workspace);
        if (own) return own;
        const names = await this.names(file, workspace);
        const name = names.at(file, at);
        if (name) refusable(() => names.requireRenamable(name));
        return name && prepared(name);
      }),
    );
    connection.onRenameRequest(
      this.one(async ({ language, file, workspace }, at, { newName }: RenameParams) => {
        const own = await language.rename?.(file, at, newName, workspace);
        if (own) return own;
        const names = await this.names(file, workspace);
        const name = names.at(file, at);
        return name && refusable(() => names.rename(name, newName));
      }),
    );
  }

  /** The names in all files, those of open documents as they are now. Without trust, those in the document alone. */
  private async names(asked: ConfigDocument, workspace: Workspace): Promise<Names> {
    const onDisk = await configFiles(workspace);
    const seen = workspace.isTrusted ? this.documents.keys() : [asked.uri];
    const open = seen.flatMap((uri) => this.known(uri) ?? []);
    const paths = new Set(open.map(({ file }) => file.path));
    const closed = onDisk.flatMap((file) => (paths.has(file.path) ? [] : (this.languageFor(file) ?? [])));
    return new Names([...open, ...closed].map(withNames), workspace.options.can.renameFiles);
  }

  private list<T, P extends AboutDocument>(
    ask: (known: Known, offset: number, about: P) => Answer<readonly T[] | undefined>,
    holdsFor?: HoldsFor,
  ): (about: P, token: CancellationToken) => Promise<T[] | null> {
    return this.one(async (known, offset, about: P) => [...((await ask(known, offset, about)) ?? [])], holdsFor);
  }

  private one<T, P extends AboutDocument>(
    ask: (known: Known, offset: number, about: P) => Answer<T | undefined>,
    holdsFor: HoldsFor = 'this text',
  ): (about: P, token: CancellationToken) => Promise<T | null> {
    return (about, token) => this.answer(about, token, ask, holdsFor);
  }

  /** Answers a request about an open document. Nothing is known about other documents. */
  private async answer<T, P extends AboutDocument>(
    about: P,
    token: CancellationToken,
    ask: (known: Known, offset: number, about: P) => Answer<T | undefined>,
    holdsFor: HoldsFor,
  ): Promise<T | null> {
    const known = this.known(about.textDocument.uri);
    // Only the problems of such a file are read, step by step. Anything else could hold up all requests.
    if (!known || known.file.text.length > LONGEST_ANSWERED) return null;
    const offset = about.position ? known.file.offsetAt(about.position) : 0;
    const found = await ask(known, offset, about);
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    const isTooLate = known.file.isStale && holdsFor === 'this text';
    if (isTooLate) throw new ResponseError(LSPErrorCodes.ContentModified, 'the document has changed');
    return found ?? null;
  }

  private known(uri: string): Known | undefined {
    const document = this.documents.get(uri);
    const path = pathOfUri(uri);
    if (!document || path === undefined) return undefined;
    const last = this.files.get(uri);
    const file = last?.document === document && !last.isStale ? last : new ConfigDocument(document, path);
    this.files.set(uri, file);
    return this.languageFor(file);
  }

  private languageFor(file: ConfigDocument): Known | undefined {
    const { options, workspace } = this;
    if (!options || !workspace) return undefined;
    const kind = documentKind(file.path, options, this.places);
    const language = kind && this.languageOf(kind);
    return language && { file, language, workspace };
  }

  private async problemsOf(uri: string): ReturnType<ConstructorParameters<typeof ProblemReports>[0]['problemsOf']> {
    const known = this.known(uri);
    if (!known) return undefined;
    const { file, language, workspace } = known;
    const problems = await language.problems(file, workspace);
    // It may have changed meanwhile, or have been closed and opened again with another text.
    return this.known(uri)?.file === file ? problems : undefined;
  }

  private openText(path: string): string | undefined {
    const uri = this.uris.get(path);
    return uri === undefined ? undefined : this.documents.get(uri)?.getText();
  }

  /** Any document may refer to what has changed. */
  private reread(): void {
    this.workspace?.forget();
    for (const uri of this.documents.keys()) this.reports.add(uri);
    this.reports.add(CLOSED_FILES);
    void this.readPlaces();
  }

  /** People type many letters at once, and editors open all documents of their last session one after the other. */
  private rereadSoon(pauseMs = REREAD_AFTER_MS): void {
    clearTimeout(this.rereading);
    this.rereading = setTimeout(() => this.reread(), pauseMs);
    this.rereading.unref();
  }

  private async reportClosed(): Promise<undefined> {
    const { workspace } = this;
    const found = workspace ? await this.problemsOfClosed(workspace) : new Map<string, readonly Diagnostic[]>();
    const before = this.closed.filter((path) => !found.has(path));
    const sent = [...found, ...before.map((path) => [path, []] as const)];
    this.closed = [...found.keys()];
    for (const [path, diagnostics] of sent) {
      if (workspace && !this.uris.has(path)) this.reports.show(workspace.uriOf(path), diagnostics);
    }
    return undefined;
  }

  /** Settings can make any file one with instructions, and a manifest any folder an extension. */
  private async readPlaces(): Promise<void> {
    const { workspace } = this;
    if (!workspace) return;
    const [memoryNames = [], extensions] = await Promise.all([
      configCatalogs(workspace)?.memoryNames(),
      extensionPlaces(workspace),
    ]);
    const places = { memoryNames, extensions };
    if (isDeepStrictEqual(places, this.places)) return;
    this.places = places;
    for (const uri of this.documents.keys()) this.reports.add(uri);
  }
}

/** Less than somebody needs to look at another document. */
const REREAD_AFTER_MS = 200;
/** More than between two letters of somebody who types: reading all documents would delay the problems of this one. */
const AFTER_TYPING_MS = 500;

/** No policy of this length is in force, and no person writes another file of these kinds that is as long. */
const LONGEST_ANSWERED = 1024 * 1024;

/** Among the documents whose problems are to be reported: all files that are not open. */
const CLOSED_FILES = '';

function withNames({ file, language }: Known): FileWithNames {
  return { file, uses: language.names?.(file) ?? [], isOwn: !isInstalled(file.path) };
}

/** Clients show the reason where the user typed the name. */
function refusable<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof RenameRefused) throw new ResponseError(LSPErrorCodes.RequestFailed, error.message);
    throw error;
  }
}
