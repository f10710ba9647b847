import { html, type TemplateResult } from 'lit';
import type { PanelState } from '../extension/protocol/panel-messages.ts';
import { postToHost } from './events.ts';
import { icon } from './icons.ts';

/** The fixed parts around the conversation. */
export function sessionBar(title: string): TemplateResult {
  return html`<header class="session-bar"><h1 class="cut grow" title=${title}>${title}</h1></header>`;
}

export function restrictedBanner(): TemplateResult {
  const manage = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'manageTrust' });
  return html`<div class="banner" role="status">
    ${icon('workspace-untrusted')}
    <p><b>Read-only.</b> This folder is not trusted. Gantry can read and explain it, and cannot change or run anything.</p>
    <div class="acts">
      <vscode-button class="slim" appearance="secondary" @click=${manage}>Manage Workspace Trust</vscode-button>
    </div>
  </div>`;
}

export function statusRow({ model }: PanelState): TemplateResult {
  const select = (event: Event): void => postToHost(event.currentTarget as Element, { type: 'selectModel' });
  return html`<div class="status">
    <button class="ghost" type="button" aria-label="Model: ${model}" title="Select model" @click=${select}>
      ${icon('chip')}<span class="cut">${model}</span>
    </button>
  </div>`;
}

export function placeholder(state: PanelState | undefined): string {
  if (state?.running) return 'Write the next message';
  if (state?.offline) return 'Ask the guide';
  return state?.hasFolder ? 'Ask about this folder' : 'Ask a question';
}
