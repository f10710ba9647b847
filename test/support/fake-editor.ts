import type { EditorPort, EditorProblem, EditorSymbol, OpenEditor } from '../../extension/ports/editor.ts';
import type { OpenDocument } from '../../extension/ports/workspace.ts';

/** An editor that knows only what a test provides. VS Code's editor is tested in VS Code. */
export function fakeEditor(knows: Partial<EditorPort> = {}): EditorPort {
  return {
    problems: () => [],
    problemsAfterChange: () => Promise.resolve([]),
    symbols: () => Promise.resolve([]),
    definitions: () => Promise.resolve([]),
    references: () => Promise.resolve([]),
    rename: () => Promise.resolve({ problem: 'The editor cannot rename what is there.' }),
    openEditors: () => [],
    ...knows,
  };
}

/** A location of one character. */
export function place<Path extends string>(
  path: Path,
  line: number,
  column: number,
): { path: Path; line: number; column: number; endLine: number; endColumn: number } {
  return { path, line, column, endLine: line, endColumn: column + 1 };
}

export function problem(path: string, line: number, changes: Partial<EditorProblem> = {}): EditorProblem {
  return { ...place(path, line, 1), severity: 'error', message: 'Wrong', ...changes };
}

export function symbol(path: string, line: number, changes: Partial<EditorSymbol> = {}): EditorSymbol {
  return { ...place(path, line, 1), name: 'thing', kind: 'function', ...changes };
}

export function openEditor(path: string, changes: Partial<OpenEditor> = {}): OpenEditor {
  return { path, isActive: false, isDirty: false, isVisible: false, ...changes };
}

/** A document in its own encoding, in which each character is one byte. */
export function latin1Document(text: string): OpenDocument {
  return {
    text,
    isDirty: false,
    encode: (content) => Promise.resolve(Buffer.from(content, 'latin1')),
    replace: () => Promise.reject(new Error('Tools change files with writeFile.')),
  };
}
