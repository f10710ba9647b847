import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import type { WorkspaceState } from '../base/workspace.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { diffTabs, PROPOSAL_SCHEME } from './diff-tabs.ts';
import type { EditorReview } from './editor-review.ts';
import type { ReviewItem } from './review-source.ts';

/** The list of pending changes, as the panel uses it. */
export interface ReviewList {
  readonly items: readonly ReviewItem[];
  readonly onDidChange: vscode.Event<void>;
  decideItem(id: string, verdict: 'accept' | 'reject'): Promise<void>;
  /** Pass `ids` to decide only some of the changes. */
  decideAll(verdict: 'accept' | 'reject', ids?: readonly string[]): Promise<void>;
  open(id: string): Promise<void>;
  choose(): Promise<void>;
}

/** Loads the review with the first session, because nothing can have changed before. */
export class LazyReview extends Disposable implements ReviewList {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly later: LazyPart<EditorReview>;
  private review: EditorReview | undefined;

  readonly onDidChange = this.changed.event;

  constructor(session: PanelSession, state: WorkspaceState, log: Logger) {
    super();
    this.later = this.register(new LazyPart(() => this.make(session, state, log)));
    const begin = (): void => {
      waiting.dispose();
      this.load().catch((error: unknown) => log.error('Changes cannot be reviewed', error));
    };
    const beginWithSession = (): void => {
      if (session.id !== undefined) begin();
    };
    const waiting = vscode.Disposable.from(
      session.onDidReplace(beginWithSession),
      session.onDidChangeState(beginWithSession),
    );
    this.register(waiting);
    // Diff tabs from before a reload would show an error until the review is loaded and closes them.
    if (diffTabs(PROPOSAL_SCHEME).length > 0) begin();
  }

  get items(): readonly ReviewItem[] {
    return this.review?.reviews.items ?? [];
  }

  load(): Promise<EditorReview> {
    return this.later.load();
  }

  async decideItem(id: string, verdict: 'accept' | 'reject'): Promise<void> {
    await (await this.load()).reviews.decideItem(id, verdict);
  }

  async decideAll(verdict: 'accept' | 'reject', ids?: readonly string[]): Promise<void> {
    await (await this.load()).reviews.decideAll(verdict, ids);
  }

  async open(id: string): Promise<void> {
    await (await this.load()).reviews.open(id);
  }

  async choose(): Promise<void> {
    await (await this.load()).reviews.choose();
  }

  private async make(session: PanelSession, state: WorkspaceState, log: Logger): Promise<EditorReview> {
    const { EditorReview } = await import('./editor-review.ts');
    const review = new EditorReview(session, state, log);
    this.review = review;
    this.register(review.reviews.onDidChange(() => this.changed.fire()));
    this.changed.fire();
    return review;
  }
}
