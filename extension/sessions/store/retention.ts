import type { SessionSummary } from './session-summary.ts';

export interface RetentionRules {
  /** 0: no limit. */
  readonly maxAgeDays: number;
  /** 0: no limit. Sessions of subagents don't count. */
  readonly maxCount: number;
  readonly now: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Sessions of the last month are kept, whatever the rules say. */
const ALWAYS_KEPT_DAYS = 30;

/** A session and the sessions that work for it, the session first. They are kept or removed together. */
export type Family = readonly SessionSummary[];

/** The families that the rules remove, oldest first. */
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

/** A session whose parent no longer exists is the head of its own family. */
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

/** The ids of a session and of all sessions that work for it, at any depth. */
export function withDescendants(id: string, sessions: readonly SessionSummary[]): string[] {
  const ids = new Set([id]);
  // The loop also visits ids that are added to the set, so it reaches children of children too.
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
