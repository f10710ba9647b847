import type { ClientTool } from '../ports/tool.ts';
import { APPROVAL_MODES, type ApprovalMode, isApprovalMode } from '../protocol/agent/approval-mode.ts';
import { clientTools } from './client-tools.ts';
import { malformed } from './errors.ts';

/** What a client decides with the metadata of a message. */
export interface MessageSettings {
  /** The model of this message alone. */
  readonly model?: string;
  /** From this message on. */
  readonly approvalMode?: ApprovalMode;
  /** Whether the client can answer questions. Counts for a message that begins a session. */
  readonly interactive?: boolean;
  /** The tools that run in the client, from this message on. */
  readonly tools?: readonly ClientTool[];
  /** Whether the task takes another message at the end of its turn. */
  readonly converses?: boolean;
}

/** Ignores other metadata. */
export function messageSettings(metadata: Readonly<Record<string, unknown>>): MessageSettings {
  const { _model: model, approvalMode, interactive, clientTools: tools } = metadata;
  if (model !== undefined && (typeof model !== 'string' || model.trim() === '')) {
    throw malformed('"_model" is the name of a model.');
  }
  if (approvalMode !== undefined && !isApprovalMode(approvalMode)) {
    throw malformed(`"approvalMode" is ${APPROVAL_MODES.join(', ')}.`);
  }
  if (interactive !== undefined && typeof interactive !== 'boolean') throw malformed('"interactive" is true or false.');
  if (interactive === false && tools !== undefined) {
    throw malformed('The results of "clientTools" are answers, which "interactive": false rules out.');
  }
  return {
    ...(model !== undefined && { model: model.trim() }),
    ...(approvalMode !== undefined && { approvalMode }),
    ...(interactive !== undefined && { interactive }),
    ...(tools !== undefined && { tools: clientTools(tools) }),
  };
}

/** A client may allow less than the session does, never more: that is for the user of this machine to decide. */
export function requireNarrower(wanted: ApprovalMode, current: ApprovalMode): void {
  if (APPROVAL_MODES.indexOf(wanted) <= APPROVAL_MODES.indexOf(current)) return;
  throw malformed(`The approval mode is ${current}. A message can only narrow it, not widen it to ${wanted}.`);
}
