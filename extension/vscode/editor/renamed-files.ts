import * as vscode from 'vscode';
import type { RenameOutcome } from '../../ports/editor.ts';

/** What a rename would make of each file, worked out on the text the editor has. Nothing is changed. */
export async function renamedFiles(edit: vscode.WorkspaceEdit | undefined): Promise<RenameOutcome> {
  if (edit !== undefined && doesMoreThanText(edit)) {
    return { problem: 'It would also create, move or delete files, which is not supported.' };
  }
  if (edit === undefined || edit.size === 0) return { problem: 'The editor cannot rename what is there.' };
  const files: { path: string; before: string; after: string }[] = [];
  for (const [uri, edits] of edit.entries()) {
    if (uri.scheme !== 'file')
      return { problem: `It would change ${uri.scheme}: documents, which are not files on disk.` };
    const document = await vscode.workspace.openTextDocument(uri);
    const after = withEdits(document, edits);
    if (after === undefined) return { problem: `Its changes to ${uri.fsPath} overlap.` };
    files.push({ path: uri.fsPath, before: document.getText(), after });
  }
  return { files };
}

/**
 * `entries()` has the text edits only, and nothing public has the others. Where a VS Code no longer has this method,
 * renaming goes by the text edits alone.
 */
function doesMoreThanText(edit: vscode.WorkspaceEdit): boolean {
  const allEntries: unknown = Reflect.get(edit, '_allEntries');
  if (typeof allEntries !== 'function') return false;
  const all: unknown = allEntries.call(edit);
  const texts = edit.entries().reduce((count, [, edits]) => count + edits.length, 0);
  return Array.isArray(all) && all.length !== texts;
}

function withEdits(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string | undefined {
  const text = document.getText();
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const spans = edits
    .map(({ range, newText }) => ({
      start: document.offsetAt(range.start),
      end: document.offsetAt(range.end),
      text: newText.replace(/\r\n|\r|\n/g, lineEnd),
    }))
    .sort((left, right) => left.start - right.start || left.end - right.end);
  let after = '';
  let done = 0;
  for (const span of spans) {
    if (span.start < done) return undefined;
    after += text.slice(done, span.start) + span.text;
    done = span.end;
  }
  return after + text.slice(done);
}
