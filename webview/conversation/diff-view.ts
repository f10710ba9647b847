import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { shown } from '../base/shown-text.ts';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  /** The line number in the new text, or in the old text for a removed line. */
  readonly number?: number;
  readonly text: string;
  /** For a gap, the number of lines that it replaces. */
  readonly skipped?: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@/;

/** The lines of a unified diff for display: numbered, with gaps in place of unchanged lines. */
export function diffLines(patch: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [old, now, shownTo] = [0, 0, 0];
  let isInHunk = false;
  for (const line of patch.split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      const [, oldStart, oldCount, newStart] = hunk;
      // If a hunk has no old lines, its header has the number of the line before it.
      old = Number(oldStart) + (oldCount === '0' ? 1 : 0);
      now = Number(newStart);
      const skipped = old - 1 - shownTo;
      if (skipped > 0 && (lines.length > 0 || skipped > 1)) lines.push(gapOf(skipped));
      isInHunk = true;
    } else if (isInHunk && line.startsWith('+')) {
      lines.push({ kind: 'added', number: now++, text: line.slice(1) });
    } else if (isInHunk && line.startsWith('-')) {
      lines.push({ kind: 'removed', number: old++, text: line.slice(1) });
    } else if (isInHunk && line.startsWith(' ')) {
      lines.push({ kind: 'same', number: now++, text: line.slice(1) });
      old++;
    } else if (isInHunk && line.startsWith('\\')) {
      lines.push({ kind: 'gap', text: line.slice(1).trim() });
    }
    shownTo = Math.max(0, old - 1);
  }
  return lines;
}

/** Only changed lines, with gaps between separate places. The diff editor shows the context. */
export function changedDiffLines(patch: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let skipped = 0;
  for (const line of diffLines(patch)) {
    if (line.kind === 'same' || line.skipped !== undefined) {
      skipped += line.skipped ?? 1;
      continue;
    }
    if (skipped > 0 && lines.length > 0) lines.push(gapOf(skipped));
    lines.push(line);
    skipped = 0;
  }
  return lines;
}

function gapOf(skipped: number): DiffLine {
  return { kind: 'gap', text: unchanged(skipped), skipped };
}

function unchanged(count: number): string {
  return count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', count);
}

/** The lines of a diff, which wrap. If they exceed the box, it scrolls, so it is focusable for the keyboard. */
export function diffView(path: string, lines: readonly DiffLine[], extraClass = ''): TemplateResult {
  return html`<div class="diff mono ${extraClass}" role="group" tabindex="0" aria-label=${l10n.t('Changes to {0}', path)}>${lines.map(lineView)}</div>`;
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: '+', removed: '−', gap: '' };

function lineView({ kind, number, text }: DiffLine): TemplateResult {
  if (kind === 'gap') return html`<div class="gap">${text}</div>`;
  return html`<div class=${kind}><i>${number}</i><u>${SIGNS[kind]}</u><span>${shown(text)}</span></div>`;
}
