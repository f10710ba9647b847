import type { SessionSummary } from './session-summary.ts';

export interface RetentionRules {
  /** 0: age does not matter. */
  readonly maxAgeDays: number;
  /** 0: the number does not matter. Sessions that work for another one do not count. */
  readonly maxCount: number;
  readonly now: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Whatever the rules say, nobody loses what they worked on this month. */
const ALWAYS_KEPT_DAYS = 30;

/** A session and all that work for it, the session first. They stay or go together. */
export type Family = readonly SessionSummary[];

/** The families that the rules give up, oldest first. */
export function givenUp(sessions: readonly SessionSummary[], { maxAgeDays, maxCount, now }: RetentionRules): Family[] {
  const families = familiesOf(sessions).sort((a, b) => updatedAt(a) - updatedAt(b));
  let tooMany = maxCount > 0 ? families.length - maxCount : 0;
  return families.filter((family) => {
    const age = (now - updatedAt(family)) / DAY_MS;
    const mayGo = age > ALWAYS_KEPT_DAYS && family.every(({ pinned, problem }) => !pinned && problem === undefined);
    const goes = mayGo && ((maxAgeDays > 0 && age > maxAgeDays) || tooMany > 0);
    if (goes) tooMany--;
    return goes;
  });
}

/** A session whose parent is not there is the head of its own family. */
export function familiesOf(sessions: readonly SessionSummary[]): Family[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const families = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const head = headOf(session, byId);
    const family = families.get(head.id) ?? [];
    if (session === head) family.unshift(session);
    else family.push(session);
    families.set(head.id, family);
  }
  return [...families.values()];
}

/** `id` and all that work for it, however far down. */
export function withDescendants(id: string, sessions: readonly SessionSummary[]): string[] {
  const ids = new Set([id]);
  // A set grows while it is walked, so children of children are reached too.
  for (const known of ids) {
    for (const { id: child, parent } of sessions) if (parent?.sessionId === known) ids.add(child);
  }
  return [...ids];
}

function headOf(session: SessionSummary, byId: ReadonlyMap<string, SessionSummary>): SessionSummary {
  const seen = new Set<SessionSummary>();
  let head = session;
  while (!seen.has(head)) {
    seen.add(head);
    head = byId.get(head.parent?.sessionId ?? '') ?? head;
  }
  return head;
}

function updatedAt(family: Family): number {
  return Math.max(...family.map((session) => session.updatedAt));
}
