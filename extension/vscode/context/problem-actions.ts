import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Commands } from '../names.ts';

/** l10n.t("Add to Gantry chat") among the quick fixes of a problem: in the editor, its hover and the list of problems. */
export function offerProblems(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { scheme: '*' },
    {
      provideCodeActions: ({ uri }, _range, { diagnostics }) =>
        diagnostics.map((diagnostic) => {
          const action = new vscode.CodeAction(l10n.t('Add to Gantry chat'), vscode.CodeActionKind.QuickFix);
          action.diagnostics = [diagnostic];
          action.command = { title: action.title, command: Commands.addProblem, arguments: [uri, diagnostic] };
          return action;
        }),
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}
