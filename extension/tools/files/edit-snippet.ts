import { withLf } from '../../files/line-ends.ts';
import { changedHunks } from '../../text/unified-diff.ts';

const CONTEXT = 5;
/** So much tells the model whether the edit landed where it should. */
const MAX_LINES = 100;
const MAX_LINE_CHARS = 300;

/** The changed places of a text as they are now, with line numbers and a few lines around. */
export function editSnippet(before: string, after: string): string {
  const lines: string[] = [];
  for (const hunk of changedHunks(withLf(before), withLf(after), CONTEXT)) {
    if (lines.length > 0) lines.push('…');
    let number = hunk.newStart;
    for (const line of hunk.lines.filter((each) => each.startsWith(' ') || each.startsWith('+'))) {
      lines.push(`${String(number++).padStart(5)} ${line[0]} ${short(line.slice(1))}`);
    }
  }
  const cut = lines.length - MAX_LINES;
  return (cut > 0 ? [...lines.slice(0, MAX_LINES), `… ${cut} more lines`] : lines).join('\n');
}

function short(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}
