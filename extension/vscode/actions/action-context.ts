import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Attachment } from '../../protocol/attachment.ts';
import type { ContentPart } from '../../protocol/content-part.ts';
import { attachmentPart } from '../../protocol/reference.ts';
import { fileLabel } from '../context/labels.ts';
import { problemsOf } from '../editor-answers.ts';
import { type ListedProblem, problemsLabel, problemsText } from './action-texts.ts';

/** Relative to its workspace folder; with several folders, with the folder's name. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'untitled' ? uri.path : vscode.workspace.asRelativePath(uri);
}

export function filePart(document: vscode.TextDocument): ContentPart {
  const path = pathOf(document.uri);
  return part({ kind: 'file', label: fileLabel(path), path }, document.getText(), document.uri);
}

/** Whole lines: half of one is hard to read. */
export function selectionPart(document: vscode.TextDocument, selection: vscode.Range): ContentPart {
  const path = pathOf(document.uri);
  const { start, end } = selection;
  // A selection that ends before the first character of a line does not have that line.
  const lastLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const range = { startLine: start.line + 1, endLine: lastLine + 1 };
  const text = document.getText(new vscode.Range(start.line, 0, lastLine, Number.MAX_SAFE_INTEGER));
  return part({ kind: 'selection', label: fileLabel(path, range), path, ...range }, text, document.uri);
}

export function problemsPart(document: vscode.TextDocument, problems: readonly ListedProblem[]): ContentPart {
  const path = pathOf(document.uri);
  const [first] = problems;
  const place = problems.length === 1 && first ? { startLine: first.startLine, endLine: first.endLine } : {};
  const text = problemsText(problems, document.getText().split(/\r?\n/));
  return part({ kind: 'problem', label: problemsLabel(path, problems), path, ...place }, text, document.uri);
}

export function changesPart(label: string, text: string): ContentPart {
  return part({ kind: 'changes', label }, text);
}

/** Errors and warnings; what is merely a hint is left to those who ask for it. */
export function problemsIn(uri: vscode.Uri, within?: vscode.Range): readonly ListedProblem[] {
  const found = vscode.languages.getDiagnostics(uri).filter(({ range, severity }) => {
    return within ? within.intersection(range) !== undefined : severity <= vscode.DiagnosticSeverity.Warning;
  });
  return problemsOf(uri, found).map(({ line, endLine, path: _, column: _c, endColumn: _e, ...problem }) => ({
    ...problem,
    startLine: line,
    endLine,
  }));
}

function part(attachment: Omit<Attachment, 'id'>, text: string, uri?: vscode.Uri): ContentPart {
  return attachmentPart({ id: randomUUID(), ...attachment }, text, uri?.toString());
}
