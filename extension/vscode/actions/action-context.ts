import * as vscode from 'vscode';
import type { NewAttachment } from '../context/attachments.ts';
import { problemAttachment } from '../context/problem-attachment.ts';
import { lineRangeOf, placeOf } from '../editor/place.ts';
import { problemList } from '../git/action-texts.ts';

/** The name of a file for use in a sentence. */
export function nameInSentence(uri: vscode.Uri): string {
  const { label, path } = placeOf(uri);
  return path ?? label;
}

export function fileAttachment(uri: vscode.Uri): NewAttachment {
  return { kind: 'file', ...placeOf(uri), content: { uri } };
}

/** Attaches whole lines, because partial lines are hard to read. */
export function selectionAttachment(document: vscode.TextDocument, selection: vscode.Range): NewAttachment {
  const lines = lineRangeOf(selection);
  const whole = new vscode.Range(lines.startLine - 1, 0, lines.endLine - 1, Number.MAX_SAFE_INTEGER);
  const content = { text: document.getText(document.validateRange(whole)) };
  return { kind: 'selection', ...placeOf(document.uri, lines), ...lines, content };
}

/** Combines all problems into one attachment. */
export async function problemsAttachment(
  uri: vscode.Uri,
  problems: readonly vscode.Diagnostic[],
): Promise<NewAttachment> {
  const each = await Promise.all(problems.map((problem) => problemAttachment(uri, problem)));
  const [only, another] = each;
  if (only && !another) return only;
  const { label, path } = placeOf(uri);
  const texts = each.map(({ content }) => ('text' in content ? content.text : ''));
  return {
    kind: 'problem',
    label: `${problems.length} problems in ${label}`,
    ...(path !== undefined && { path }),
    content: { text: problemList(texts) },
  };
}

/** All problems within a range. For a whole file, errors and warnings only: hints are for users who ask for them. */
export function problemsIn(uri: vscode.Uri, within?: vscode.Range): readonly vscode.Diagnostic[] {
  const all = vscode.languages.getDiagnostics(uri);
  if (within) return all.filter(({ range }) => within.intersection(range) !== undefined);
  return all.filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
}
