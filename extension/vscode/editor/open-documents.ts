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

/** The editor knows a file by the path it was opened with, which may lead through links. */
export function findDocument(path: string): vscode.TextDocument | undefined {
  const wanted = vscode.Uri.file(path).toString();
  const open = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
  const named = open.find(({ uri }) => uri.toString() === wanted);
  if (named !== undefined) return named;
  const real = realPath(path);
  return real === undefined ? undefined : open.find(({ uri }) => realPath(uri.fsPath) === real);
}

/** Undefined for a file that is not there. */
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
  // What was typed while it was being saved is not taken away with the text that was to be saved.
  await setText(document, text, expected);
  return 'not_saved';
}

/** Unsaved. False when the document has another text than expected: the user typed meanwhile. */
export async function setText(document: vscode.TextDocument, expected: string, text: string): Promise<boolean> {
  const outcome = await whileBusy(async () => {
    if (document.isClosed || document.getText() !== expected) return false;
    return (await applyText(document, text)) || undefined;
  });
  return outcome === true;
}

/** Unsaved. False when VS Code has another version of the document than we know of, be it with the same text. */
export async function applyText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const before = document.getText();
  if (before === text) return true;
  const span = changedSpan(before, text);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
  edit.replace(document.uri, range, span.text);
  return vscode.workspace.applyEdit(edit);
}

/** What formatters make of the text while saving is the user's wish. VS Code itself tells the user why a save failed. */
async function save(document: vscode.TextDocument): Promise<boolean> {
  if (!document.isDirty) return true;
  try {
    const before = document.getText();
    // It says false as well when somebody else has saved it meanwhile, such as VS Code by itself. Another text that is not
    // dirty may be what was there before: somebody took the edit back.
    return (await document.save()) || (!document.isDirty && document.getText() === before);
  } catch {
    return false;
  }
}
