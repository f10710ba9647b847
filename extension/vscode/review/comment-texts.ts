import * as l10n from '@vscode/l10n';

/** A remark on lines of a proposal. Lines are counted from 0, end included. */
export interface Remark {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The label of comments on an applied change: when they will be sent, or that they were sent. */
export function whenSent(isSent: boolean, isRunning: boolean): string {
  if (isSent) return l10n.t('Sent to Gantry');
  return isRunning ? l10n.t('Goes to Gantry with its next step') : l10n.t('Goes to Gantry with your next message');
}

/** Quoting more lines would not make the remark clearer. */
const MAX_QUOTED_LINES = 20;

/** The feedback for the agent: the place of each remark, the lines it refers to, and its text. */
export function feedbackText(label: string, text: string, remarks: readonly Remark[]): string {
  const lines = text.split(/\r\n|\r|\n/);
  return [...remarks]
    .sort((left, right) => left.start - right.start)
    .map(({ start, end, text: words }) => [placeOf(label, start, end), quoted(lines, start, end), words].join('\n'))
    .join('\n\n');
}

function placeOf(label: string, start: number, end: number): string {
  return start === end ? `${label}, line ${start + 1}:` : `${label}, lines ${start + 1}–${end + 1}:`;
}

function quoted(lines: readonly string[], start: number, end: number): string {
  const meant = lines.slice(start, end + 1);
  const shown = meant.slice(0, MAX_QUOTED_LINES).map((line) => `> ${line}`);
  const left = meant.length - shown.length;
  return [...shown, ...(left > 0 ? [`> … ${left} more lines`] : [])].join('\n');
}
