import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import { Disposable } from '../base/disposable.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { isShown } from './diff-tabs.ts';
import type { EditorUse } from './editor-use.ts';
import { withHunkRejected } from './hunks.ts';
import type { KeptDrafts } from './kept-drafts.ts';
import { ProposalDiffs } from './proposal-diffs.ts';
import { ProposalDrafts } from './proposal-drafts.ts';
import type { ProposalTexts } from './proposal-texts.ts';
import type { EditVerdict, ProposedFile } from './proposed-file.ts';
import { type ProposedQuestion, ProposedQuestions } from './proposed-questions.ts';
import type { ReviewComments } from './review-comments.ts';
import type { ReviewHunk, ReviewItem, ReviewSource } from './review-source.ts';
import { StaleProposals } from './stale-proposals.ts';

export interface ProposedReviewParts {
  readonly session: PanelSession;
  readonly texts: ProposalTexts;
  readonly comments: ReviewComments;
  readonly drafts: KeptDrafts;
  readonly use: EditorUse;
  readonly log: Logger;
  /** Whether diffs open automatically. */
  opensDiffs(): boolean;
}

/** "Before each edit": the pending proposals of the session shown, each in a document that the user can edit. */
export class ProposedReviews extends Disposable implements ReviewSource {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly drafts: ProposalDrafts;
  private readonly questions: ProposedQuestions;
  private readonly diffs: ProposalDiffs;
  /** The outcomes of decided files whose documents are still open, by address. */
  private readonly outcomes = new Map<string, string>();
  /** The keys of files whose diffs are open. */
  private inEditors: readonly string[] = [];

  readonly onDidChange = this.changed.event;

