import { Emitter } from '../../base/emitter.ts';
import type { AskedCalls, ProposedAgain, WaitingEdit } from '../../scheduler/asked-calls.ts';
import type { CallReview } from '../../scheduler/call-review.ts';
import type { AnswerDraft, ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';

export type { AnswerDraft, ProposedAgain, WaitingEdit };

type Wanted = (edits: WaitingEdit['edits']) => boolean;

/** The edits of a session that require approval, for surfaces that show the complete edit. */
export class EditReview {
  private readonly asked: AskedCalls;
  /** The reviews of agents that work for the session. */
  private readonly others = new Set<EditReview>();
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;

  constructor(
    private readonly review: CallReview,
    private readonly broker: ConfirmationBroker,
  ) {
    this.asked = review.asked;
    this.asked.onDidChange(() => this.changed());
  }

  /** In the order in which they were asked. */
  get waiting(): readonly WaitingEdit[] {
    return [...this.asked.waitingEdits, ...[...this.others].flatMap(({ waiting }) => waiting)];
  }

  /** Also shows and decides the edits of another session here. Returns a function that ends this. */
  include(other: EditReview): () => void {
    this.others.add(other);
    const stop = other.onDidChange(() => this.changed());
    return () => {
      stop();
      this.others.delete(other);
      this.changed();
    };
  }

  /**
   * Proposes an edit again after its file changed. A proposal that `wanted` rejects does not replace the pending one.
   */
  proposeAgain(requestId: string, wanted?: Wanted): Promise<ProposedAgain> {
    return this.otherWith(requestId)?.proposeAgain(requestId, wanted) ?? this.review.proposeAgain(requestId, wanted);
  }

  /** Stores the user's unsent answer to an edit. It applies wherever the user answers. */
  draft(requestId: string, draft: AnswerDraft): void {
    const other = this.otherWith(requestId);
    if (other) other.draft(requestId, draft);
    else this.broker.draft(requestId, draft);
  }

  /** Fails the call because its edit cannot be shown. The model gets `why`. */
  fail(requestId: string, why: string): void {
    const other = this.otherWith(requestId);
    if (other) other.fail(requestId, why);
    else this.review.fail(requestId, why);
  }

  private otherWith(requestId: string): EditReview | undefined {
    return [...this.others].find(({ waiting }) => waiting.some((edit) => edit.requestId === requestId));
  }

  private changed(): void {
    this.changes.fire();
  }
}
