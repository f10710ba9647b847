import type { Entry } from '../../protocol/transcript/transcript-entry.ts';

/** Whether a message is in the conversation, behind the last entry that its sender knew. */
export function wasSaid(
  entries: readonly Entry[],
  { text, after }: { text: string; after?: string | undefined },
): boolean {
  const from = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  // The entry is gone, so nothing tells old from new: better twice in the input than lost.
  if (after !== undefined && from === 0) return false;
  return entries.slice(from).some((entry) => isSaid(entry, text));
}

function isSaid(entry: Entry, text: string): boolean {
  if (entry.kind === 'tool') return entry.command?.typed !== undefined && `!${entry.command.typed}` === trimmed(text);
  return entry.kind === 'user' && entry.text === text;
}

/** A command as the host gets it. */
function trimmed(text: string): string {
  return text.startsWith('!') ? `!${text.slice(1).trim()}` : text;
}
