import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** All texts from here on are in the language of VS Code, if there is a translation; else in English. */
export function useDisplayLanguage(): void {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
}
