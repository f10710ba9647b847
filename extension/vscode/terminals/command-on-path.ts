import { delimiter, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addsToPath, changesSettings } from '../settings.ts';

/** Startup files of a shell may overwrite PATH, so it is changed again after them. */
const BEFORE_AND_AFTER_STARTUP = { applyAtProcessCreation: true, applyAtShellIntegration: true };

/**
 * Adds the command `gantry` to the terminals of VS Code, unless the user turned it off. VS Code persists this for later
 * windows, so it is set with each activation: an update changes both paths.
 */
export function putCommandOnPath(context: vscode.ExtensionContext): vscode.Disposable {
  const { environmentVariableCollection: variables, extensionPath } = context;
  const update = (): void => {
    if (!addsToPath()) {
      variables.clear();
      return;
    }
    variables.description = l10n.t('Adds the command "gantry".');
    variables.prepend('PATH', `${join(extensionPath, 'dist', 'assets', 'bin')}${delimiter}`, BEFORE_AND_AFTER_STARTUP);
    // Node may not be installed, so this names the one that runs the extension host.
    variables.replace('GANTRY_NODE', process.execPath);
  };
  update();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (changesSettings(event)) update();
  });
}
