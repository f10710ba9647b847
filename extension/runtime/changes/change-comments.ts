import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/emitter.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { badInput } from '../problems/message-limits.ts';
import { heldElsewhere } from '../problems/session-problems.ts';

/** The user's comment on lines of an applied change. */
export type ChangeComment = Omit<RecordOf<'commented'>, 'type' | 'at'>;

/**
 * Comments on applied changes. A comment is logged when it is written, and again when the model receives it, so no
 * comment is lost or sent twice.
 */
export class ChangeComments {
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;

  constructor(
    private readonly journal: SessionJournal,
    /** The other process that has this session open for writing, if any. */
    private readonly heldBy: () => string | undefined,
  ) {
    journal.onRecord((record) => {
      const isNews = record.type === 'commented' || record.type === 'comment_withdrawn';
      if (isNews || (record.type === 'event' && isNotice(record.event))) this.fire();
    });
  }

  /** Comments that the model has not received yet, oldest first. */
  get waiting(): readonly ChangeComment[] {
    return this.journal.history.notices.comments;
  }

  add(comment: ChangeComment): void {
    const holder = this.heldBy();
    if (holder !== undefined) throw new ProblemError(heldElsewhere(holder));
    if (this.journal.isClosed) throw badInput(l10n.t('The session was closed.'), notTaken());
    // Another conversation may have been opened while the user was writing.
    if (!this.journal.history.fileChanges.some(({ path }) => path === comment.path)) {
      throw badInput(l10n.t('This conversation did not change {0}.', comment.path), notTaken());
    }
    this.journal.append({ type: 'commented', ...comment });
  }

  /** Withdraws a comment. Has no effect if the model has already received it. */
  withdraw(id: string): void {
    if (this.heldBy() !== undefined || this.journal.isClosed) return;
    if (this.waiting.some((comment) => comment.id === id)) this.journal.append({ type: 'comment_withdrawn', id });
  }

  private fire(): void {
    this.changes.fire();
  }
}

const notTaken = (): string => l10n.t('The comment was not sent');
