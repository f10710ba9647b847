import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

export interface SessionOptions {
  /** Instead of the configured model. */
  readonly model?: string;
  /** Instead of `gantry.session.maxTurns`. */
  readonly maxTurns?: number;
  /** Instead of `gantry.approvalMode`. */
  readonly approvalMode?: ApprovalMode;
  /** The call of another session that this one works for. */
  readonly parent?: { readonly sessionId: string; readonly callId: string };
}
