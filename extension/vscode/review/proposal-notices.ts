import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withoutLinks } from '../base/escape-ui-text.ts';

/** What the user had made of a proposal does not fit the new one. Without a diff that shows it there is nothing to undo. */
export async function tellNotKept(label: string, text: string, isShown: boolean): Promise<void> {
  const copy = l10n.t('Copy Your Text');
  const what = l10n.t('{0} has changed, and your edits of the proposal no longer apply.', label);
  const next = isShown ? l10n.t('Undo in the diff restores your text.') : l10n.t('The diff shows the new proposal.');
  const choice = await vscode.window.showWarningMessage(withoutLinks(`${what} ${next}`), copy);
  if (choice === copy) await vscode.env.clipboard.writeText(text);
}