  constructor(private readonly parts: ProposedReviewParts) {
    super();
    const { session, texts, comments } = parts;
    this.drafts = new ProposalDrafts(texts, comments, parts.drafts);
    const questions = this.register(new ProposedQuestions(session, texts, this.drafts));
    const stale = this.register(new StaleProposals(questions));
    this.questions = questions;
    this.diffs = new ProposalDiffs({
      texts,
      log: parts.log,
      waiting: () => questions.openFiles,
      opensByItself: () => parts.opensDiffs(),
      userIsInEditor: () => parts.use.isAfter(session.lastUsed),
      shown: (file) => stale.shown(file),
      notShown: (file, error) => stale.notShown(file, error),
    });
    this.register(questions.onDidChange(() => this.changed.fire()));
    this.register(questions.onDidEnd((files) => this.end(files)));
    this.register(texts.onDidChange((uri) => this.draftChanged(uri)));
    this.register(
      comments.onDidChange((uri) => {
        this.draftChanged(uri);
        this.keepDraft(uri);
      }),
    );
    this.register(vscode.window.tabGroups.onDidChangeTabs(() => this.editorsChanged()));
    this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.editorsChanged()));
    this.register(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.keepDraft(uri)));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.outcomes.delete(uri.toString())));
    questions.follow();
  }

  get items(): readonly ReviewItem[] {
    return this.questions.openFiles.map((file) => {
      const { requestId } = this.questions.of(file).waiting;
      return {
        ...file.item(this.parts.texts.get(file.uri)),
        ...(requestId !== undefined && { requestId }),
        isOpen: isShown(file.uri),
      };
    });
  }

  sidesOf(id: string): { readonly before: vscode.Uri; readonly after: vscode.Uri } {
    const file = this.questions.require(id);
    return { before: file.beforeUri, after: file.uri };
  }

  itemOf(document: vscode.TextDocument): ReviewItem | undefined {
    return this.questions.fileAt(document.uri)?.item(document.getText());
  }

  hunksOf(document: vscode.TextDocument): readonly ReviewHunk[] {
    return this.questions.fileAt(document.uri)?.hunks(document.getText()) ?? [];
  }

  outcomeOf({ uri }: vscode.TextDocument): string | undefined {
    return this.outcomes.get(uri.toString());
  }

  /** The undecided files of a question, by its request id. */
  itemsOfQuestion(requestId: string): readonly string[] {
    const files = this.questions.find(requestId)?.files ?? [];
    return files.filter(({ verdict }) => verdict === undefined).map(({ id }) => id);
  }

  async open(id: string, { preserveFocus }: { readonly preserveFocus: boolean }): Promise<void> {
    await this.diffs.open(this.questions.require(id), preserveFocus);
  }

  async accept(id: string): Promise<void> {
    const file = this.questions.require(id);
    if (file.conflict !== undefined) throw new ProblemError(conflicting(file, file.conflict));
    await this.decide(file, 'accepted');
  }

  async reject(id: string): Promise<void> {
    await this.decide(this.questions.require(id), 'rejected');
  }

  async acceptHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const file = this.questions.fileAt(document.uri);
    if (!file) return;
    file.acceptHunk(document.getText(), hunk);
    await this.hunkDecided(file);
  }

  async rejectHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const file = this.questions.fileAt(document.uri);
    if (!file) return;
    await this.parts.texts.set(file.uri, withHunkRejected(document.getText(), hunk));
    await this.hunkDecided(file);
  }

  /** Decides the file once every hunk has a verdict. */
  private async hunkDecided(file: ProposedFile): Promise<void> {
    const text = this.parts.texts.get(file.uri);
    if (file.hunks(text).length === 0) return file.isUndoneIn(text) ? this.reject(file.id) : this.accept(file.id);
    this.drafts.keep(file);
    this.changed.fire();
  }

  private async decide(file: ProposedFile, verdict: EditVerdict): Promise<void> {
    const question = this.questions.of(file);
    file.verdict = verdict;
    this.questions.noteDraft(question);
    if (question.files.some((other) => other.verdict === undefined)) {
      this.drafts.keep(file);
      return;
    }
    const problem = await this.answer(question);
    if (!problem) return;
    file.verdict = undefined;
    this.changed.fire();
    throw new ProblemError(problem);
  }

  private answer({ waiting, files }: ProposedQuestion): Promise<Problem | undefined> {
    const { session } = this.parts;
    const requestId = waiting.requestId ?? '';
    if (files.some(({ verdict }) => verdict === 'accepted'))
      return session.answer({ requestId, decision: 'once' }, SOURCE);
    return session.answer({ requestId, alone: this.questions.count > 1 }, SOURCE);
  }

  /** A card offers approval at once for files that are open in a diff. */
  private editorsChanged(): void {
    const inEditors = this.questions.openFiles.filter(({ uri }) => isShown(uri)).map(({ key }) => key);
    if (inEditors.join('\n') === this.inEditors.join('\n')) return;
    this.inEditors = inEditors;
    this.changed.fire();
  }

  private draftChanged(uri: vscode.Uri): void {
    const file = this.questions.fileAt(uri);
    if (file) this.questions.noteDraft(this.questions.of(file));
  }

  private keepDraft(uri: vscode.Uri): void {
    const file = this.questions.fileAt(uri);
    if (file) this.drafts.keep(file);
  }

  private end(files: readonly ProposedFile[]): void {
    const { comments, texts } = this.parts;
    for (const { uri, verdict } of files) {
      comments.end(uri);
      if (texts.isOpen(uri)) this.outcomes.set(uri.toString(), outcomeText(verdict));
    }
    this.diffs.replace(files);
  }
}

function outcomeText(verdict: EditVerdict | undefined): string {
  if (verdict === undefined) return l10n.t('Answered');
  return verdict === 'accepted' ? l10n.t('Accepted') : l10n.t('Rejected');
}

/** Where the answer was given. */
const SOURCE = 'diff';

function conflicting({ edit }: ProposedFile, why: string): Problem {
  return {
    kind: 'bad-input',
    title: l10n.t('{0} has changed since the proposal was made', edit.label),
    detail: l10n.t('{0} Your text is kept. Restore the file, or reject the proposal.', why),
    actions: [],
  };
}
