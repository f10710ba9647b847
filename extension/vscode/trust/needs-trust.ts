import * as vscode from 'vscode';
import { BuiltIn } from '../names.ts';

/**
 * Whether something that changes or runs anything may begin. Its command is on offer in an untrusted folder too: VS Code
 * would leave it out without a word, and this says why not and what to do.
 */
export async function isTrustedFor(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = 'Manage Workspace Trust';
  const text = `${what} is off: this folder is not trusted, so Gantry can only read it.`;
  const choice = await vscode.window.showInformationMessage(text, manage);
  if (choice === manage) await vscode.commands.executeCommand(BuiltIn.manageTrust);
  return false;
}
