import { delimiter, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addsToPath, changesSettings } from '../settings.ts';

/** Startup files of a shell may set PATH from nothing: then it is added once more after them. */
const BEFORE_AND_AFTER_STARTUP = { applyAtProcessCreation: true, applyAtShellIntegration: true };

/**
 * Terminals of VS Code know the command `gantry`, unless the user does not want it. VS Code keeps this for later windows,
 * so it is set with each activation: after an update both folders are others.
 */
export function putCommandOnPath(context: vscode.ExtensionContext): vscode.Disposable {
  const { environmentVariableCollection: variables, extensionPath } = context;
  const update = (): void => {
    if (!addsToPath()) {
      variables.clear();
      return;
    }
    variables.description = l10n.t('Adds the command “gantry”.');
    variables.prepend('PATH', `${join(extensionPath, 'dist', 'assets', 'bin')}${delimiter}`, BEFORE_AND_AFTER_STARTUP);
    // Not every machine has a Node of its own: the one that runs extensions is there.
    variables.replace('GANTRY_NODE', process.execPath);
  };
  update();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (changesSettings(event)) update();
  });
}
