import * as l10n from '@vscode/l10n';
import type { SessionItem, SessionTag } from '../../protocol/panel/sheets-to-panel.ts';
import { textLocale } from '../../protocol/words/numbers.ts';
import type { SessionActivity } from '../../runtime/library/session-library.ts';
import type { SessionSummary } from '../../sessions/store/session-summary.ts';

export interface ArrangedSessions {
  /** Those of the folder that is open. */
  readonly here: readonly SessionSummary[];
  readonly elsewhere: readonly SessionSummary[];
}

/** Pinned ones first, else in the order they come in: the newest first. */
export function arrangeSessions(sessions: readonly SessionSummary[], roots: readonly string[]): ArrangedSessions {
  const sorted = [...sessions].sort((a, b) => Number(b.pinned) - Number(a.pinned));
  const isHere = ({ workspace }: SessionSummary): boolean =>
    workspace === '' ? roots.length === 0 : roots.includes(workspace);
  return { here: sorted.filter(isHere), elsewhere: sorted.filter((session) => !isHere(session)) };
}

/** What a window knows of sessions besides what is stored. */
export interface SessionNews {
  /** The one in the panel. */
  readonly current: string | undefined;
  /** What one that is open in this window is at. */
  activityOf(id: string): SessionActivity | undefined;
  /** Whether another window has it. */
  isHeld(id: string): boolean;
  /** When it was last in the panel, in ms since the epoch. */
  lastSeen(id: string): number | undefined;
}

/** As the panel lists them. */
export function sessionItems({ here, elsewhere }: ArrangedSessions, news: SessionNews): SessionItem[] {
  const titles = new Map([...here, ...elsewhere].map((session) => [session.id, sessionTitle(session)]));
  const item = (session: SessionSummary): SessionItem => {
    const { id, updatedAt, messages, pinned, stop, copyOf, problem } = session;
    const tag = tagOf(session, news);
    const forkOf = copyOf === undefined ? undefined : titles.get(copyOf);
    return {
      id,
      title: sessionTitle(session),
      updatedAt,
      messages,
      pinned,
      current: id === news.current,
      ...(tag && { tag }),
      ...(tag === 'stopped' && stop && { why: stop.why }),
      ...(forkOf !== undefined && { forkOf }),
      ...(problem !== undefined && { problem }),
    };
  };
  const foreign = elsewhere.map((session) => ({ ...item(session), elsewhere: folderName(session.workspace) }));
  return [...here.map(item), ...foreign];
}

/** What matters most to the user: what they have to do, what happens, what they may not have seen. */
function tagOf({ id, stop, updatedAt }: SessionSummary, news: SessionNews): SessionTag | undefined {
  const activity = news.activityOf(id);
  if (activity === 'running') return 'running';
  if (activity === 'waits') return 'needsYou';
  if (news.isHeld(id)) return 'otherWindow';
  if (stop?.kind === 'waits') return 'needsYou';
  const seen = news.lastSeen(id);
  if (id !== news.current && seen !== undefined && updatedAt > seen) return 'newAnswer';
  if (activity === 'commands') return 'commandRuns';
  return stop && 'stopped';
}

export function sessionTitle({ title, firstWords, problem }: SessionSummary): string {
  return title || firstWords || (problem === undefined ? l10n.t('Untitled session') : l10n.t('Unreadable session'));
}

/** The last part of a path of any system: a list of sessions may be shared between them. */
export function folderName(workspace: string): string {
  return workspace.split(/[\\/]/).findLast((part) => part !== '') ?? l10n.t('no folder');
}

export function messageCount(count: number): string {
  return count === 1 ? l10n.t('1 message') : l10n.t('{0} messages', count);
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 3600_000],
  ['month', 30 * 24 * 3600_000],
  ['week', 7 * 24 * 3600_000],
  ['day', 24 * 3600_000],
  ['hour', 3600_000],
  ['minute', 60_000],
];

/** Such as "3 hours ago". */
export function timeAgo(then: number, now: number): string {
  const passed = now - then;
  const [unit, length] = UNITS.find(([, each]) => passed >= each) ?? [];
  if (unit === undefined || length === undefined) return l10n.t('just now');
  return new Intl.RelativeTimeFormat(textLocale(), { numeric: 'auto' }).format(-Math.floor(passed / length), unit);
}
