import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Notice } from '../../extension/protocol/panel/input-to-panel.ts';
import { postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { shown } from '../base/shown-text.ts';
import type { SendRefusal } from '../state/composer-state.ts';

/** Why the last message was refused. */
export function refusalView({ title, detail }: SendRefusal, dismiss: () => void): TemplateResult {
  return html`<div class="alert error refusal" role="alert">
    ${icon('error')}
    <h2>${title}</h2>
    <p>${detail}</p>
    ${dismissButton(dismiss)}
  </div>`;
}

/** The output of a command. Its summary is announced when it appears; the list can be navigated. */
export function noticeView({ title, rows, actions = [] }: Notice, dismiss: () => void): TemplateResult {
  return html`<section class="alert news refusal notice" aria-label=${title}>
    ${icon('info')}
    <h2>${title}</h2>
    ${
      rows.length === 0
        ? nothing
        : html`<dl tabindex="0" aria-label=${title}>
          ${rows.map(({ name, value, link }) => html`<dt>${linked(name, link)}</dt><dd>${shown(value)}</dd>`)}
        </dl>`
    }
    ${actions.length === 0 ? nothing : html`<div class="acts">${actions.map(actionButton)}</div>`}
    ${dismissButton(dismiss)}
  </section>`;
}

function linked(name: string, link: string | undefined): TemplateResult {
  if (link === undefined) return html`${shown(name)}`;
  const open = (event: Event): void => {
    // VS Code follows links in webviews by itself. This link is handled here.
    event.preventDefault();
    openNotice(event, link);
  };
  return html`<a href="#" @click=${open} @auxclick=${open}>${shown(name)}</a>`;
}

function actionButton({ label, link }: NonNullable<Notice['actions']>[number]): TemplateResult {
  const act = (event: Event): void => openNotice(event, link);
  return html`<vscode-button appearance="secondary" @click=${act}>${label}</vscode-button>`;
}

function openNotice({ currentTarget }: Event, link: string): void {
  if (currentTarget instanceof Element) postToHost(currentTarget, { type: 'openNotice', link });
}

function dismissButton(dismiss: () => void): TemplateResult {
  return html`<button class="icon dismiss" type="button" aria-label=${l10n.t('Dismiss')} title=${l10n.t('Dismiss')} @click=${dismiss}>
    ${icon('close')}
  </button>`;
}
