import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { BuiltIn } from '../names.ts';

/** The workspace folders on this machine's disk. */
export function fileFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
}

/** The part of VS Code's workspace storage that Gantry uses. */
export interface WorkspaceState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * Whether an action that changes or runs something may start. Its command stays available in an untrusted folder: VS
 * Code would hide it without a reason, while the text explains why it is off and what to do.
 */
export async function isTrustedElse(text: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = l10n.t('Manage Workspace Trust');
  const choice = await vscode.window.showInformationMessage(text, manage);
  if (choice === manage) await vscode.commands.executeCommand(BuiltIn.manageTrust);
  return false;
}
