import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { namedFailure } from '../../files/file-failure.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { findDocument } from '../editor/open-documents.ts';
import type { ProposedFile, ReviewedEdit } from './proposed-file.ts';
import type { ProposedQuestions } from './proposed-questions.ts';
import { WatchedReviewFiles } from './watched-files.ts';

/** Handles files that change, move or disappear while a proposal is pending: renews it, or prevents its approval. */
export class StaleProposals extends Disposable {
  private readonly watched = this.register(
    new WatchedReviewFiles((path) => void this.fileChanged(path), {
      begins: (path) => this.fileMoves(path),
      ended: (path, to) => this.fileMoved(path, to),
    }),
  );

  constructor(private readonly questions: ProposedQuestions) {
    super();
    this.register(questions.onDidChange(() => this.watched.watch(questions.files.map(({ edit }) => edit.path))));
  }

  /** VS Code normalizes line ends, and may have changes that the proposal is not based on. */
  async shown({ edit }: ProposedFile): Promise<void> {
    const document = edit.before === null ? undefined : findDocument(edit.path);
    if (document && document.getText() !== edit.before) await this.fileChanged(edit.path);
  }

  /** A proposal that cannot be shown cannot be approved. */
  async notShown(file: ProposedFile, error: unknown): Promise<void> {
    const { edits, files } = this.questions;
    const { requestId } = files.includes(file) ? this.questions.of(file).waiting : {};
    if (requestId === undefined) return;
    const again = file.move ? undefined : await edits?.proposeAgain(requestId);
    if (again?.kind === 'renewed') return;
    const reason = namedFailure(error);
    const unfit = again?.kind === 'unfit' ? again.why : file.conflict;
    const why = unfit ?? `The diff of ${file.edit.label} could not be shown: ${reason}`;
    edits?.fail(requestId, `${why} Nothing was written.`);
    void vscode.window.showWarningMessage(withoutLinks(l10n.t('Gantry did not change {0}. {1}', file.edit.label, why)));
  }

  /** Several questions may be about the same file. */
  private async fileChanged(path: string): Promise<void> {
    for (const file of this.at(path)) await this.proposeAgain(file);
  }

  private async proposeAgain(file: ProposedFile): Promise<void> {
    const { path } = file.edit;
    if (file.move !== undefined && !(await isThere(path))) return;
    if (isMoved(file)) file.move = undefined;
    if (!this.questions.files.includes(file)) return;
    const { requestId } = this.questions.of(file).waiting;
    if (requestId === undefined) return;
    // VS Code may move the file while the proposal is renewed. Without the file, the proposal would create a new one.
    const isNewInPlaceOfMoved = ({ path: at, before }: ReviewedEdit): boolean =>
      file.move !== undefined && at === path && before === null;
    const again = await this.questions.edits?.proposeAgain(requestId, (edits) => !edits.some(isNewInPlaceOfMoved));
    // The conflict that the move has reported stays.
    if (isMoved(file)) return;
    if (again?.kind !== 'renewed') this.setConflict(file, again?.kind === 'unfit' ? again.why : undefined);
  }

  private fileMoves(path: string): void {
    for (const file of this.at(path)) file.move = 'begun';
  }

  private fileMoved(path: string, to: string): void {
    for (const file of this.at(path)) {
      file.move = 'done';
      this.setConflict(file, `${file.edit.label} was renamed to ${vscode.workspace.asRelativePath(to)}.`);
    }
  }

  private setConflict(file: ProposedFile, conflict: string | undefined): void {
    if (file.conflict === conflict || !this.questions.files.includes(file)) return;
    file.conflict = conflict;
    // The approval was for an edit that is no longer possible.
    if (conflict !== undefined && file.verdict === 'accepted') file.verdict = undefined;
    this.questions.noteDraft(this.questions.of(file));
  }

  private at(path: string): readonly ProposedFile[] {
    return this.questions.files.filter(({ edit }) => edit.path === path);
  }
}

function isMoved({ move }: ProposedFile): boolean {
  return move === 'done';
}

async function isThere(path: string): Promise<boolean> {
  return vscode.workspace.fs.stat(vscode.Uri.file(path)).then(
    () => true,
    () => false,
  );
}
