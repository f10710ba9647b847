import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { OpenDocument } from '../../ports/workspace.ts';
import { changedSpan, whileBusy } from './document-edit.ts';

export function unsavedText(path: string): string | undefined {
  const document = findDocument(path);
  return document?.isDirty ? document.getText() : undefined;
}

export function openDocument(path: string): OpenDocument | undefined {
  const document = findDocument(path);
  return (
    document && {
      get text() {
        return document.getText();
      },
      get isDirty() {
        return document.isDirty;
      },
      encode: async (text) => vscode.workspace.encode(text, { encoding: document.encoding }),
      replace: (expected, text) => replace(document, expected, text),
    }
  );
}

/** Finds an open document. VS Code knows it by the path it was opened with, which may contain symbolic links. */
export function findDocument(path: string): vscode.TextDocument | undefined {
  const wanted = vscode.Uri.file(path).toString();
  const open = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
  const named = open.find(({ uri }) => uri.toString() === wanted);
  if (named !== undefined) return named;
  const real = realPath(path);
  return real === undefined ? undefined : open.find(({ uri }) => realPath(uri.fsPath) === real);
}

/** Returns undefined if the file does not exist. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

async function replace(
  document: vscode.TextDocument,
  expected: string,
  text: string,
): Promise<'saved' | 'stale' | 'not_saved'> {
  if (!(await setText(document, expected, text))) return 'stale';
  if (await save(document)) return 'saved';
  // Restores the text, unless the user typed during the save: `setText` then changes nothing.
  await setText(document, text, expected);
  return 'not_saved';
}

/** Changes the document without saving it. Returns false if its text is not as expected, because the user typed. */
export async function setText(document: vscode.TextDocument, expected: string, text: string): Promise<boolean> {
  const outcome = await whileBusy(async () => {
    if (document.isClosed || document.getText() !== expected) return false;
    return (await applyText(document, text)) || undefined;
  });
  return outcome === true;
}

/** Changes the document without saving it. Returns false if VS Code has another version, even with the same text. */
export async function applyText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const before = document.getText();
  if (before === text) return true;
  const span = changedSpan(before, text);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
  edit.replace(document.uri, range, span.text);
  return vscode.workspace.applyEdit(edit);
}

/** Accepts what formatters change on save, because the user wants it. VS Code itself reports why a save failed. */
async function save(document: vscode.TextDocument): Promise<boolean> {
  if (!document.isDirty) return true;
  try {
    const before = document.getText();
    // `save` also returns false if the document was saved meanwhile, for example by auto save. If it is not dirty but
    // has another text, the edit may have been undone.
    return (await document.save()) || (!document.isDirty && document.getText() === before);
  } catch {
    return false;
  }
}
