import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { InOrder } from '../../base/in-order.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import type { EditReview, WaitingEdit } from '../../runtime/calls/edit-review.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { isShown } from './diff-tabs.ts';
import { changedMeanwhile, isOtherVersion } from './item-version.ts';
import { type ProposalDrafts, reopen } from './proposal-drafts.ts';
import type { ProposalTexts } from './proposal-texts.ts';
import { ProposedFile, type ReviewedEdit } from './proposed-file.ts';

export interface ProposedQuestion {
  readonly callId: string;
  waiting: WaitingEdit;
  files: readonly ProposedFile[];
}

/** Follows the questions about edits in the session shown, each with its files. */
export class ProposedQuestions extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly ended = this.register(new vscode.EventEmitter<readonly ProposedFile[]>());
  private readonly renewals = new InOrder();
  private all: readonly ProposedQuestion[] = [];
  private followed: EditReview | undefined;
  private unsubscribe: () => void = () => undefined;

  readonly onDidChange = this.changed.event;
  /** Fires with files that are no longer pending. */
  readonly onDidEnd = this.ended.event;

  constructor(
    private readonly session: PanelSession,
    private readonly texts: ProposalTexts,
    private readonly drafts: ProposalDrafts,
  ) {
    super();
    this.register(session.onDidReplace(() => this.follow()));
    this.register(session.onDidChangeState(() => this.follow()));
    this.register({
      dispose: () => {
        this.unsubscribe();
        // Prevents further diffs from opening.
        this.all = [];
      },
    });
  }

  get edits(): EditReview | undefined {
    return this.followed;
  }

  get count(): number {
    return this.all.length;
  }

  /** All files, including those with a verdict: it takes effect only when all files of the question have one. */
  get files(): readonly ProposedFile[] {
    return this.all.flatMap(({ files }) => files);
  }

  /** Files without a verdict, in order. */
  get openFiles(): readonly ProposedFile[] {
    return this.files.filter(({ verdict }) => verdict === undefined);
  }

  fileAt(uri: vscode.Uri): ProposedFile | undefined {
    const key = uri.toString();
    return this.openFiles.find((file) => file.uri.toString() === key);
  }

  /** Finds a file by its id in a list, which includes the version. */
  require(id: string): ProposedFile {
    const file = this.openFiles.find((other) => other.id === id);
    if (file) return file;
    throw new ProblemError(this.openFiles.some((other) => isOtherVersion(other.id, id)) ? changedMeanwhile() : gone());
  }

  find(requestId: string): ProposedQuestion | undefined {
    return this.all.find(({ waiting }) => waiting.requestId === requestId);
  }

  of(file: ProposedFile): ProposedQuestion {
    const question = this.all.find(({ files }) => files.includes(file));
    if (!question) throw new ProblemError(gone());
    return question;
  }

  /** The user has edited the draft. */
  noteDraft(question: ProposedQuestion): void {
    this.draft(question);
    this.changed.fire();
  }

  follow(): void {
    const edits = this.session.open?.edits;
    if (edits === this.followed) return;
    this.unsubscribe();
    this.followed = edits;
    this.unsubscribe = edits?.onDidChange(() => this.sync()) ?? (() => undefined);
    const shownBefore = this.take(edits?.waiting ?? []);
    this.end(shownBefore);
  }

  private sync(): void {
    const gone = this.take(this.followed?.waiting ?? []);
    // If the window closes or another window takes over the session, questions disappear here but are still pending.
    const isOurs = this.session.open?.edits === this.followed && this.session.heldBy === undefined;
    if (isOurs) this.drafts.forget(gone);
    this.end(gone);
  }

  /** Updates the questions. Returns the files of those that are no longer pending. */
  private take(waiting: readonly WaitingEdit[]): readonly ProposedFile[] {
    const before = this.all;
    const gone = before.filter(({ callId }) => !waiting.some((other) => other.callId === callId));
    this.all = waiting.map((edit) => before.find(({ callId }) => callId === edit.callId) ?? this.begin(edit));
    for (const edit of waiting) this.update(edit);
    // Drafts from before a reload take effect now, wherever the user answers.
    for (const question of this.all) if (!before.includes(question)) this.draft(question);
    return gone.flatMap(({ files }) => files);
  }

  private begin(waiting: WaitingEdit): ProposedQuestion {
    const { callId, edits } = waiting;
    const files = edits.map((edit) => this.fileFor(callId, edit));
    this.drafts.begin(files);
    return { callId, waiting, files };
  }

  /** Passes the draft to the runtime, which uses it wherever the user answers. */
  private draft({ waiting, files }: ProposedQuestion): void {
    if (waiting.requestId !== undefined) this.followed?.draft(waiting.requestId, this.drafts.answerFor(files));
  }

  private fileFor(callId: string, edit: ReviewedEdit): ProposedFile {
    return new ProposedFile(callId, edit, this.texts.scheme);
  }

  private end(files: readonly ProposedFile[]): void {
    this.ended.fire(files);
    this.changed.fire();
  }

  /** The same call may have a new proposal. */
  private update(edit: WaitingEdit): void {
    const question = this.all.find(({ callId }) => callId === edit.callId);
    if (!question || question.waiting === edit) return;
    const isRenewed = question.waiting.edits !== edit.edits;
    question.waiting = edit;
    // The question may have become answerable only now.
    if (!isRenewed) this.draft(question);
    else void this.renewAll(question, edit.edits).then(() => this.draft(question));
  }

  /** The new proposal may be about other files. */
  private async renewAll(question: ProposedQuestion, edits: readonly ReviewedEdit[]): Promise<void> {
    const before = question.files;
    const known = (path: string): ProposedFile | undefined => before.find((file) => file.edit.path === path);
    question.files = edits.map((next) => known(next.path) ?? this.fileFor(question.callId, next));
    this.drafts.begin(question.files.filter((file) => !before.includes(file)));
    const renewed = edits.map((next) => {
      const file = known(next.path);
      return file && this.renew(file, next);
    });
    reopen(question.files);
    const dropped = before.filter((file) => !question.files.includes(file));
    if (dropped.length > 0) {
      this.drafts.forget(dropped);
      this.end(dropped);
    }
    await Promise.all(renewed);
  }

  private async renew(file: ProposedFile, next: ReviewedEdit): Promise<void> {
    file.renew(next);
    if (next.before === null) this.texts.put(file.beforeUri, '');
    await this.renewals.run(() => this.showRenewed(file));
    if (this.files.includes(file)) this.drafts.keep(file);
    this.changed.fire();
  }

  /** Carries over what the user types in the document meanwhile. */
  private async showRenewed(file: ProposedFile): Promise<void> {
    const { edit, uri } = file;
    let mine: string;
    let carried: ReturnType<ProposedFile['carried']>;
    do {
      mine = this.texts.get(uri);
      carried = file.carried(mine);
    } while (!(await this.texts.set(uri, carried.text, mine)));
    file.isShown(edit);
    if (!carried.keptChanges) void reportNotKept(edit.label, mine, isShown(uri));
  }
}

const gone = (): Problem => ({
  kind: 'not-waiting',
  title: l10n.t('This change no longer requires your approval'),
  detail: l10n.t('It has already been answered, or its run has ended. Nothing was changed.'),
  actions: [],
});

/** Reports that the user's edits do not apply to the new proposal. They can be undone only in an open diff. */
async function reportNotKept(label: string, text: string, isShown: boolean): Promise<void> {
  const copy = l10n.t('Copy Your Text');
  const what = l10n.t('{0} has changed, and your edits of the proposal no longer apply.', label);
  const next = isShown ? l10n.t('Undo in the diff restores your text.') : l10n.t('The diff shows the new proposal.');
  const choice = await vscode.window.showWarningMessage(withoutLinks(`${what} ${next}`), copy);
  if (choice === copy) await vscode.env.clipboard.writeText(text);
}
