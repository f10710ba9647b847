import type { SessionItem } from '../../extension/protocol/panel-messages.ts';
import { formatAgo } from '../format.ts';

/** The sessions that have every word of the filter in their title or folder. */
export function matching(sessions: readonly SessionItem[], filter: string): readonly SessionItem[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ title, elsewhere = '' }) => {
    const text = `${title} ${elsewhere}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** "2 h ago · ferry-api · 6 messages" */
export function detailsOf({ updatedAt, messages, elsewhere, current }: SessionItem, now: number): string {
  const count = messages === 1 ? '1 message' : `${messages} messages`;
  return [current ? 'Open here' : '', formatAgo(updatedAt, now), elsewhere, count].filter(Boolean).join(' · ');
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

/** Where a key leads in a list; undefined when it is not one that moves. */
export function moved(key: string, at: number, length: number): number | undefined {
  return length === 0 ? undefined : STEPS[key]?.(at, length - 1);
}

/** The place of the active session. One that is gone leaves its place to the one that moved up into it. */
export function placeOf(sessions: readonly SessionItem[], activeId: string | undefined, lastPlace: number): number {
  const at = sessions.findIndex(({ id }) => id === activeId);
  return at >= 0 ? at : Math.max(0, Math.min(lastPlace, sessions.length - 1));
}
