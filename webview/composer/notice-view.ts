import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Notice } from '../../extension/protocol/input-to-panel.ts';
import { icon } from '../icons.ts';
import type { Refusal } from '../state/composer-state.ts';

/** Why the last message was refused. */
export function refusalView({ title, detail }: Refusal, dismiss: () => void): TemplateResult {
  return html`<div class="alert error refusal" role="alert">
    ${icon('error')}
    <h2>${title}</h2>
    <p>${detail}</p>
    ${dismissButton(dismiss)}
  </div>`;
}

/** What a command had to say. It is read out in short when it comes; a list can be gone through. */
export function noticeView({ title, rows }: Notice, dismiss: () => void): TemplateResult {
  return html`<section class="alert news refusal notice" aria-label=${title}>
    ${icon('info')}
    <h2>${title}</h2>
    ${
      rows.length === 0
        ? nothing
        : html`<dl tabindex="0" aria-label=${title}>
          ${rows.map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`)}
        </dl>`
    }
    ${dismissButton(dismiss)}
  </section>`;
}

function dismissButton(dismiss: () => void): TemplateResult {
  return html`<button class="icon dismiss" type="button" aria-label=${l10n.t('Dismiss')} title=${l10n.t('Dismiss')} @click=${dismiss}>
    ${icon('close')}
  </button>`;
}
