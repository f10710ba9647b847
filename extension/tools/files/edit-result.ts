import * as l10n from '@vscode/l10n';
import { withLf } from '../../files/line-ends.ts';
import type { ToolResult } from '../../ports/tool.ts';
import type { DisplayContent, ToolDisplay } from '../../protocol/agent/agent-event.ts';
import { changedHunks, countChanges, cutPatch, unifiedDiff } from '../../text/unified-diff.ts';
import { savingChanges, userChanges } from './saved-text.ts';

export interface EditSummary {
  readonly displayName: string;
  readonly label: string;
  readonly before: string | null;
  readonly after: string;
  /** What happened, for the model. */
  readonly done: string;
  /** The text that the model proposed, if the user changed it. */
  readonly proposed?: string;
  /** The text after the editor changed it on save. */
  readonly saved?: string;
}

/** Both texts are stored with the conversation. For larger files, only the changed places are. */
const MAX_SHOWN_CHARS = 1_000_000;
const SHOWN_CONTEXT = 3;
/** A completed step is only skimmed; the whole change is in the file. */
const MAX_STEP_PATCH_CHARS = 20_000;

export function editResult(summary: EditSummary, problems: string): ToolResult {
  const { displayName, label, before, after, done, proposed, saved } = summary;
  const isAsSent = before === null && proposed === undefined;
  const sections = [
    done,
    proposed === undefined ? '' : userChanges(proposed, after),
    isAsSent ? '' : editSnippet(before ?? '', after),
    saved === undefined ? '' : savingChanges(after, saved),
    problems,
  ];
  const { added, removed } = countChanges(before ?? '', after);
  const display: ToolDisplay = {
    name: displayName,
    description: label,
    resultSummary: [`+${added} −${removed}`, ...asides(proposed, saved)].join(' · '),
    result: shownDiff(label, before ?? '', after),
  };
  return { content: sections.filter((section) => section !== '').join('\n\n'), display };
}

export function editFailed(displayName: string, label: string, failed: ToolResult): ToolResult {
  return { ...failed, display: { name: displayName, description: label, resultSummary: null, result: null } };
}

/** Notes which changes are not the agent's. */
function asides(proposed: string | undefined, saved: string | undefined): string[] {
  return [
    ...(proposed === undefined ? [] : [l10n.t('changed by you')]),
    ...(saved === undefined ? [] : [l10n.t('changed on save')]),
  ];
}

function shownDiff(path: string, before: string, after: string): DisplayContent {
  const patch = cutPatch(unifiedDiff(before, after), MAX_STEP_PATCH_CHARS);
  if (before.length + after.length <= MAX_SHOWN_CHARS) {
    return { type: 'diff', path, beforeText: before, afterText: after, patch };
  }
  const lines = changedHunks(before, after, SHOWN_CONTEXT).flatMap((hunk) => [...hunk.lines, ' …']);
  const side = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n')
      .slice(0, MAX_SHOWN_CHARS);
  return { type: 'diff', path, beforeText: side('-'), afterText: side('+'), patch };
}

const CONTEXT = 5;
/** Enough for the model to see whether the edit is in the right place. */
const MAX_LINES = 100;
const MAX_LINE_CHARS = 300;

/** The changed places of the new text, with line numbers and a few lines of context. */
function editSnippet(before: string, after: string): string {
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
