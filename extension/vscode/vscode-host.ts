import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { sessionsFolder } from '../gemini-config/home-folders.ts';
import type { Host, SecretPort } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import type { SettingsPort } from '../ports/settings.ts';
import type { TerminalsPort } from '../ports/terminals.ts';
import { fileFolders } from './base/workspace.ts';
import { vscodeEditor } from './editor/editor-port.ts';
import { openDocument, unsavedText } from './editor/open-documents.ts';

/** The runtime's ports, implemented with VS Code. */
export function vscodeHost(
  assets: string,
  settings: SettingsPort,
  secrets: SecretPort,
  terminals: TerminalsPort,
  log: Logger,
): Host {
  return {
    workspace: {
      roots: () => fileFolders().map((folder) => folder.uri.fsPath),
      isTrusted: () => vscode.workspace.isTrusted,
    },
    files: { unsavedText, openDocument, onDidSave },
    editor: vscodeEditor(),
    terminals,
    settings,
    secrets,
    log,
    clock: { now: () => Date.now() },
    sessions: { folder: sessionsFolder(process.env, homedir()), owner: 'a VS Code window', interactive: true },
    assets,
    environment: process.env,
    ...(vscode.env.remoteName !== undefined && { remote: vscode.env.remoteName }),
  };
}

function onDidSave(listener: (path: string) => void): () => void {
  const listening = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (uri.scheme === 'file') listener(uri.fsPath);
  });
  return () => listening.dispose();
}
