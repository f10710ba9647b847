import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Commands } from '../names.ts';

/** Adds "Fix with Gantry" and "Explain with Gantry" to a problem's quick fixes, in the editor and the Problems view. */
export function registerCodeActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider([{ scheme: 'file' }, { scheme: 'untitled' }], new QuickFixes(), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}

class QuickFixes implements vscode.CodeActionProvider {
  provideCodeActions(
    { uri }: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics, only }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const [first, ...others] = diagnostics;
    if (!first || (only && !only.intersects(vscode.CodeActionKind.QuickFix))) return [];
    const range = others.reduce((whole, each) => whole.union(each.range), first.range);
    const fix = quickFix(l10n.t('Fix with Gantry'), Commands.fixProblems, [uri, range], diagnostics);
    if (!vscode.workspace.isTrusted) fix.disabled = { reason: l10n.t('Gantry is read-only in Restricted Mode') };
    return [fix, quickFix(l10n.t('Explain with Gantry'), Commands.explainSelection, [uri, range], diagnostics)];
  }
}

function quickFix(
  title: string,
  command: string,
  args: readonly unknown[],
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command, arguments: [...args] };
  action.diagnostics = [...diagnostics];
  return action;
}

/** Adds "Add to Gantry chat" to the quick fixes of a problem: in the editor, its hover and the Problems view. */
export function offerProblems(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { scheme: '*' },
    {
      provideCodeActions: ({ uri }, _range, { diagnostics }) =>
        diagnostics.map((each) => quickFix(l10n.t('Add to Gantry Chat'), Commands.addProblem, [uri, each], [each])),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}
