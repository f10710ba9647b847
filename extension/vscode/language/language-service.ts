import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { InOrder } from '../../base/in-order.ts';
import { MemoryFiles } from '../../context/memory/memory-files.ts';
import { foldersWith } from '../../files/regular-file.ts';
import { geminiHome } from '../../gemini-config/settings-files.ts';
import { realAlarm } from '../../ports/clock.ts';
import type { Host } from '../../ports/host.ts';
import { bareEnvironment } from '../../processes/run-program.ts';
import { Disposable } from '../base/disposable.ts';
import { Commands } from '../names.ts';
import { configFilePatterns, configPlaces, documentFilters } from './config-patterns.ts';
import { type ServerStart, type ServerWorld, startServer } from './language-client.ts';
import { ServerKeeper } from './server-keeper.ts';
import { serverProgram } from './server-program.ts';

export interface LanguageServiceParts extends ServerWorld {
  readonly host: Pick<Host, 'workspace' | 'settings' | 'environment' | 'sessions' | 'assets'>;
  /** Fires when trust, folders or settings have changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Defaults to real time. */
  readonly now?: () => number;
  /** The open documents that the server may be needed for. Defaults to all. */
  readonly documents?: () => readonly vscode.TextDocument[];
}

/** The usual name of the language. */
const TOML = 'toml';

/** What editors show in files that configure the agent, while such files are open. */
export class LanguageService extends Disposable {
  private readonly keeper: ServerKeeper;
  private readonly memory: MemoryFiles;
  private readonly order = new InOrder();
  private start: ServerStart | undefined;
  private selector: readonly vscode.DocumentFilter[] = [];

  constructor(private readonly parts: LanguageServiceParts) {
    super();
    const { onDidChange, log, alarm = realAlarm, now = Date.now } = parts;
    this.memory = new MemoryFiles({ home: homedir(), geminiHome: this.home, fileNames: () => this.memoryNames });
    this.keeper = new ServerKeeper({
      start: async () => startServer(this.start ?? (await this.serverStart()), parts),
      gaveUp: () => void this.reportEnd(),
      failed: (error) => log.error('The language server could not be started', error),
      now,
      alarm,
    });
    this.register({ dispose: () => void this.stop() });
    this.register(vscode.workspace.onDidOpenTextDocument((document) => void this.opened(document)));
    this.register(vscode.workspace.onDidCloseTextDocument((document) => this.closed(document)));
    this.register(onDidChange(() => void this.follow()));
    void this.follow();
  }

  /** Takes up settings, trust and what is open as they are now. */
  follow(): Promise<void> {
    return this.order.run(async () => {
      const start = await this.serverStart();
      if (this.start && !isDeepStrictEqual(start, this.start)) this.keeper.renew();
      this.start = start;
      this.selector = documentFilters(
        start.files,
        (folder, pattern) => new vscode.RelativePattern(vscode.Uri.file(folder), pattern),
      );
      for (const document of vscode.workspace.textDocuments) this.opened(document);
    });
  }

  /** Resolves when the server has ended. */
  stop(): Promise<void> {
    return this.keeper.end();
  }

  private get home(): string {
    return geminiHome(this.parts.host.environment, homedir());
  }

  private get memoryNames(): readonly string[] {
    return this.parts.host.settings.contextFileNames?.() ?? [];
  }

  private opened(document: vscode.TextDocument): void {
    if (!this.isConfig(document)) return;
    this.keeper.opened();
    // Other extensions bring the language. Without them, this one has its comments and brackets.
    const isToml = document.fileName.endsWith('.toml') && document.languageId === 'plaintext';
    if (isToml) void vscode.languages.setTextDocumentLanguage(document, TOML);
  }

  private closed(document: vscode.TextDocument): void {
    if (!this.isConfig(document)) return;
    const { documents = () => vscode.workspace.textDocuments } = this.parts;
    const isOpen = documents().some((each) => !each.isClosed && this.isConfig(each));
    if (!isOpen) this.keeper.closedAll();
  }

  private isConfig(document: vscode.TextDocument): boolean {
    return vscode.languages.match(this.selector, document) > 0;
  }

  private async serverStart(): Promise<ServerStart> {
    const { workspace, settings, environment, sessions, assets } = this.parts.host;
    const policyPaths = [...settings.policyPaths()];
    const memoryNames = await this.memory.names(workspace);
    // In Restricted Mode, the server doesn't look for them either.
    const extensions = await foldersWith('gemini-extension.json', workspace.isTrusted() ? workspace.roots() : []);
    return {
      program: serverProgram(dirname(assets), bareEnvironment(environment)),
      files: configFilePatterns(configPlaces(this.parts.host, { memoryNames, extensions })),
      options: {
        trusted: workspace.isTrusted(),
        home: this.home,
        language: vscode.env.language,
        texts: vscode.l10n.bundle,
        policyPaths,
        contextFileNames: [...this.memoryNames],
        variables: Object.keys(environment),
        ...(environment['PATH'] !== undefined && { path: environment['PATH'] }),
        // VS Code checks and completes JSON by the schemas in package.json.
        schemas: true,
        shippedPolicies: join(assets, 'policies'),
        commands: [Commands.tryRule, Commands.acceptPolicyFile, 'editor.action.triggerSuggest'],
        ...(sessions.folder !== undefined && { gantryHome: dirname(sessions.folder) }),
      },
    };
  }

  private async reportEnd(): Promise<void> {
    const showLog = l10n.t('Show Log');
    const text = l10n.t(
      'The language server of Gantry crashed too often and is not started again. Policies, agents and other files are no longer checked while you type. To try again, wait a few minutes and open one of them.',
    );
    if ((await vscode.window.showErrorMessage(text, showLog)) === showLog) this.parts.log.show();
  }
}
