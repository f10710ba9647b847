import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import type { PendingChanges } from '../../runtime/changes/pending-changes.ts';
import { Disposable } from '../base/disposable.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { AppliedFile } from './applied-file.ts';
import { type AppliedView, withSameLineEnds } from './applied-view.ts';
import { BASELINE_SCHEME, BaselineTexts, NO_FILE } from './baseline-texts.ts';
import { type Hunk, withHunkAccepted, withHunkRejected } from './hunks.ts';
import { changedMeanwhile } from './item-version.ts';
import type { ReviewHunk, ReviewItem, ReviewSource } from './review-source.ts';
import { WatchedReviewFiles } from './watched-files.ts';

/** The session that the panel shows. */
type ShownSession = Pick<PanelSession, 'changes' | 'onDidReplace' | 'onDidChangeState'>;

/** "Apply, then review": changes that the session made without asking, compared with what the user last accepted. */
export class AppliedChanges extends Disposable implements ReviewSource {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly baselines = this.register(new BaselineTexts());
  private readonly watched = this.register(new WatchedReviewFiles(() => this.sync()));
  private files: readonly AppliedFile[] = [];
  private changes: PendingChanges | undefined;
  private unsubscribe: () => void = () => undefined;
  private syncing: Promise<void> | undefined;
  private isStale = false;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly session: ShownSession,
    private readonly log: Logger,
  ) {
    super();
    // After a reload, the left side of these tabs is lost.
    void closeUnchanged(tabsOf(BASELINE_SCHEME));
    this.register(session.onDidReplace(() => this.follow()));
    this.register(session.onDidChangeState(() => this.follow()));
    this.register(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.editorChanged(uri)));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.editorChanged(uri)));
    this.register({ dispose: () => this.unsubscribe() });
    this.follow();
  }

  get items(): readonly ReviewItem[] {
    return this.files.map((file) => file.item());
  }

  /** The pending hunks, for marking them. */
  hunksAt(uri: vscode.Uri): readonly Hunk[] | undefined {
    return this.fileAt(uri)?.view().hunks;
  }

  sidesOf(id: string): { readonly before: vscode.Uri; readonly after: vscode.Uri } {
    const { beforeUri, uri, now } = this.require(id);
    // A deleted file has nothing to show.
    return { before: beforeUri, after: now === null ? beforeUri.with({ query: NO_FILE }) : uri };
  }

  itemOf({ uri }: vscode.TextDocument): ReviewItem | undefined {
    return this.itemAt(uri);
  }

  itemAt(uri: vscode.Uri): ReviewItem | undefined {
    return this.fileAt(uri)?.item();
  }

  hunksOf(document: vscode.TextDocument): readonly ReviewHunk[] {
    return this.fileAt(document.uri)?.view(document.getText()).hunks ?? [];
  }

  async open(id: string, { preserveFocus }: { readonly preserveFocus: boolean }): Promise<void> {
    const { title } = this.require(id);
    const { before, after } = this.sidesOf(id);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preserveFocus, preview: false });
  }

  async accept(id: string): Promise<void> {
    const [changes, file] = await this.fresh(id);
    await changes.accept(file.file);
    await this.decided(file);
  }

  async reject(id: string): Promise<void> {
    const [changes, file] = await this.fresh(id);
    const { now: expected } = file;
    const { undone, conflict } = file.view(expected);
    if (undone === undefined) throw new ProblemError(notTakenBack(file.item().label, conflict ?? ''));
    await changes.reject(file.file, { expected, text: undone }, undefined, file.codec);
    if (undone === null) await closeUnchanged(tabsOf('file', file.uri));
    await this.decided(file);
  }

  async acceptHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const { file, view, now, meant } = this.at(document, hunk);
    if (view.hunks.length === 1) return this.accept(file.id);
    const baseline = withSameLineEnds(now, withHunkAccepted(view.left, now, meant));
    await this.pending().accept(file.file, { baseline, current: now }, file.codec);
    await this.synced();
  }

  async rejectHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const { file, view, now, meant } = this.at(document, hunk);
    const isLast = view.hunks.length === 1;
    if (isLast && view.undone !== undefined) return this.reject(file.id);
    const text = withSameLineEnds(now, withHunkRejected(now, meant));
    const baseline = isLast ? undefined : withSameLineEnds(now, view.left);
    await this.pending().reject(file.file, { expected: now, text }, baseline, file.codec);
    await this.synced();
    if (isLast) await closeUnchanged(tabsOf(BASELINE_SCHEME, file.beforeUri));
  }

  private follow(): void {
    const { changes } = this.session;
    if (changes === this.changes) return;
    this.unsubscribe();
    this.changes = changes;
    this.unsubscribe = changes?.onDidChange(() => this.sync()) ?? (() => undefined);
    this.sync();
  }

  private editorChanged(uri: vscode.Uri): void {
    if (this.watched.pathAt(uri) !== undefined) this.sync();
  }

  /** Starts a sync. Changes during a sync cause another round. */
  private sync(): void {
    void this.synced();
  }

  private async synced(): Promise<void> {
    this.isStale = true;
    this.syncing ??= this.catchUp().finally(() => {
      this.syncing = undefined;
    });
    await this.syncing;
  }

  private async catchUp(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      try {
        await this.load();
      } catch (error) {
        this.log.error('What waits for review could not be read', error);
      }
    }
  }

  private async load(): Promise<void> {
    const { changes } = this;
    const listed = changes?.list ?? [];
    // Watches before reading, so that no change is missed meanwhile.
    this.watched.watch(listed.map(({ path }) => path));
    const known = new Map(this.files.map((file) => [file.file.path, file]));
    const files: AppliedFile[] = [];
    for (const file of listed) {
      const loaded = changes && (await AppliedFile.load(file, changes, known.get(file.path)));
      if (loaded && hasSomething(loaded.view())) files.push(loaded);
    }
    if (changes !== this.changes) return;
    if (files.length + this.files.length === 0) return;
    this.files = files;
    this.baselines.put(files.map((file) => ({ uri: file.beforeUri, text: file.view().left })));
    this.changed.fire();
  }

  /** Syncs first, because a verdict applies to the current text. */
  private async fresh(id: string): Promise<readonly [PendingChanges, AppliedFile]> {
    await this.synced();
    return [this.pending(), this.require(id)];
  }

  private async decided(file: AppliedFile): Promise<void> {
    await this.synced();
    await closeUnchanged(tabsOf(BASELINE_SCHEME, file.beforeUri));
  }

  private at(document: vscode.TextDocument, hunk: ReviewHunk): HunkInFile {
    const file = this.fileAt(document.uri);
    const now = document.getText();
    const view = file?.view(now);
    const meant = view?.hunks.find(
      ({ start, end, before }) => start === hunk.start && end === hunk.end && before === hunk.before,
    );
    if (!file || !view || !meant) throw new ProblemError(changedMeanwhile());
    return { file, view, now, meant };
  }

  private fileAt(uri: vscode.Uri): AppliedFile | undefined {
    const path = this.watched.pathAt(uri);
    return path === undefined ? undefined : this.files.find(({ file }) => file.path === path);
  }

  private require(id: string): AppliedFile {
    const file = this.files.find((other) => other.id === id);
    if (!file) throw new ProblemError(changedMeanwhile());
    return file;
  }

  private pending(): PendingChanges {
    if (!this.changes) throw new ProblemError(changedMeanwhile());
    return this.changes;
  }
}

interface HunkInFile {
  readonly file: AppliedFile;
  readonly view: AppliedView;
  readonly now: string;
  readonly meant: Hunk;
}

/** If the user reverted a change by hand, nothing is left to decide. */
function hasSomething({ hunks, conflict }: AppliedView): boolean {
  return hunks.length > 0 || conflict !== undefined;
}

function notTakenBack(label: string, why: string): Problem {
  return { kind: 'bad-input', title: l10n.t('{0} was not changed', label), detail: why, actions: [] };
}

/** Tabs of a file, or diffs whose left side has this scheme. Without a URI, all of them. */
function tabsOf(scheme: string, uri?: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      const shown = shownBy(input);
      return shown?.scheme === scheme && (uri === undefined || shown.toString() === uri.toString());
    });
}

/** Closes tabs without moving the focus. Tabs with unsaved text stay, because closing them would ask the user. */
async function closeUnchanged(tabs: readonly vscode.Tab[]): Promise<void> {
  const clean = tabs.filter(({ isDirty }) => !isDirty);
  if (clean.length > 0) await vscode.window.tabGroups.close(clean, true);
}

function shownBy(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.original;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}
