import type { Entry } from '../../protocol/transcript-entry.ts';

/** `longRun` 0 is off. */
export function isWorthTelling(run: {
  readonly seconds: number;
  readonly longRun: number;
  readonly focused: boolean;
}): boolean {
  return !run.focused && run.longRun > 0 && run.seconds >= run.longRun;
}

/** How a run ended, for people who did not watch it. */
export function endingOf(
  entries: readonly Entry[],
  sessionTitle: string,
  seconds: number,
): { readonly title: string; readonly detail: string } {
  const last = entries.findLast(({ kind }) => kind !== 'usage');
  const took = `after ${durationOf(seconds)}`;
  const detail = sessionTitle === '' ? took : `${sessionTitle} (${took})`;
  if (last?.kind === 'problem') return { title: `Gantry stopped. ${last.problem.title}`, detail };
  return { title: last?.kind === 'note' ? 'Gantry has stopped' : 'Gantry has finished', detail };
}

/** What the icon of the view shows: what the user does not see in it. */
export function badgeOf(view: {
  readonly visible: boolean;
  /** In all sessions. */
  readonly waiting: number;
  /** In sessions that the view does not show. */
  readonly waitingElsewhere: number;
  readonly hasNews: boolean;
}): { readonly value: number; readonly tooltip: string } | undefined {
  const value = view.visible ? view.waitingElsewhere : view.waiting;
  if (value > 0) {
    return { value, tooltip: value === 1 ? 'A question waits for you' : `${value} questions wait for you` };
  }
  return view.hasNews && !view.visible ? { value: 1, tooltip: 'Gantry has answered' } : undefined;
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
