import * as l10n from '@vscode/l10n';
import type { SessionItem, SessionTag } from '../../protocol/panel/sheets-to-panel.ts';
import type { SessionActivity } from '../../runtime/library/session-library.ts';
import type { SessionSummary } from '../../sessions/store/session-summary.ts';

export interface ArrangedSessions {
  /** The sessions of the open folder. */
  readonly here: readonly SessionSummary[];
  readonly elsewhere: readonly SessionSummary[];
}

/** Pinned sessions come first. Otherwise the order stays: the newest first. */
export function arrangeSessions(sessions: readonly SessionSummary[], roots: readonly string[]): ArrangedSessions {
  const sorted = [...sessions].sort((a, b) => Number(b.pinned) - Number(a.pinned));
  const isHere = ({ workspace }: SessionSummary): boolean =>
    workspace === '' ? roots.length === 0 : roots.includes(workspace);
  return { here: sorted.filter(isHere), elsewhere: sorted.filter((session) => !isHere(session)) };
}

/** What a window knows about sessions in addition to the stored data. */
export interface SessionNews {
  /** The id of the session in the panel. */
  readonly current: string | undefined;
  /** The activity of a session that is open in this window. */
  activityOf(id: string): SessionActivity | undefined;
  /** Whether another window holds the session. */
  isHeld(id: string): boolean;
  /** When the session was last in the panel, in ms since the epoch. */
  lastSeen(id: string): number | undefined;
}

/** Makes the items of the panel's list. */
export function sessionItems(sessions: ArrangedSessions, news: SessionNews): SessionItem[] {
  const { here, elsewhere } = sessions;
  const originOf = origins(sessions);
  const item = (session: SessionSummary): SessionItem => {
    const { id, updatedAt, messages, pinned, stop, problem } = session;
    const tag = tagOf(session, news);
    const forkOf = originOf(session);
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

/** Returns a function that finds the title of the session that another was copied from. */
export function origins({ here, elsewhere }: ArrangedSessions): (session: SessionSummary) => string | undefined {
  const titles = new Map([...here, ...elsewhere].map((session) => [session.id, sessionTitle(session)]));
  return ({ copyOf }) => (copyOf === undefined ? undefined : titles.get(copyOf));
}

/** Returns the most important tag: required actions and current activity, then news the user may not have seen. */
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

/** The last segment of a path of any operating system, because several systems may share a list of sessions. */
export function folderName(workspace: string): string {
  return workspace.split(/[\\/]/).findLast((part) => part !== '') ?? l10n.t('no folder');
}

export function messageCount(count: number): string {
  return count === 1 ? l10n.t('1 message') : l10n.t('{0} messages', count);
}
