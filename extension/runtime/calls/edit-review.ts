import { Emitter } from '../../base/emitter.ts';
import type { AskedCalls, ProposedAgain, WaitingEdit } from '../../scheduler/asked-calls.ts';
import type { CallReview } from '../../scheduler/call-review.ts';
import type { AnswerDraft, ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';

export type { AnswerDraft, ProposedAgain, WaitingEdit };

type Wanted = (edits: WaitingEdit['edits']) => boolean;

/** The edits of a session that require approval, for surfaces that show them whole. */
export class EditReview {
  private readonly asked: AskedCalls;
  /** Those of agents that work for the session. */
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

  /** Those of another session are shown and decided here too. Returns what ends that. */
  include(other: EditReview): () => void {
    this.others.add(other);
    const stop = other.onDidChange(() => this.changed());
    return () => {
      stop();
      this.others.delete(other);
      this.changed();
    };
  }

  /** A file that an edit is about has changed. A proposal that is not `wanted` does not replace the one that waits. */
  proposeAgain(requestId: string, wanted?: Wanted): Promise<ProposedAgain> {
    return this.otherWith(requestId)?.proposeAgain(requestId, wanted) ?? this.review.proposeAgain(requestId, wanted);
  }

  /** What the user has made of it so far: it counts wherever they answer. */
  draft(requestId: string, draft: AnswerDraft): void {
    const other = this.otherWith(requestId);
    if (other) other.draft(requestId, draft);
    else this.broker.draft(requestId, draft);
  }

  /** It cannot be shown: the call fails, and `why` is what the model gets. */
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
