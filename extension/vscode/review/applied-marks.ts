import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import type { AppliedChanges } from './applied-changes.ts';
import type { Hunk } from './hunks.ts';

/** Marks changes that are pending review: files in the Explorer and in tabs, lines in editors. */
export class AppliedMarks extends Disposable implements vscode.FileDecorationProvider {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri[]>());
  private readonly lines = this.register(vscode.window.createTextEditorDecorationType(CHANGED));
  private readonly gaps = this.register(vscode.window.createTextEditorDecorationType(REMOVED));
  private marked: ReadonlyMap<string, vscode.Uri> = new Map();

  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly applied: AppliedChanges) {
    super();
    this.register(vscode.window.registerFileDecorationProvider(this));
    this.register(applied.onDidChange(() => this.update()));
    this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.markLines()));
    this.update();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return this.marked.has(uri.toString())
      ? { badge: 'Δ', tooltip: l10n.t('Changed by Gantry, not reviewed yet') }
      : undefined;
  }

  private update(): void {
    const before = this.marked;
    const files = this.applied.items.map(({ path }) => vscode.Uri.file(path));
    this.marked = new Map(files.map((uri) => [uri.toString(), uri]));
    const touched = [...before, ...this.marked].filter(([key]) => before.has(key) !== this.marked.has(key));
    if (touched.length > 0) this.changed.fire(touched.map(([, uri]) => uri));
    this.markLines();
  }

  private markLines(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme !== 'file') continue;
      const hunks = isInDiff(editor) ? [] : (this.applied.hunksAt(editor.document.uri) ?? []);
      const isGap = ({ start, end }: Hunk): boolean => start === end;
      editor.setDecorations(this.lines, hunks.filter((hunk) => !isGap(hunk)).map(rangeOf));
      editor.setDecorations(
        this.gaps,
        hunks.filter(isGap).map((hunk) => gapIn(editor.document, hunk)),
      );
    }
  }
}

/** A diff editor has its own marks. */
function isInDiff({ viewColumn }: vscode.TextEditor): boolean {
  const group = vscode.window.tabGroups.all.find((other) => other.viewColumn === viewColumn);
  return !(group?.activeTab?.input instanceof vscode.TabInputText);
}

/** High contrast themes have a border instead of a background color. */
const CHANGED: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
  borderStyle: 'dashed',
  borderWidth: '1px',
  borderColor: new vscode.ThemeColor('diffEditor.insertedTextBorder'),
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
  overviewRulerLane: vscode.OverviewRulerLane.Left,
};

const REMOVED: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  borderStyle: 'dashed',
  borderWidth: '1px 0 0 0',
  borderColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
  overviewRulerLane: vscode.OverviewRulerLane.Left,
};

function rangeOf({ start, end }: Hunk): vscode.Range {
  return new vscode.Range(start, 0, Math.max(start, end - 1), 0);
}

/** The line after the removed lines, or the last line if they were at the end. */
function gapIn({ lineCount }: vscode.TextDocument, { start }: Hunk): vscode.Range {
  const line = Math.min(start, lineCount - 1);
  return new vscode.Range(line, 0, line, 0);
}
