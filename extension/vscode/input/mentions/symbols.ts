import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { EditorPort, EditorSymbol } from '../../../ports/editor.ts';
import type { NewAttachment } from '../../context/attachments.ts';
import { vscodeEditor } from '../../editor/editor-port.ts';
import { placeOf } from '../../editor/place.ts';
import { fuzzyMatch } from '../../suggestions/fuzzy.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';

const SHOWN = 5;
/** For shorter queries, language servers list half of the symbols they know. */
const SHORTEST = 2;
/** A later answer would arrive after the user has continued typing. */
const LIMIT_MS = 3000;

/** The workspace symbols that language extensions provide. */
export class Symbols implements MentionSource {
  readonly title = l10n.t('Symbols');
  readonly isSlow = true;

  constructor(private readonly editor: EditorPort = vscodeEditor(LIMIT_MS)) {}

  async search(query: string, signal: AbortSignal): Promise<readonly Mention[]> {
    if (query.length < SHORTEST || query.includes('/')) return [];
    const found = await this.editor.symbols(query, undefined, signal);
    const fitting = found.flatMap((symbol) => {
      const match = fuzzyMatch(query, symbol.name);
      const { path } = placeOf(vscode.Uri.file(symbol.path));
      return match && path !== undefined ? [{ symbol, match, path }] : [];
    });
    fitting.sort((left, right) => right.match.score - left.match.score);
    return fitting.slice(0, SHOWN).map(({ symbol, match, path }) => ({
      icon: 'symbol',
      label: symbol.name,
      marks: match.positions,
      detail: `${path}:${symbol.line}`,
      name: symbol.name,
      attach: () => this.attach(symbol),
    }));
  }

  /** Attaches the whole symbol: for some languages, workspace symbols only contain the position of the name. */
  private async attach(symbol: EditorSymbol): Promise<NewAttachment> {
    const uri = vscode.Uri.file(symbol.path);
    const document = await vscode.workspace.openTextDocument(uri);
    const at = new vscode.Position(symbol.line - 1, symbol.column - 1);
    const outline = await vscode.commands.executeCommand<
      (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
    >('vscode.executeDocumentSymbolProvider', uri);
    const range = wholeOf(outline ?? [], at, symbol.name);
    const startLine = (range?.start.line ?? symbol.line - 1) + 1;
    const endLine = (range?.end.line ?? symbol.endLine - 1) + 1;
    const lines = new vscode.Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER);
    const { path } = placeOf(uri, { startLine, endLine });
    return {
      kind: 'selection',
      label: symbol.name,
      ...(path !== undefined && { path }),
      startLine,
      endLine,
      content: { text: document.getText(document.validateRange(lines)) },
    };
  }
}

/** Finds the smallest symbol of the outline that has this name and contains the position. */
function wholeOf(
  outline: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  at: vscode.Position,
  name: string,
): vscode.Range | undefined {
  for (const symbol of outline) {
    const range = 'location' in symbol ? symbol.location.range : symbol.range;
    if (!range.contains(at)) continue;
    const inside = 'children' in symbol ? wholeOf(symbol.children, at, name) : undefined;
    if (inside) return inside;
    // Some language extensions include the arguments in the name.
    if (symbol.name.startsWith(name) || name.startsWith(symbol.name)) return range;
  }
  return undefined;
}
