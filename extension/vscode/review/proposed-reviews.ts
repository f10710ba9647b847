import * as vscode from 'vscode';
import { type Problem, ProblemError } from '../../protocol/problem.ts';
import type { AnswerDraft, EditReview, WaitingEdit } from '../../runtime/edit-review.ts';
import type { Logger } from '../../runtime/host.ts';
import { Disposable } from '../disposable.ts';
import { findDocument } from '../open-documents.ts';
import type { PanelSession } from '../panel-session.ts';
import { withoutLinks } from '../plain-words.ts';
import type { EditorUse } from './editor-use.ts';
import { withHunkRejected } from './hunks.ts';
import type { KeptDrafts } from './kept-drafts.ts';
import { ProposalDiffs } from './proposal-diffs.ts';
import type { ProposalTexts } from './proposal-texts.ts';
import { ProposedFile, type Verdict } from './proposed-file.ts';
import type { ReviewComments } from './review-comments.ts';
import type { ReviewHunk, ReviewItem, ReviewSource } from './review-source.ts';
import { WatchedFiles } from './watched-files.ts';

interface ProposedQuestion {
  readonly callId: string;
  waiting: WaitingEdit;
  files: readonly ProposedFile[];
}

export interface ProposedReviewParts {
  readonly session: PanelSession;
  readonly texts: ProposalTexts;
  readonly comments: ReviewComments;
  readonly drafts: KeptDrafts;
  readonly use: EditorUse;
  readonly log: Logger;
  /** Whether a diff opens by itself. */
  opensDiffs(): boolean;
}

