import { type Problem, ProblemError } from '../protocol/agent/problem.ts';
import type { ChatSessions } from './actions/chat-sessions.ts';
import type { NoticeTargets } from './approvals/approval-notifications.ts';
import type { NoticeAnswer } from './approvals/notice.ts';
import type { PendingApprovals } from './approvals/pending-approvals.ts';
import type { ChatView } from './panel/chat-view.ts';
import type { LazyReview } from './review/lazy-review.ts';
import type { RuntimeLoader } from './runtime-loader.ts';
import { answerPayload } from './session/panel-payloads.ts';

interface DeskParts {
  readonly pending: PendingApprovals;
  readonly sessions: ChatSessions;
  readonly chat: Pick<ChatView, 'focusApproval'>;
  readonly review: Pick<LazyReview, 'load'>;
  readonly runtime: Pick<RuntimeLoader, 'load'>;
}

/** Routes answers from outside the panel to the session that asked, and shows that session in the panel. */
export class ApprovalRouter implements NoticeTargets {
  constructor(private readonly parts: DeskParts) {}

  async answer(requestId: string, given: NoticeAnswer): Promise<Problem | undefined> {
    const { questions } = await this.parts.runtime.load();
    try {
      await questions.answer(requestId, answerPayload({ requestId, ...given }, 'notification'));
      return undefined;
    } catch (error) {
      if (ProblemError.is(error)) return error.problem;
      throw error;
    }
  }

  /** Shows the card of a question. Without an id, shows the first pending question. */
  async show(requestId?: string): Promise<void> {
    const { pending, chat } = this.parts;
    const wanted = requestId === undefined ? pending.items[0] : pending.find(requestId);
    await this.bringIn(wanted?.sessionId);
    await chat.focusApproval(requestId);
  }

  async openDiff(requestId: string): Promise<void> {
    const { pending, review } = this.parts;
    await this.bringIn(pending.find(requestId)?.sessionId);
    const { reviews, proposed } = await review.load();
    await reviews.choose(proposed.itemsOfQuestion(requestId));
  }

  private async bringIn(sessionId: string | undefined): Promise<void> {
    if (sessionId !== undefined) await this.parts.sessions.show(sessionId);
  }
}
