import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BuiltIn } from '../names.ts';

/** Those on this machine's disk. */
export function fileFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
}

/** VS Code's memory for a workspace, as far as it is used here. */
export interface WorkspaceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * Whether something that changes or runs anything may begin. Its command is on offer in an untrusted folder too: VS Code
 * would leave it out without a word, and the text says why not and what to do.
 */
export async function isTrustedElse(text: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = l10n.t('Manage Workspace Trust');
  const choice = await vscode.window.showInformationMessage(text, manage);
  if (choice === manage) await vscode.commands.executeCommand(BuiltIn.manageTrust);
  return false;
}
