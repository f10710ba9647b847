import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { ContextShares } from '../protocol/agent/context-shares.ts';
import type { PanelState } from '../protocol/panel/panel-messages.ts';
import type { Totals } from '../sessions/session-totals.ts';
import type { EditReview } from './calls/edit-review.ts';
import type { PendingChanges } from './changes/pending-changes.ts';
import type { SessionRewind } from './changes/session-rewind.ts';
import type { SessionCommands } from './commands/session-commands.ts';
import type { SessionKnowledge } from './knowledge/session-knowledge.ts';

/** A session that is open in this process, for those who show it. */
export interface OpenSession {
  readonly rewind: SessionRewind;
  /** What it changed without anybody looking at it first. */
  readonly changes: PendingChanges;
  /** Edits that wait for approval. */
  readonly edits: EditReview;
  /** The commands that run, and what people do to them. */
  readonly commands: SessionCommands;
  /** Its files with instructions and what each costs, and its skills. */
  readonly knowledge: SessionKnowledge;
  readonly approvalMode: ApprovalMode;
  /** The model that was chosen for this session alone. */
  readonly chosenModel: string | undefined;
  /** How much of the model's window it uses. */
  readonly contextUse: PanelState['context'];
  /** What fills that window, by kind. Looks at the whole conversation: for somebody who asks. */
  readonly contextShares: ContextShares;
  /** Why it certainly cannot be compressed, as long as nothing runs in it. */
  readonly whyNotCompress: string | undefined;
  /** What it has used so far. */
  readonly totals: Totals;
  /** Who else writes this session, so that it can only be read here. */
  readonly heldBy: string | undefined;
}
