import * as vscode from 'vscode';
import { errorText } from '../../base/errors.ts';
import type { EditorPort, EditorPosition, RenameOutcome } from '../../ports/editor.ts';
import { type DefinitionAnswer, locationsOf, problemsOf, type SymbolAnswer, symbolsOf } from './editor-answers.ts';
import { openEditors } from './open-editors.ts';

/** Language servers that are still indexing take seconds; one that takes longer hangs. */
const ANSWER_LIMIT_MS = 10_000;

/** Gives access to what VS Code's language extensions know about the files on disk. */
export function vscodeEditor(limitMs = ANSWER_LIMIT_MS): EditorPort {
  /** Opens the document without showing it, because language extensions analyze open documents only. */
  const ask = <T>(path: string, signal: AbortSignal, work: (uri: vscode.Uri) => Thenable<T>): Promise<T> =>
    answerWithin(limitMs, signal, async () => {
      const uri = vscode.Uri.file(path);
      await vscode.workspace.openTextDocument(uri);
      return work(uri);
    });

  return {
    problems,
    problemsAfterChange: async (path, waitMs, signal) => {
      await problemsSettled(vscode.Uri.file(path), waitMs, signal);
      return problems(path);
    },
    symbols: async (query, path, signal) => {
      if (path === undefined) {
        const run = (): Thenable<SymbolAnswer> =>
          vscode.commands.executeCommand<SymbolAnswer>('vscode.executeWorkspaceSymbolProvider', query);
        return symbolsOf(await answerWithin(limitMs, signal, run));
      }
      const found = await ask(path, signal, (uri) =>
        vscode.commands.executeCommand<SymbolAnswer>('vscode.executeDocumentSymbolProvider', uri),
      );
      const wanted = query.toLowerCase();
      return symbolsOf(found, path).filter(({ name }) => name.toLowerCase().includes(wanted));
    },
    definitions: async (at, signal) => {
      const found = await ask(at.path, signal, (uri) =>
        vscode.commands.executeCommand<DefinitionAnswer>('vscode.executeDefinitionProvider', uri, positionOf(at)),
      );
      return locationsOf(found);
    },
    references: async (at, signal) => {
      const found = await ask(at.path, signal, (uri) =>
        vscode.commands.executeCommand<DefinitionAnswer>('vscode.executeReferenceProvider', uri, positionOf(at)),
      );
      return locationsOf(found);
    },
    rename: async (at, newName, signal) => {
      try {
        const run = (uri: vscode.Uri): Thenable<vscode.WorkspaceEdit | undefined> =>
          vscode.commands.executeCommand('vscode.executeDocumentRenameProvider', uri, positionOf(at), newName);
        const edit = await ask(at.path, signal, run);
        return await answerWithin(limitMs, signal, () => renamedFiles(edit));
      } catch (error) {
        signal.throwIfAborted();
        // Providers refuse by throwing: "You cannot rename this element."
        return { problem: errorText(error) };
      }
    },
    openEditors,
  };
}

function problems(path?: string): ReturnType<EditorPort['problems']> {
  if (path === undefined) return vscode.languages.getDiagnostics().flatMap(([uri, found]) => problemsOf(uri, found));
  const uri = vscode.Uri.file(path);
  return problemsOf(uri, vscode.languages.getDiagnostics(uri));
}

function positionOf({ line, column }: EditorPosition): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}

/** Language extensions publish in steps (syntax, then types). They are done after this long without a further step. */
const QUIET_MS = 300;

/**
 * Waits until the problems of a file have changed and are stable, at most for the given time. If the problems stay the
 * same, this takes the whole time. Never fails.
 */
function problemsSettled(uri: vscode.Uri, limitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    let quiet: NodeJS.Timeout | undefined;
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      listener.dispose();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const limit = setTimeout(finish, limitMs);
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((changed) => changed.toString() === uri.toString())) return;
      clearTimeout(quiet);
      quiet = setTimeout(finish, QUIET_MS);
    });
    signal.addEventListener('abort', finish, { once: true });
    // Language extensions do not analyze a file that cannot be opened as text.
    vscode.workspace.openTextDocument(uri).then(undefined, finish);
  });
}

/** Computes the result of a rename for each file, based on the text in the editor. Changes nothing. */
async function renamedFiles(edit: vscode.WorkspaceEdit | undefined): Promise<RenameOutcome> {
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
 * `entries()` contains only the text edits, and no public API contains the others. If a version of VS Code lacks this
 * method, renaming considers the text edits only.
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

/** Rejects on a timeout or an abort, so that a hanging language server blocks nothing. */
async function answerWithin<T>(limitMs: number, signal: AbortSignal, work: () => PromiseLike<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const late = (): void => reject(new Error(`The editor's language support did not answer in ${limitMs / 1000} s.`));
    const timer = setTimeout(late, limitMs);
    signal.addEventListener('abort', abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([work(), givenUp]);
  } finally {
    stop();
  }
}
