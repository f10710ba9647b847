import type { Entry } from '../../extension/protocol/transcript-entry.ts';

/** Kinds of problems that leave the run as it is; they come from protocol/problem.ts. */
const MILD = new Set(['not-saved', 'log-damaged', 'session-locked', 'session-unreadable']);

/**
 * The entries whose buttons still mean something: at the end of the conversation, the newest failure and the newest
 * warning of each kind, a note to go on from when nothing happened after it, or else the end of the last turn.
 */
export function openEntries(entries: readonly Entry[]): ReadonlySet<string> {
  const open = new Set<string>();
  const warnings = new Set<string>();
  let canContinue = true;
  for (const entry of entries.toReversed()) {
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
  const last = entries.at(-1);
  if (open.size === 0 && last?.kind === 'usage') open.add(last.id);
  return open;
}
