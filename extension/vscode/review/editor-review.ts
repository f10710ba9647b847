import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { Disposable } from '../base/disposable.ts';
import type { WorkspaceState } from '../base/workspace.ts';
import { BuiltIn, type ContextKey, ContextKeys } from '../names.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { opensDiffs } from '../settings.ts';
import { AppliedChanges } from './applied-changes.ts';
import { AppliedComments } from './applied-comments.ts';
import { AppliedMarks } from './applied-marks.ts';
import { PROPOSAL_SCHEME } from './diff-tabs.ts';
import { EditorUse } from './editor-use.ts';
import { KeptDrafts } from './kept-drafts.ts';
import { OfferedCode } from './offered-code.ts';
import { PlanDocuments } from './plan-documents.ts';
import { ProposalTexts } from './proposal-texts.ts';
import { ProposedReviews } from './proposed-reviews.ts';
import { ReviewComments } from './review-comments.ts';
import { ReviewLenses } from './review-lenses.ts';
import { Reviews, reviewTitle } from './reviews.ts';

/** All parts of reviewing changes in the editor. */
export class EditorReview extends Disposable {
  readonly comments = this.register(new ReviewComments());
  readonly appliedComments: AppliedComments;
  readonly proposed: ProposedReviews;
  readonly applied: AppliedChanges;
  readonly offered: OfferedCode;
  readonly plans: PlanDocuments;
  readonly reviews: Reviews;

  constructor(
    session: PanelSession,
    state: WorkspaceState,
    log: Logger,
    private readonly scheme = PROPOSAL_SCHEME,
  ) {
    super();
    const { comments } = this;
    const texts = this.register(new ProposalTexts(scheme));
    this.proposed = this.register(
      new ProposedReviews({
        session,
        texts,
        comments,
        drafts: new KeptDrafts(state, log),
        use: this.register(new EditorUse()),
        log,
        opensDiffs,
      }),
    );
    this.applied = this.register(new AppliedChanges(session, log));
    this.offered = this.register(new OfferedCode(texts));
    this.reviews = this.register(new Reviews([this.proposed, this.applied, this.offered]));
    this.register(new ReviewContext(this.reviews));
    this.plans = this.register(new PlanDocuments(session, comments));
    const { mayComment } = this;
    this.appliedComments = this.register(
      new AppliedComments({
        session,
        applied: this.applied,
        // A comment may still wait for the next message after its change was decided.
        newThread: (uri, range) => {
          comments.begin(mayComment);
          return comments.newThread(uri, range);
        },
        documentsChanged: () => comments.refresh(),
      }),
    );
    const first = this.register(this.reviews.onDidChange(() => begin()));
    const begin = (): void => {
      if (this.reviews.items.length === 0) return;
      first.dispose();
      this.register(new ReviewLenses(this.reviews, scheme));
      this.register(new AppliedMarks(this.applied));
      comments.begin(mayComment);
    };
    // Changes may have been pending before this was loaded.
    begin();
  }

  /** Opens the plan of a question in an editor. */
  async openPlan(requestId: string): Promise<void> {
    this.comments.begin(this.mayComment);
    await this.plans.show(requestId);
  }

  /** Adds the user's comment to a thread, which may be new. */
  addComment(reply: vscode.CommentReply): void {
    this.commentsOn(reply.thread).add(reply);
  }

  deleteComment(thread: vscode.CommentThread): void {
    this.commentsOn(thread).delete(thread);
  }

  private readonly mayComment = (document: vscode.TextDocument): boolean =>
    this.reviews.find(document) !== undefined || this.plans.isPlan(document);

  private commentsOn({ uri }: vscode.CommentThread): Pick<ReviewComments, 'add' | 'delete'> {
    return uri.scheme === this.scheme || this.plans.isPlan({ uri }) ? this.comments : this.appliedComments;
  }
}

/** Sets the context keys that show the buttons and enable the keys of a review only where they have an effect. */
class ReviewContext extends Disposable {
  private readonly told = new Map<ContextKey, string>();

  constructor(private readonly reviews: Reviews) {
    super();
    const update = (): void => this.update();
    this.register(reviews.onDidChange(update));
    this.register(vscode.window.onDidChangeActiveTextEditor(update));
    this.register(vscode.window.tabGroups.onDidChangeTabs(update));
    this.register(vscode.window.tabGroups.onDidChangeTabGroups(update));
    this.register(vscode.workspace.onDidOpenTextDocument(update));
    this.register(vscode.workspace.onDidCloseTextDocument(update));
    this.update();
  }

  private update(): void {
    const documents = vscode.workspace.textDocuments.filter((document) => this.reviews.find(document));
    const { length } = this.reviews.items;
    this.tell(ContextKeys.hasChanges, length > 0);
    this.tell(ContextKeys.hasSeveralChanges, length > 1);
    const active = vscode.window.activeTextEditor?.document;
    this.tell(ContextKeys.reviewing, active !== undefined && documents.includes(active));
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.tell(ContextKeys.reviewingAll, length > 0 && tab?.label.startsWith(reviewTitle()) === true);
    // The window of a remote host has other URIs for the files, but the same paths.
    const addresses = documents.flatMap(({ uri }) =>
      uri.scheme === 'file' ? [uri.toString(), uri.fsPath] : uri.toString(),
    );
    this.tell(ContextKeys.reviewed, addresses);
  }

  private tell(key: ContextKey, value: boolean | readonly string[]): void {
    const text = JSON.stringify(value);
    if (this.told.get(key) === text) return;
    this.told.set(key, text);
    void vscode.commands.executeCommand(BuiltIn.setContext, key, value);
  }
}
