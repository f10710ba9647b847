import * as vscode from 'vscode';
import { errorText } from '../../base/errors.ts';
import type { EditorPort, EditorPosition } from '../../ports/editor.ts';
import { answerWithin } from '../base/answer-within.ts';
import { type DefinitionAnswer, locationsOf, problemsOf, type SymbolAnswer, symbolsOf } from './editor-answers.ts';
import { openEditors } from './open-editors.ts';
import { renamedFiles } from './renamed-files.ts';
import { problemsSettled } from './settled-problems.ts';

/** Language servers that are still indexing take seconds; one that takes longer hangs. */
const ANSWER_LIMIT_MS = 10_000;

/** What VS Code's language extensions know about the files on disk. */
export function vscodeEditor(limitMs = ANSWER_LIMIT_MS): EditorPort {
  /** Opening the document, unseen, is what makes language extensions look at it. */
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
