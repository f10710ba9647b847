import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { shown } from '../shown-text.ts';
import type { DiffLine } from './diff-lines.ts';

/** The lines of a diff, which wrap. Past its height it scrolls, so it can be reached with the keyboard. */
export function diffView(path: string, lines: readonly DiffLine[], extraClass = ''): TemplateResult {
  return html`<div class="diff mono ${extraClass}" role="group" tabindex="0" aria-label=${l10n.t('Changes to {0}', path)}>${lines.map(lineView)}</div>`;
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: '+', removed: '−', gap: '' };

function lineView({ kind, number, text }: DiffLine): TemplateResult {
  if (kind === 'gap') return html`<div class="gap">${text}</div>`;
  return html`<div class=${kind}><i>${number}</i><u>${SIGNS[kind]}</u><span>${shown(text)}</span></div>`;
}
