import * as vscode from 'vscode';
import type { EditorLocation, EditorProblem, EditorSymbol } from '../../ports/editor.ts';

/** Commands return undefined if no provider is responsible. */
export type DefinitionAnswer = readonly (vscode.Location | vscode.LocationLink)[] | undefined;
export type SymbolAnswer = readonly (vscode.SymbolInformation | vscode.DocumentSymbol)[] | undefined;

/** Includes files on disk only: archives, virtual documents and notebooks have no path. */
export function locationsOf(answer: DefinitionAnswer): readonly EditorLocation[] {
  return (answer ?? []).flatMap((found) =>
    'targetUri' in found
      ? locate(found.targetUri, found.targetSelectionRange ?? found.targetRange)
      : locate(found.uri, found.range),
  );
}

export function problemsOf(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): readonly EditorProblem[] {
  return diagnostics.flatMap((diagnostic) =>
    locate(uri, diagnostic.range).map((location) => ({
      ...location,
      severity: SEVERITIES[diagnostic.severity],
      message: diagnostic.message,
      ...(diagnostic.source ? { source: diagnostic.source } : {}),
      ...codeOf(diagnostic),
    })),
  );
}

/** `path` is the requested file, because outlines do not contain it. */
export function symbolsOf(answer: SymbolAnswer, path = ''): readonly EditorSymbol[] {
  return (answer ?? []).flatMap((symbol) =>
    'selectionRange' in symbol
      ? outlineOf(symbol, vscode.Uri.file(path), '')
      : locate(symbol.location.uri, symbol.location.range).map((location) => ({
          ...location,
          ...named(symbol, symbol.containerName),
        })),
  );
}

function outlineOf(symbol: vscode.DocumentSymbol, uri: vscode.Uri, container: string): readonly EditorSymbol[] {
  const inside = container === '' ? symbol.name : `${container}.${symbol.name}`;
  return [
    ...locate(uri, symbol.selectionRange).map((location) => ({ ...location, ...named(symbol, container) })),
    ...symbol.children.flatMap((child) => outlineOf(child, uri, inside)),
  ];
}

function named(
  { name, kind }: Pick<vscode.DocumentSymbol, 'name' | 'kind'>,
  container: string,
): Pick<EditorSymbol, 'name' | 'kind' | 'container'> {
  // "EnumMember" reads as "enum member".
  const words = (vscode.SymbolKind[kind] ?? 'symbol').replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return { name, kind: words, ...(container ? { container } : {}) };
}

/** Returns a list with one location, or an empty list if the URI is not a file on disk. */
function locate(uri: vscode.Uri, range: vscode.Range): readonly EditorLocation[] {
  if (uri.scheme !== 'file') return [];
  const { start, end } = range;
  return [
    {
      path: uri.fsPath,
      line: start.line + 1,
      column: start.character + 1,
      endLine: end.line + 1,
      endColumn: end.character + 1,
    },
  ];
}

function codeOf({ code }: vscode.Diagnostic): { readonly code?: string } {
  const value = typeof code === 'object' ? code.value : code;
  return value === undefined ? {} : { code: String(value) };
}

const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, EditorProblem['severity']>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};
