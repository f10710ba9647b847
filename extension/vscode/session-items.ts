import type { SessionItem } from '../protocol/panel-messages.ts';
import type { SessionLibrary } from '../runtime/session-library.ts';

export type SessionSummary = Awaited<ReturnType<SessionLibrary['list']>>[number];

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

/** As the panel lists them. */
export function sessionItems({ here, elsewhere }: ArrangedSessions, current: string | undefined): SessionItem[] {
  const item = (session: SessionSummary): SessionItem => {
    const { id, updatedAt, messages, pinned } = session;
    return { id, title: sessionTitle(session), updatedAt, messages, pinned, current: id === current };
  };
  const foreign = elsewhere.map((session) => ({ ...item(session), elsewhere: folderName(session.workspace) }));
  return [...here.map(item), ...foreign];
}

export function sessionTitle({ title, firstWords, problem }: SessionSummary): string {
  return title || firstWords || (problem === undefined ? 'Untitled session' : 'Unreadable session');
}

/** The last part of a path of any system: a list of sessions may be shared between them. */
export function folderName(workspace: string): string {
  return workspace.split(/[\\/]/).findLast((part) => part !== '') ?? 'no folder';
}

export function messageCount(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`;
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
  if (unit === undefined || length === undefined) return 'just now';
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-Math.floor(passed / length), unit);
}
