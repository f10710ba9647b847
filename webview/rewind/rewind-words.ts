import type { RewindPreview } from '../../extension/protocol/sheets-to-panel.ts';
import { formatTime } from '../format.ts';

/** "Turn 4 of 6 · 14:02" */
export function turnWords({ turn, turns, at }: RewindPreview, now = Date.now()): string {
  const place = `Turn ${turn} of ${turns}`;
  return at === undefined ? place : `${place} · ${formatTime(at, now)}`;
}

/** "3 turns leave, with 17 tool calls" */
export function leavingWords({ turn, turns, calls }: RewindPreview): string {
  const count = turns - turn + 1;
  const words = count === 1 ? '1 turn leaves' : `${count} turns leave`;
  if (calls === 0) return words;
  return calls === 1 ? `${words}, with 1 tool call` : `${words}, with ${calls} tool calls`;
}

/** "1 session approval ends" */
export function grantWords({ grants }: RewindPreview): string {
  return grants.length === 1 ? '1 session approval ends: ' : `${grants.length} session approvals end: `;
}

/** How many files would be other than they are: for one line of text. */
export function fileWords({ files }: RewindPreview): string {
  const count = files.filter(({ kind }) => kind === 'restore' || kind === 'remove' || kind === 'changed').length;
  return count === 1 ? '1 file' : `${count} files`;
}
