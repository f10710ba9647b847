import * as vscode from 'vscode';
import { BuiltIn } from '../names.ts';

/**
 * Whether something that changes or runs anything may begin. VS Code leaves a command out of the palette without a word;
 * a key, a menu or a link that gets here says why not.
 */
export async function isTrustedFor(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = 'Manage Workspace Trust';
  const text = `${what} is off: this folder is not trusted, so Gantry can only read it.`;
  const choice = await vscode.window.showInformationMessage(text, manage);
  if (choice === manage) await vscode.commands.executeCommand(BuiltIn.manageTrust);
  return false;
}
