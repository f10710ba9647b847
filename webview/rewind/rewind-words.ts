import * as l10n from '@vscode/l10n';
import type { RewindPreview } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { formatTime } from '../base/format.ts';

/** "Turn 4 of 6 · 14:02" */
export function turnWords({ turn, turns, at }: RewindPreview, now = Date.now()): string {
  const place = l10n.t('Turn {0} of {1}', turn, turns);
  return at === undefined ? place : `${place} · ${formatTime(at, now)}`;
}

/** "3 turns leave, with 17 tool calls" */
export function leavingWords({ turn, turns, calls }: RewindPreview): string {
  const count = turns - turn + 1;
  if (count === 1) {
    if (calls === 0) return l10n.t('1 turn will be removed');
    return calls === 1
      ? l10n.t('1 turn with 1 tool call will be removed')
      : l10n.t('1 turn with {0} tool calls will be removed', calls);
  }
  if (calls === 0) return l10n.t('{0} turns will be removed', count);
  return calls === 1
    ? l10n.t('{0} turns with 1 tool call will be removed', count)
    : l10n.t('{0} turns with {1} tool calls will be removed', count, calls);
}

/** "1 session approval ends: ", followed by their names. */
export function grantWords({ grants }: RewindPreview): string {
  const words =
    grants.length === 1 ? l10n.t('1 session approval ends:') : l10n.t('{0} session approvals end:', grants.length);
  return `${words} `;
}

/** The number of files that would change, in one line. */
export function putBackWords({ files }: RewindPreview): string {
  const count = files.filter(({ kind }) => kind === 'restore' || kind === 'remove' || kind === 'changed').length;
  return count === 1 ? l10n.t('Restore 1 file') : l10n.t('Restore {0} files', count);
}
