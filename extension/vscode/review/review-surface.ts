import type { Logger } from '../../runtime/host.ts';
import { Disposable } from '../disposable.ts';
import type { PanelSession } from '../panel-session.ts';
import type { WorkspaceState } from '../remembered-session.ts';
import { opensDiffs } from '../settings.ts';
import { AppliedChanges } from './applied-changes.ts';
import { AppliedMarks } from './applied-marks.ts';
import { PROPOSAL_SCHEME } from './diff-tabs.ts';
import { EditorUse } from './editor-use.ts';
import { KeptDrafts } from './kept-drafts.ts';
import { ProposalTexts } from './proposal-texts.ts';
import { ProposedReviews } from './proposed-reviews.ts';
import { ReviewComments } from './review-comments.ts';
import { ReviewContext } from './review-context.ts';
import { ReviewLenses } from './review-lenses.ts';
import { Reviews } from './reviews.ts';

/** Everything there is to reviewing changes in the editor. */
export class ReviewSurface extends Disposable {
  readonly comments = this.register(new ReviewComments());
  readonly proposed: ProposedReviews;
  readonly applied: AppliedChanges;
  readonly reviews: Reviews;

  constructor(session: PanelSession, state: WorkspaceState, log: Logger, scheme = PROPOSAL_SCHEME) {
    super();
    const { comments } = this;
    this.proposed = this.register(
      new ProposedReviews({
        session,
        texts: this.register(new ProposalTexts(scheme)),
        comments,
        drafts: new KeptDrafts(state, log),
        use: this.register(new EditorUse()),
        log,
        opensDiffs,
      }),
    );
    this.applied = this.register(new AppliedChanges(session, log));
    this.reviews = this.register(new Reviews([this.proposed, this.applied]));
    this.register(new ReviewContext(this.reviews));
    const first = this.register(this.reviews.onDidChange(() => begin()));
    const begin = (): void => {
      if (this.reviews.items.length === 0) return;
      first.dispose();
      this.register(new ReviewLenses(this.reviews, scheme));
      this.register(new AppliedMarks(this.applied));
      comments.begin((document) => this.proposed.itemOf(document) !== undefined);
    };
    // It may have waited before this was loaded.
    begin();
  }
}
