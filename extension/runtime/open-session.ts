import type { ClientTool } from '../ports/tool.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';
import type { ContextShares } from '../protocol/agent/context-shares.ts';
import type { PanelState } from '../protocol/panel/panel-messages.ts';
import type { Totals } from '../sessions/session-totals.ts';
import type { EditReview } from './calls/edit-review.ts';
import type { PendingChanges } from './changes/pending-changes.ts';
import type { SessionRewind } from './changes/session-rewind.ts';
import type { SessionCommands } from './commands/session-commands.ts';
import type { SessionKnowledge } from './knowledge/session-knowledge.ts';

/** A session that is open in this process, as surfaces use it. */
export interface OpenSession {
  readonly rewind: SessionRewind;
  /** The changes that the session made without asking. */
  readonly changes: PendingChanges;
  /** Edits that require approval. */
  readonly edits: EditReview;
  /** The commands of the session. */
  readonly commands: SessionCommands;
  /** The instruction files with their sizes, and the skills. */
  readonly knowledge: SessionKnowledge;
  /** Whether a call or an agent runs that doesn't wait for an answer itself. */
  readonly isExecuting: boolean;
  readonly approvalMode: ApprovalMode;
  /** The model that was chosen for this session alone. */
  readonly chosenModel: string | undefined;
  /** From now on, the model can use these tools of the program that drives the session. Stored with the session. */
  giveTools(tools: readonly ClientTool[]): void;
  /** Records that a client has ended a task between two runs. */
  endTask(streamId: string): void;
  /** The usage of the model's context window. */
  readonly contextUse: PanelState['context'];
  /** The content of the context window, by kind. Reads the whole conversation, so use it only on request. */
  readonly contextShares: ContextShares;
  /** The last request to the model as a Markdown document. Undefined if none was sent since the session was opened. */
  lastRequest(): Promise<string | undefined>;
  /** Why the conversation certainly cannot be compressed, if no run is in progress. */
  readonly whyNotCompress: string | undefined;
  /** The usage so far. */
  readonly totals: Totals;
  /** The other process that has this session open for writing, so that it can only be read here. */
  readonly heldBy: string | undefined;
}
