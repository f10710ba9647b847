import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ContextKind, ContextShares } from '../../extension/protocol/agent/context-shares.ts';
import { formatCount } from '../../extension/protocol/words/numbers.ts';
import type { ContextUse } from './context-words.ts';

/** The usage of the window by kind: as a bar, and as a list with names and numbers. */

export function shareBar(shares: ContextShares): TemplateResult {
  return html`<div class="context-bar shares" aria-hidden="true">
    ${shares.map(({ kind }) => html`<span class="share ${kind}"></span>`)}
  </div>`;
}

/**
 * Sets the widths of the bar's segments. Templates can't, because the content security policy forbids inline styles.
 */
export function layOutBar(dialog: Element | null, shares: ContextShares, { window }: ContextUse): void {
  const parts = dialog?.querySelectorAll<HTMLElement>('.context-bar .share') ?? [];
  for (const [index, part] of [...parts].entries()) {
    part.style.setProperty('width', `${(100 * (shares[index]?.tokens ?? 0)) / Math.max(1, window)}%`);
  }
}

export function shareList(shares: ContextShares, { used, window }: ContextUse): TemplateResult {
  const row = (className: string, name: string, tokens: number): TemplateResult =>
    html`<li><span class="share ${className}" aria-hidden="true"></span> <span class="name">${name}</span>
      <span class="count">${formatCount(tokens)}</span></li>`;
  return html`<ul class="shares" aria-label=${l10n.t('Estimated breakdown')}>
    ${shares.map(({ kind, tokens }) => row(kind, kindName(kind), tokens))}
    ${row('free', l10n.t('Free'), Math.max(0, window - used))}
  </ul>`;
}

/** The parts of the conversation that are not sent in full, if there are any. */
export function shortenedList({ masked, leftOut }: ContextUse): TemplateResult | typeof nothing {
  if (masked + leftOut === 0) return nothing;
  return html`<dl>
    ${masked === 0 ? nothing : html`<dt>${l10n.t('Old tool outputs kept in files')}</dt><dd>${masked}</dd>`}
    ${leftOut === 0 ? nothing : html`<dt>${l10n.t('Old images and documents not sent')}</dt><dd>${leftOut}</dd>`}
  </dl>`;
}

export function kindName(kind: ContextKind): string {
  switch (kind) {
    case 'instructions':
      return l10n.t('Instructions');
    case 'memory':
      return l10n.t('Instruction files');
    case 'environment':
      return l10n.t('Machine and workspace');
    case 'tools':
      return l10n.t('Tools');
    case 'summary':
      return l10n.t('Summary of earlier turns');
    case 'attachments':
      return l10n.t('Files and attachments');
    case 'messages':
      return l10n.t('Your messages');
    case 'answers':
      return l10n.t('Answers');
    case 'results':
      return l10n.t('Tool results');
  }
}
