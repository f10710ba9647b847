import { CRITIQUE, SNAPSHOT_INSTRUCTION } from '../../../extension/context/compaction/snapshot-prompts.ts';
import type { RecordedRequest } from './request.ts';
import type { Piece } from './script.ts';
import type { GeminiEndpoint } from './server.ts';

/** The model that summarizes conversations, on an endpoint that also answers them. */
export interface SnapshotModel {
  /** The answers to the next snapshot requests. The default is `snapshot('nth')`. */
  readonly drafts: Piece[];
  /** The answers to the next requests for a review of the snapshot. The default is the draft itself. */
  readonly checks: Piece[];
  /** The snapshot and review requests. */
  readonly requests: () => readonly RecordedRequest[];
  /** The requests of the conversation. */
  readonly conversation: () => readonly RecordedRequest[];
}

export function snapshotModel(endpoint: GeminiEndpoint): SnapshotModel {
  const drafts: Piece[] = [];
  const checks: Piece[] = [];
  let count = 0;
  endpoint.when(
    (request) => isSummary(request) && request.lastUserText !== CRITIQUE,
    () => drafts.shift() ?? `<scratchpad>Draft ${++count}</scratchpad>\n${snapshot(`number ${count}`)}`,
  );
  endpoint.when(isSummary, () => checks.shift() ?? `Checked.\n${snapshot(`number ${count}, checked`)}`);
  return {
    drafts,
    checks,
    requests: () => endpoint.requests.filter(isSummary),
    conversation: () => endpoint.requests.filter((request) => !isSummary(request)),
  };
}

export function snapshot(goal: string): string {
  return `<state_snapshot>\n  <overall_goal>${goal}</overall_goal>\n</state_snapshot>`;
}

function isSummary({ systemText }: RecordedRequest): boolean {
  return systemText.startsWith(SNAPSHOT_INSTRUCTION);
}
