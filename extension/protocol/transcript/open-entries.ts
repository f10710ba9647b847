import type { Entry } from './transcript-entry.ts';

/** Kinds of problems that don't affect the run; they are defined in protocol/agent/problem.ts. */
const MILD = new Set(['not-saved', 'log-damaged', 'session-locked', 'session-unreadable']);

/**
 * The entries whose buttons are still enabled: at the end of the conversation, the newest failure and the newest
 * warning of each kind, a note that offers to continue if nothing followed it, or otherwise the end of the last turn.
 * Entries are read newest first, no further than needed.
 */
export function openEntries(newestFirst: Iterable<Entry>): ReadonlySet<string> {
  const open = new Set<string>();
  const warnings = new Set<string>();
  let canContinue = true;
  let newest: Entry | undefined;
  for (const entry of newestFirst) {
    if (entry.kind === 'protected' || (entry.kind === 'note' && entry.quiet)) continue;
    newest ??= entry;
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
  if (open.size === 0 && newest?.kind === 'usage') open.add(newest.id);
  return open;
}
