import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Uses the display language of VS Code for all texts from here on. Without a translation, they are in English. */
export function useDisplayLanguage(): void {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
}
