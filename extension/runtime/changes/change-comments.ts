import * as l10n from '@vscode/l10n';
import { Emitter } from '../../base/emitter.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { badInput } from '../problems/message-limits.ts';
import { heldElsewhere } from '../problems/session-problems.ts';

/** The user's words on lines of a change that was made already. */
export type ChangeComment = Omit<RecordOf<'commented'>, 'type' | 'at'>;

/**
 * Comments on changes that nobody was asked about. They are in the log from the moment they are written until the model has
 * got them, which is in the log too: so none is lost, and none is said twice.
 */
export class ChangeComments {
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;

  constructor(
    private readonly journal: SessionJournal,
    /** Who else writes this session. */
    private readonly heldBy: () => string | undefined,
  ) {
    journal.onRecord((record) => {
      const isNews = record.type === 'commented' || record.type === 'comment_withdrawn';
      if (isNews || (record.type === 'event' && isNotice(record.event))) this.tell();
    });
  }

  /** The model has not got these yet, oldest first. */
  get waiting(): readonly ChangeComment[] {
    return this.journal.history.notices.comments;
  }

  add(comment: ChangeComment): void {
    const holder = this.heldBy();
    if (holder !== undefined) throw new ProblemError(heldElsewhere(holder));
    if (this.journal.isClosed) throw badInput(l10n.t('The session was closed.'), notTaken());
    // Another conversation may have come up while the user was writing.
    if (!this.journal.history.fileChanges.some(({ path }) => path === comment.path)) {
      throw badInput(l10n.t('This conversation did not change {0}.', comment.path), notTaken());
    }
    this.journal.append({ type: 'commented', ...comment });
  }

  /** Of no effect on one that the model has got. */
  withdraw(id: string): void {
    if (this.heldBy() !== undefined || this.journal.isClosed) return;
    if (this.waiting.some((comment) => comment.id === id)) this.journal.append({ type: 'comment_withdrawn', id });
  }

  private tell(): void {
    this.changes.fire();
  }
}

const notTaken = (): string => l10n.t('The comment was not sent');
