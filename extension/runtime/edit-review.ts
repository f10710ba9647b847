import type { AskedCalls, ProposedAgain, WaitingEdit } from '../scheduler/asked-calls.ts';
import type { CallReview } from '../scheduler/call-review.ts';
import type { AnswerDraft, ConfirmationBroker } from '../scheduler/confirmation-broker.ts';

export type { AnswerDraft, ProposedAgain, WaitingEdit };

/** The edits of a session that wait for a yes, for surfaces that show them whole. */
export class EditReview {
  private readonly asked: AskedCalls;

  constructor(
    private readonly review: CallReview,
    private readonly broker: ConfirmationBroker,
  ) {
    this.asked = review.asked;
  }

  /** In the order in which they were asked. */
  get waiting(): readonly WaitingEdit[] {
    return this.asked.waitingEdits;
  }

  onDidChange(listener: () => void): () => void {
    return this.asked.onDidChange(listener);
  }

  /** A file that an edit is about has changed. */
  proposeAgain(requestId: string): Promise<ProposedAgain> {
    return this.review.proposeAgain(requestId);
  }

  /** What the user has made of it so far: it counts wherever they answer. */
  draft(requestId: string, draft: AnswerDraft): void {
    this.broker.draft(requestId, draft);
  }

  /** It cannot be shown: the call fails, and `why` is what the model gets. */
  fail(requestId: string, why: string): void {
    this.review.fail(requestId, why);
  }
}