/** "Before each edit": what waits in the session shown, with the proposal in a document that the user may change. */
export class ProposedReviews extends Disposable implements ReviewSource {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly watched = this.register(new WatchedFiles((path) => void this.fileChanged(path)));
  private questions: readonly ProposedQuestion[] = [];
  /** Of files whose documents are still open, by address. */
  private readonly outcomes = new Map<string, Outcome>();
  private readonly diffs: ProposalDiffs;
  private edits: EditReview | undefined;
  private unsubscribe: () => void = () => undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly parts: ProposedReviewParts) {
    super();
    const { session, texts, comments } = parts;
    this.diffs = new ProposalDiffs({
      texts,
      log: parts.log,
      waiting: () => this.openFiles(),
      opensByItself: () => parts.opensDiffs(),
      userIsInEditor: () => parts.use.isAfter(session.lastUsed),
      shown: (file) => this.shown(file),
      notShown: (file, error) => this.notShown(file, error),
    });
    this.register(session.onDidReplace(() => this.follow()));
    this.register(session.onDidChangeState(() => this.follow()));
    this.register(texts.onDidChange((uri) => this.draftChanged(uri)));
    this.register(
      comments.onDidChange((uri) => {
        this.draftChanged(uri);
        this.keepDraft(uri);
      }),
    );
    this.register(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.keepDraft(uri)));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.outcomes.delete(uri.toString())));
    this.register({
      dispose: () => {
        this.unsubscribe();
        // So that nothing is opened for it any more.
        this.questions = [];
      },
    });
    this.follow();
  }

  get items(): readonly ReviewItem[] {
    return this.openFiles().map((file) => file.item(this.parts.texts.get(file.uri)));
  }

  sidesOf(id: string): { readonly before: vscode.Uri; readonly after: vscode.Uri } {
    const file = this.require(id);
    return { before: file.beforeUri, after: file.uri };
  }

  itemOf(document: vscode.TextDocument): ReviewItem | undefined {
    return this.fileOf(document)?.item(document.getText());
  }

  hunksOf(document: vscode.TextDocument): readonly ReviewHunk[] {
    return this.fileOf(document)?.hunks(document.getText()) ?? [];
  }

  outcomeOf({ uri }: vscode.TextDocument): Outcome | undefined {
    return this.outcomes.get(uri.toString());
  }

  /** Files of the question, by the id its card has. */
  itemsOfQuestion(requestId: string): readonly string[] {
    const question = this.questions.find(({ waiting }) => waiting.requestId === requestId);
    return question?.files.filter(({ verdict }) => verdict === undefined).map(({ id }) => id) ?? [];
  }

  open(id: string, { preserveFocus }: { readonly preserveFocus: boolean }): Promise<void> {
    return this.diffs.open(this.require(id), preserveFocus);
  }

  async accept(id: string): Promise<void> {
    const file = this.require(id);
    if (file.conflict !== undefined) throw new ProblemError(conflicting(file, file.conflict));
    await this.decide(file, 'accepted');
  }

  async reject(id: string, reason?: string): Promise<void> {
    await this.decide(this.require(id), 'rejected', reason);
  }

  async acceptHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const file = this.fileOf(document);
    if (!file) return;
    file.acceptHunk(document.getText(), hunk);
    await this.hunkDecided(file);
  }

  async rejectHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const file = this.fileOf(document);
    if (!file) return;
    await this.parts.texts.set(file.uri, withHunkRejected(document.getText(), hunk));
    await this.hunkDecided(file);
  }

  /** When every place has a verdict, the file has one. */
  private async hunkDecided(file: ProposedFile): Promise<void> {
    const text = this.parts.texts.get(file.uri);
    if (file.hunks(text).length > 0) this.changed.fire();
    else if (file.isUndoneIn(text)) await this.reject(file.id);
    else await this.accept(file.id);
  }

  private async decide(file: ProposedFile, verdict: Verdict, reason?: string): Promise<void> {
    const question = this.questionOf(file);
    file.verdict = verdict;
    this.draft(question);
    this.changed.fire();
    if (question.files.some((other) => other.verdict === undefined)) return;
    const problem = await this.answer(question, reason);
    if (!problem) {
      this.parts.drafts.forget(question.files.map(({ id }) => id));
      return;
    }
    file.verdict = undefined;
    this.changed.fire();
    throw new ProblemError(problem);
  }

  private answer({ waiting, files }: ProposedQuestion, reason?: string): Promise<Problem | undefined> {
    const { session } = this.parts;
    const requestId = waiting.requestId ?? '';
    if (files.some(({ verdict }) => verdict === 'accepted'))
      return session.answer({ requestId, decision: 'once' }, SOURCE);
    const alone = this.questions.length > 1;
    return session.answer({ requestId, alone, ...(reason !== undefined && { reason }) }, SOURCE);
  }

  /** What the runtime has to know to take an answer from anywhere. */
  private draft({ waiting, files }: ProposedQuestion): void {
    const { texts, comments } = this.parts;
    const contents = files.flatMap((file): [string, string][] => {
      const { path, before } = file.edit;
      if (file.verdict === 'rejected' && files.length > 1) return [[path, before ?? '']];
      const text = texts.get(file.uri);
      return file.isChangedIn(text) && file.conflict === undefined ? [[path, text]] : [];
    });
    const feedback = files
      .map((file) => comments.textOf(file.uri, file.edit.label, texts.get(file.uri)))
      .filter((text) => text !== '')
      .join('\n\n');
    const draft: AnswerDraft = { contents: Object.fromEntries(contents), ...(feedback !== '' && { feedback }) };
    if (waiting.requestId !== undefined) this.edits?.draft(waiting.requestId, draft);
  }

  private draftChanged(uri: vscode.Uri): void {
    const file = this.openFiles().find((other) => other.uri.toString() === uri.toString());
    if (!file) return;
    this.draft(this.questionOf(file));
    this.changed.fire();
  }

  private keepDraft(uri: vscode.Uri): void {
    const { comments, drafts, texts } = this.parts;
    const file = this.openFiles().find((other) => other.uri.toString() === uri.toString());
    if (file) drafts.keep(file.id, file.edit.after, { text: texts.get(uri), remarks: comments.remarksOn(uri) });
  }

  private follow(): void {
    const { edits } = this.parts.session;
    if (edits === this.edits) return;
    this.unsubscribe();
    this.edits = edits;
    this.unsubscribe = edits?.onDidChange(() => this.sync()) ?? (() => undefined);
    this.sync();
  }

  private sync(): void {
    const waiting = this.edits?.waiting ?? [];
    const before = this.questions;
    const gone = before.filter(({ callId }) => !waiting.some((other) => other.callId === callId));
    this.questions = waiting.map((edit) => before.find(({ callId }) => callId === edit.callId) ?? this.begin(edit));
    for (const edit of waiting) this.update(edit);
    // What is there from before a reload counts from now on, wherever the answer is given.
    for (const question of this.questions) if (!before.includes(question)) this.draft(question);
    this.watched.watch(this.openFiles().map(({ edit }) => edit.path));
    this.end(gone.flatMap(({ files }) => files));
  }

  private begin(waiting: WaitingEdit): ProposedQuestion {
    const { callId, edits } = waiting;
    return { callId, waiting, files: edits.map((edit) => this.beginFile(callId, edit)) };
  }

  private beginFile(callId: string, edit: ProposedFile['edit']): ProposedFile {
    const { comments, drafts, texts } = this.parts;
    const file = new ProposedFile(callId, edit, texts.scheme);
    const draft = drafts.of(file.id, edit.after);
    texts.put(file.uri, draft?.text ?? edit.after);
    if (draft) comments.putBack(file.uri, draft.remarks);
    if (edit.before === null) texts.put(file.beforeUri, '');
    return file;
  }

  private end(files: readonly ProposedFile[]): void {
    const { comments, texts } = this.parts;
    for (const { uri, verdict } of files) {
      comments.end(uri);
      if (texts.isOpen(uri)) this.outcomes.set(uri.toString(), verdict === undefined ? 'Answered' : OUTCOMES[verdict]);
    }
    this.changed.fire();
    this.diffs.replace(files);
  }

  /** The same call may ask about something else by now. */
  private update(edit: WaitingEdit): void {
    const question = this.questions.find(({ callId }) => callId === edit.callId);
    if (!question || question.waiting === edit) return;
    const isRenewed = question.waiting.edits !== edit.edits;
    question.waiting = edit;
    if (!isRenewed) {
      // It may only now have become a question that can be answered.
      this.draft(question);
      return;
    }
    const before = question.files;
    const known = (path: string): ProposedFile | undefined => before.find((file) => file.edit.path === path);
    // It may be about other files by now.
    question.files = edit.edits.map((next) => known(next.path) ?? this.beginFile(edit.callId, next));
    const dropped = before.filter((file) => !question.files.includes(file));
    if (dropped.length > 0) this.end(dropped);
    const renewed = edit.edits.flatMap((next) => {
      const file = known(next.path);
      return file ? [this.renew(file, next)] : [];
    });
    void Promise.all(renewed).then(() => this.draft(question));
  }

  private async renew(file: ProposedFile, next: ProposedFile['edit']): Promise<void> {
    const { texts } = this.parts;
    const { text, keptChanges } = file.renew(next, texts.get(file.uri));
    if (next.before === null) texts.put(file.beforeUri, '');
    await texts.set(file.uri, text);
    this.changed.fire();
    if (keptChanges) return;
    const said = `${next.label} has changed, and what you had made of the proposal does not fit any more. Undo in the diff brings your text back.`;
    void vscode.window.showWarningMessage(withoutLinks(said));
  }

  /** VS Code shows one kind of line ends, and may know of changes that the proposal was made without. */
  private async shown({ edit }: ProposedFile): Promise<void> {
    const document = edit.before === null ? undefined : findDocument(edit.path);
    if (document && document.getText() !== edit.before) await this.fileChanged(edit.path);
  }

  /** What cannot be shown cannot be allowed. */
  private async notShown(file: ProposedFile, error: unknown): Promise<void> {
    const { requestId } = this.questionOf(file).waiting;
    if (requestId === undefined) return;
    const again = await this.edits?.proposeAgain(requestId);
    if (again?.kind === 'renewed') return;
    const reason = error instanceof Error ? error.message : String(error);
    const why = again?.kind === 'unfit' ? again.why : `The diff of ${file.edit.label} could not be shown: ${reason}`;
    this.edits?.fail(requestId, `${why} Nothing was written.`);
    void vscode.window.showWarningMessage(withoutLinks(`Gantry did not change ${file.edit.label}. ${why}`));
  }

  private async fileChanged(path: string): Promise<void> {
    const file = this.openFiles().find(({ edit }) => edit.path === path);
    const { requestId } = file ? this.questionOf(file).waiting : {};
    if (!file || requestId === undefined) return;
    const again = await this.edits?.proposeAgain(requestId);
    const conflict = again?.kind === 'unfit' ? again.why : undefined;
    if (again?.kind === 'renewed' || file.conflict === conflict) return;
    file.conflict = conflict;
    this.draftChanged(file.uri);
  }

  private openFiles(): readonly ProposedFile[] {
    return this.questions.flatMap(({ files }) => files.filter(({ verdict }) => verdict === undefined));
  }

  private fileOf({ uri }: vscode.TextDocument): ProposedFile | undefined {
    return this.openFiles().find((file) => file.uri.toString() === uri.toString());
  }

  private questionOf(file: ProposedFile): ProposedQuestion {
    const question = this.questions.find(({ files }) => files.includes(file));
    if (!question) throw new ProblemError(GONE);
    return question;
  }

  private require(id: string): ProposedFile {
    const file = this.openFiles().find((other) => other.id === id);
    if (!file) throw new ProblemError(GONE);
    return file;
  }
}

type Outcome = 'Accepted' | 'Rejected' | 'Answered';

const OUTCOMES: Readonly<Record<Verdict, Outcome>> = { accepted: 'Accepted', rejected: 'Rejected' };

/** Who answered. */
const SOURCE = 'diff';

const GONE: Problem = {
  kind: 'not-waiting',
  title: 'This change no longer waits for you',
  detail: 'It was answered already, or its run has ended. Nothing was changed.',
  actions: [],
};

function conflicting({ edit }: ProposedFile, why: string): Problem {
  return {
    kind: 'bad-input',
    title: `${edit.label} is not what the proposal was made for`,
    detail: `${why} Your text is kept: put the file back as it was, or reject the proposal.`,
    actions: [],
  };
}
