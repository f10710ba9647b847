import type { EntryView } from './entry-view.ts';

/** A selection over more entries than this loses its middle when it is scrolled away. */
const MOST_SELECTED = 100;

/** The entries that have to stay drawn although the reader has scrolled away: what has focus, and what is selected. */
export function pinnedEntries(root: HTMLElement): readonly EntryView[] {
  const pinned = new Set<EntryView>();
  const focused = entryOf(document.activeElement, root);
  if (focused) pinned.add(focused);
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return [...pinned];
  const entries = [...root.querySelectorAll('gantry-entry')].filter((entry) => selection.containsNode(entry, true));
  for (const entry of entries.slice(0, MOST_SELECTED)) pinned.add(entry);
  return [...pinned];
}

function entryOf(node: Element | null, root: HTMLElement): EntryView | undefined {
  const entry = node?.closest('gantry-entry');
  return entry && root.contains(entry) ? entry : undefined;
}
