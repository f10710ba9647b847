import * as l10n from '@vscode/l10n';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';

/** Whether a finished run deserves a notification. A `longRun` of 0 turns notifications off. */
export function isWorthTelling(run: {
  readonly seconds: number;
  readonly longRun: number;
  readonly focused: boolean;
}): boolean {
  return !run.focused && run.longRun > 0 && run.seconds >= run.longRun;
}

/** Describes how a run ended, for users who did not watch it. */
export function endingOf(
  entries: readonly Entry[],
  sessionTitle: string,
  seconds: number,
): { readonly title: string; readonly detail: string } {
  const last = entries.findLast(({ kind }) => kind !== 'usage');
  const took = tookText(seconds);
  const detail = sessionTitle === '' ? took : `${sessionTitle} (${took})`;
  if (last?.kind === 'problem') return { title: l10n.t('Gantry stopped. {0}', last.problem.title), detail };
  return { title: last?.kind === 'note' ? l10n.t('Gantry has stopped') : l10n.t('Gantry has finished'), detail };
}

/** The badge on the icon of the view. It counts what the view does not show. */
export function badgeOf(view: {
  readonly visible: boolean;
  /** The number of approvals pending in all sessions. */
  readonly waiting: number;
  /** The number of approvals pending in sessions that the view does not show. */
  readonly waitingElsewhere: number;
  readonly hasNews: boolean;
}): { readonly value: number; readonly tooltip: string } | undefined {
  const value = view.visible ? view.waitingElsewhere : view.waiting;
  if (value > 0) {
    const tooltip = value === 1 ? l10n.t('An approval is pending') : l10n.t('{0} approvals are pending', value);
    return { value, tooltip };
  }
  return view.hasNews && !view.visible ? { value: 1, tooltip: l10n.t('Gantry has answered') } : undefined;
}

function tookText(seconds: number): string {
  if (seconds < 60) return l10n.t('after {0} seconds', Math.round(seconds));
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? l10n.t('after a minute') : l10n.t('after {0} minutes', minutes);
}
