import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Host } from '../../ports/host.ts';
import type { Logger } from '../../ports/logger.ts';
import { Disposable } from '../base/disposable.ts';
import type { LazyPart } from '../base/lazy-part.ts';
import { type ConfigPlaces, configFilePatterns, type FilePattern } from './config-patterns.ts';

/** A new file has an address of its own until it is saved. */
export const FILE_SCHEMES = ['file', 'untitled'] as const;

export function configPlaces(
  { settings, assets }: Pick<Host, 'settings' | 'assets'>,
  memoryNames: readonly string[],
): ConfigPlaces {
  return { policyPaths: settings.policyPaths(), shippedPolicies: join(assets, 'policies'), memoryNames };
}

export function documentSelector(patterns: readonly FilePattern[]): vscode.DocumentFilter[] {
  return patterns.flatMap(({ folder, pattern }) =>
    FILE_SCHEMES.map((scheme) => ({
      scheme,
      pattern: folder === undefined ? pattern : new vscode.RelativePattern(vscode.Uri.file(folder), pattern),
    })),
  );
}

/** Loads the client of the language server when the first file that configures the agent is opened. */
export class ConfigFiles extends Disposable {
  constructor(host: Pick<Host, 'settings' | 'assets'>, client: LazyPart<vscode.Disposable>, log: Logger) {
    super();
    const look = (document: vscode.TextDocument): void => {
      const memoryNames = host.settings.contextFileNames?.() ?? [];
      const patterns = configFilePatterns(configPlaces(host, memoryNames));
      if (vscode.languages.match(documentSelector(patterns), document) === 0) return;
      client.load().catch((error: unknown) => log.error('The language client could not be loaded', error));
    };
    this.register(client);
    this.register(vscode.workspace.onDidOpenTextDocument(look));
    for (const document of vscode.workspace.textDocuments) look(document);
  }
}
