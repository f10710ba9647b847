import * as l10n from '@vscode/l10n';
import type { SessionHit, SessionItem, SessionTag } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { formatAgo } from '../base/format.ts';
import type { IconName } from '../base/icons.ts';

/** A session in the list, with the match if it was searched for. */
export interface SessionRow {
  readonly item: SessionItem;
  readonly hit?: SessionHit | undefined;
}

export interface SessionGroup {
  /** Empty for a list without headings. */
  readonly title: string;
  readonly sessions: readonly SessionRow[];
}

/** The sessions of this folder, or all. */
export type SessionScope = 'here' | 'all';

/** The sessions whose title, folder or messages contain every word of the filter. */
export function listed(
  sessions: readonly SessionItem[],
  scope: SessionScope,
  filter: string,
  hits: readonly SessionHit[] = [],
): readonly SessionRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const inScope = sessions.filter(({ elsewhere }) => scope === 'all' || elsewhere === undefined);
  if (words.length === 0) return inScope.map((item) => ({ item }));
  return inScope.flatMap((item) => {
    const hit = hits.find(({ id }) => id === item.id);
    const text = `${item.title} ${item.elsewhere ?? ''}`.toLowerCase();
    return hit || words.every((word) => text.includes(word)) ? [{ item, hit }] : [];
  });
}

/** Groups sessions by their last use. Search results are a single list. */
export function grouped(sessions: readonly SessionRow[], filter: string, now: number): readonly SessionGroup[] {
  if (filter.trim() !== '') return [{ title: '', sessions }];
  const today = new Date(now).toDateString();
  const isToday = ({ item }: SessionRow): boolean => new Date(item.updatedAt).toDateString() === today;
  const loose = sessions.filter(({ item }) => !item.pinned);
  return [
    { title: l10n.t('Pinned'), sessions: sessions.filter(({ item }) => item.pinned) },
    { title: l10n.t('Today'), sessions: loose.filter(isToday) },
    { title: l10n.t('Earlier'), sessions: loose.filter((session) => !isToday(session)) },
  ].filter((group) => group.sessions.length > 0);
}

/** "2 h ago · ferry-api · 6 turns" */
export function detailsOf(item: SessionItem, now: number): string {
  const { updatedAt, messages, elsewhere, current, tag, why, forkOf, problem } = item;
  if (problem !== undefined) return problem;
  const count = messages === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', messages);
  const facts = [
    current ? l10n.t('open here') : undefined,
    formatAgo(updatedAt, now),
    elsewhere,
    why ?? (forkOf === undefined ? count : undefined),
    tag === 'otherWindow' ? l10n.t('opens read-only') : undefined,
    forkOf === undefined ? undefined : l10n.t('fork of {0}', forkOf),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

interface Tag {
  words(): string;
  /** A shorter text for narrow panels. */
  short?(): string;
  readonly icon: IconName;
  readonly sign?: IconName;
}

export const TAGS: Readonly<Record<SessionTag, Tag>> = {
  needsYou: { words: () => l10n.t('Needs you'), icon: 'comment-discussion', sign: 'bell-dot' },
  running: { words: () => l10n.t({ message: 'Running', comment: 'a session' }), icon: 'session-in-progress' },
  newAnswer: { words: () => l10n.t('New answer'), short: () => l10n.t('New'), icon: 'comment-discussion' },
  commandRuns: { words: () => l10n.t('Command runs'), short: () => l10n.t('Command'), icon: 'terminal' },
  otherWindow: { words: () => l10n.t('Other window'), icon: 'lock' },
  stopped: { words: () => l10n.t('Stopped'), icon: 'error' },
};

export function signOf({ tag, pinned, forkOf, problem }: SessionItem): IconName {
  if (problem !== undefined) return 'warning';
  if (tag !== undefined && tag !== 'newAnswer' && tag !== 'needsYou') return TAGS[tag].icon;
  if (pinned) return 'pinned';
  return forkOf === undefined ? 'comment-discussion' : 'repo-forked';
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  PageDown: (at, last) => Math.min(at + PAGE, last),
  PageUp: (at) => Math.max(at - PAGE, 0),
  Home: () => 0,
  End: (_, last) => last,
};

const PAGE = 6;

/** The index to which a key moves in a list; undefined if the key doesn't move. */
export function moved(key: string, at: number, length: number): number | undefined {
  return length === 0 ? undefined : STEPS[key]?.(at, length - 1);
}

/** The index of the active session. If it was removed, the session that moved up to its index becomes active. */
export function sessionPlace(
  sessions: readonly SessionItem[],
  activeId: string | undefined,
  lastPlace: number,
): number {
  const at = sessions.findIndex(({ id }) => id === activeId);
  return at >= 0 ? at : Math.max(0, Math.min(lastPlace, sessions.length - 1));
}
