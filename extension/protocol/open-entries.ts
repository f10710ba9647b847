import type { Entry } from './transcript-entry.ts';

/** Kinds of problems that leave the run as it is; they come from protocol/problem.ts. */
const MILD = new Set(['not-saved', 'log-damaged', 'session-locked', 'session-unreadable']);

/**
 * Given from the newest on, and read no further than needed: the entries whose buttons still mean something: at the end of the conversation, the newest failure and the newest
 * warning of each kind, and a note to go on from when nothing happened after it.
 */
export function openEntries(newestFirst: Iterable<Entry>): ReadonlySet<string> {
  const open = new Set<string>();
  const warnings = new Set<string>();
  let canContinue = true;
  for (const entry of newestFirst) {
    if (entry.kind === 'usage') continue;
    if (entry.kind === 'note') {
      if (canContinue && entry.canContinue) open.add(entry.id);
      canContinue = false;
      continue;
    }
    if (entry.kind !== 'problem') break;
    const { kind } = entry.problem;
    if (!MILD.has(kind)) {
      open.add(entry.id);
      break;
    }
    if (!warnings.has(kind)) open.add(entry.id);
    warnings.add(kind);
  }
  return open;
}
