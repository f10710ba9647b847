import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ProblemError, problemText } from '../../protocol/agent/problem.ts';
import { Disposable } from '../base/disposable.ts';
import { BuiltIn } from '../names.ts';
import { FirstSeen, SETTLE_MS } from './first-seen.ts';
import { hunkAt, hunkBeside } from './hunks.ts';
import { changedMeanwhile, isOtherVersion } from './item-version.ts';
import type { ReviewHunk, ReviewItem, ReviewSource } from './review-source.ts';

/** A document with a pending change, and the source of the change. */
export interface ReviewedFile {
  readonly source: ReviewSource;
  readonly item: ReviewItem;
  readonly document: vscode.TextDocument;
}

/** All pending changes, from all sources. */
export class Reviews extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  /** When a document was first seen, by its address. */
  private readonly seen = new Map<string, number>();
  private readonly arrivals = new FirstSeen();
  /** When everything was last decided at once. */
  private decidedAll = 0;

  readonly onDidChange = this.changed.event;

  constructor(private readonly sources: readonly ReviewSource[]) {
    super();
    for (const source of sources) this.register(source.onDidChange(() => this.listChanged()));
    this.noteItems();
    this.register(vscode.window.onDidChangeVisibleTextEditors((editors) => this.note(editors)));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.seen.delete(uri.toString())));
  }

  get items(): readonly ReviewItem[] {
    return this.sources.flatMap(({ items }) => items);
  }

  find(document: vscode.TextDocument): ReviewedFile | undefined {
    for (const source of this.sources) {
      const item = source.itemOf(document);
      if (item) return { source, item, document };
    }
    return undefined;
  }

  /** The reviewed file at this address, or else in the active editor. */
  at(uri: vscode.Uri | undefined): ReviewedFile | undefined {
    const key = uri?.toString();
    const document =
      key === undefined
        ? vscode.window.activeTextEditor?.document
        : vscode.workspace.textDocuments.find((other) => other.uri.toString() === key);
    return document && this.find(document);
  }

  hunksOf({ source, document }: ReviewedFile): readonly ReviewHunk[] {
    return source.hunksOf(document);
  }

  outcomeOf(document: vscode.TextDocument): string | undefined {
    return this.sources.map((source) => source.outcomeOf?.(document)).find((outcome) => outcome !== undefined);
  }

  async decide(uri: vscode.Uri | undefined, verdict: 'accept' | 'reject'): Promise<void> {
    const reviewed = this.at(uri);
    if (!reviewed) return this.choose();
    if (this.isSettling(reviewed)) return;
    await reviewed.source[verdict](reviewed.item.id);
  }

  /**
   * Decides all changes; one that fails does not prevent the others. Without `ids`, only decides changes that were
   * listed long enough to be seen: the agent may ask the next question between the two clicks of a double click.
   */
  async decideAll(verdict: 'accept' | 'reject', ids?: readonly string[]): Promise<void> {
    const failures: unknown[] = [];
    const meant = ids === undefined ? this.settledNow() : this.waiting().filter(({ item }) => ids.includes(item.id));
    for (const { source, item } of meant) {
      // Rejecting one change may have ended others.
      if (!source.items.some(({ id }) => id === item.id)) continue;
      await source[verdict](item.id).catch((error: unknown) => failures.push(error));
    }
    if ((ids ?? []).some((id) => this.isOutdated(id))) failures.push(new ProblemError(changedMeanwhile()));
    if (failures.length > 0) throw severalFailed(failures);
  }

  /** Decides an item of the panel's list, as it was when the button was pressed. */
  async decideItem(id: string, verdict: 'accept' | 'reject'): Promise<void> {
    if (this.isOutdated(id)) throw new ProblemError(changedMeanwhile());
    await this.sourceOf(id)?.[verdict](id);
  }

  async open(id: string): Promise<void> {
    const now = this.items.find((item) => isOtherVersion(item.id, id))?.id ?? id;
    await this.sourceOf(now)?.open(now, { preserveFocus: false });
  }

  /** Decides the hunk at a line, or at the cursor. */
  async decideHunk(uri: vscode.Uri | undefined, line: number | undefined, verdict: 'accept' | 'reject'): Promise<void> {
    const reviewed = this.at(uri);
    if (!reviewed || this.isSettling(reviewed)) return;
    const hunk = hunkAt(this.hunksOf(reviewed), line ?? cursorIn(reviewed.document));
    if (!hunk) return;
    const { source, document } = reviewed;
    await (verdict === 'accept' ? source.acceptHunk(document, hunk) : source.rejectHunk(document, hunk));
    // The file has a new text now, but the rest of its change is not new to the user.
    const left = source.itemOf(document);
    if (left?.style === 'applied') this.arrivals.settle(left.id);
  }

  /** Moves to the next or previous hunk without a verdict. */
  goTo(direction: 'next' | 'previous'): void {
    const editor = vscode.window.activeTextEditor;
    const reviewed = editor && this.find(editor.document);
    const hunk = reviewed && hunkBeside(this.hunksOf(reviewed), editor.selection.active.line, direction);
    if (!hunk) return;
    const at = new vscode.Position(Math.min(hunk.start, editor.document.lineCount - 1), 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Shows the pending changes in one editor. Pass `ids` to show only some of them. */
  async choose(ids?: readonly string[]): Promise<void> {
    const meant = this.waiting().filter(({ item }) => ids === undefined || ids.includes(item.id));
    const [first] = meant;
    if (!first) {
      await vscode.window.showInformationMessage(l10n.t('There are no changes to review.'));
      return;
    }
    if (meant.length === 1) return first.source.open(first.item.id, { preserveFocus: false });
    const resources = meant.map(({ source, item }) => {
      const { before, after } = source.sidesOf(item.id);
      return [vscode.Uri.file(item.path), before, after];
    });
    try {
      await vscode.commands.executeCommand(BuiltIn.openChanges, reviewTitle(), resources);
    } catch {
      // Opens the changes one by one, so that each failure is reported.
      for (const { source, item } of meant) await source.open(item.id, { preserveFocus: false });
    }
  }

  private listChanged(): void {
    this.noteItems();
    this.changed.fire();
  }

  private noteItems(): void {
    this.arrivals.note(this.items.map(({ id }) => id));
  }

  /** Returns nothing right after everything was decided. */
  private settledNow(): ReturnType<Reviews['waiting']> {
    if (Date.now() - this.decidedAll < SETTLE_MS) return [];
    const settled = this.waiting().filter(({ item }) => !this.arrivals.isSettling(item.id));
    if (settled.length > 0) this.decidedAll = Date.now();
    return settled;
  }

  private waiting(): { readonly source: ReviewSource; readonly item: ReviewItem }[] {
    return this.sources.flatMap((source) => source.items.map((item) => ({ source, item })));
  }

  private isOutdated(id: string): boolean {
    const { items } = this;
    return !items.some((item) => item.id === id) && items.some((item) => isOtherVersion(item.id, id));
  }

  private sourceOf(id: string): ReviewSource | undefined {
    return this.waiting().find(({ item }) => item.id === id)?.source;
  }

  private note(editors: readonly vscode.TextEditor[]): void {
    for (const { document } of editors) {
      const key = document.uri.toString();
      if (!this.seen.has(key) && this.find(document)) this.seen.set(key, Date.now());
    }
  }

  /** Whether the editor or its change appeared just now. */
  private isSettling({ document, item }: ReviewedFile): boolean {
    if (this.arrivals.isSettling(item.id)) return true;
    return Date.now() - (this.seen.get(document.uri.toString()) ?? 0) < SETTLE_MS;
  }
}

/** The title of the editor with all changed files. */
export const reviewTitle = (): string => l10n.t('Gantry: changes to review');

/** Combines the failures into one problem. */
function severalFailed(failures: readonly unknown[]): unknown {
  const [first] = failures;
  const problems = failures.flatMap((failure) => (ProblemError.is(failure) ? failure.problem : []));
  const [problem] = problems;
  if (!problem || problems.length !== failures.length || problems.length === 1) return first;
  const detail = problems.map(problemText).join(' ');
  return new ProblemError({ ...problem, title: l10n.t('Some changes were not applied'), detail });
}

function cursorIn(document: vscode.TextDocument): number {
  const editor = vscode.window.activeTextEditor;
  return editor?.document === document ? editor.selection.active.line : 0;
}
