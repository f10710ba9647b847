import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withoutIcons } from '../base/escape-ui-text.ts';
import { lineRangeOf, placeOf } from '../editor/place.ts';
import type { NewAttachment } from './attachments.ts';
import { diagnosticText, shortMessage } from './problem-text.ts';

export async function problemAttachment(uri: vscode.Uri, diagnostic: vscode.Diagnostic): Promise<NewAttachment> {
  const { message, severity, source, code, range } = diagnostic;
  const { startLine, endLine } = lineRangeOf(range);
  const { label, path } = placeOf(uri, { startLine, endLine: startLine });
  const document = await vscode.workspace.openTextDocument(uri);
  const by = [source, typeof code === 'object' ? code.value : code].filter((word) => word !== undefined).join(' ');
  const problem = { severity: severityOf(severity), message, by, line: startLine, endLine };
  return {
    kind: 'problem',
    label: `${label} ${shortMessage(message)}`,
    ...(path !== undefined && { path }),
    startLine,
    endLine,
    content: { text: diagnosticText(problem, document.getText().split(/\r\n|\r|\n/)) },
  };
}

/** Finds problems at the cursor, or else in the file. The user chooses if there are several. */
export async function pickProblem(editor: vscode.TextEditor): Promise<vscode.Diagnostic | undefined> {
  const all = vscode.languages.getDiagnostics(editor.document.uri);
  const here = all.filter(({ range }) => range.intersection(editor.selection) !== undefined);
  const found = here.length > 0 ? here : all;
  if (found.length < 2) return found[0];
  const items = [...found].sort(bySeverity).map((diagnostic) => ({
    label: withoutIcons(shortMessage(diagnostic.message)),
    description: placeText(diagnostic),
    diagnostic,
  }));
  const picked = await vscode.window.showQuickPick(items, { title: l10n.t('Gantry: Add Problem to Chat') });
  return picked?.diagnostic;
}

function placeText({ severity, range }: vscode.Diagnostic): string {
  const line = range.start.line + 1;
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return l10n.t('error, line {0}', line);
    case vscode.DiagnosticSeverity.Warning:
      return l10n.t('warning, line {0}', line);
    case vscode.DiagnosticSeverity.Information:
      return l10n.t('information, line {0}', line);
    default:
      return l10n.t('hint, line {0}', line);
  }
}

function bySeverity(left: vscode.Diagnostic, right: vscode.Diagnostic): number {
  return left.severity - right.severity || left.range.start.line - right.range.start.line;
}

function severityOf(severity: vscode.DiagnosticSeverity): string {
  return (vscode.DiagnosticSeverity[severity] ?? 'problem').toLowerCase();
}
