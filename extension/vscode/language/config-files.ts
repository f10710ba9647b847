import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import { configFilePatterns, configPlaces, documentFilters } from './config-patterns.ts';
import type { LanguageService, LanguageServiceParts } from './language-service.ts';

/** Loads the client of the language server when the first file that configures the agent is opened. */
export class ConfigFiles extends Disposable {
  private service: LanguageService | undefined;

  constructor(parts: LanguageServiceParts) {
    super();
    const { host, log, documents = () => vscode.workspace.textDocuments } = parts;
    const client = this.register(
      new LazyPart(async () => {
        const { LanguageService } = await import('./language-service.ts');
        this.service = new LanguageService(parts);
        return this.service;
      }),
    );
    const look = (document: vscode.TextDocument): void => {
      const memoryNames = host.settings.contextFileNames?.() ?? [];
      // Whether an open folder is an extension is found out later, by the client.
      const patterns = configFilePatterns(configPlaces(host, { memoryNames, extensions: host.workspace.roots() }));
      const inFolder = (folder: string, pattern: string) =>
        new vscode.RelativePattern(vscode.Uri.file(folder), pattern);
      if (vscode.languages.match(documentFilters(patterns, inFolder), document) === 0) return;
      client.load().catch((error: unknown) => log.error('The language client could not be loaded', error));
    };
    this.register(vscode.workspace.onDidOpenTextDocument(look));
    for (const document of documents()) look(document);
  }

  /** Resolves when the language server has ended. */
  async stop(): Promise<void> {
    await this.service?.stop();
  }
}
