import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PanelState } from '../extension/protocol/panel/panel-messages.ts';
import { postToHost } from './events.ts';
import { icon } from './icons.ts';
import { shown } from './shown-text.ts';

const acts = () =>
  ({
    'review-hooks': { label: l10n.t('Review hooks'), message: { type: 'reviewHooks' } },
    'review-mcp-servers': { label: l10n.t('Review MCP servers'), message: { type: 'reviewMcpServers' } },
    'review-agents': { label: l10n.t('Review agents'), message: { type: 'reviewAgents' } },
    'open-policies': { label: l10n.t('Open policies'), message: { type: 'openPolicies' } },
  }) as const;

/** What the next message can do now that the folder is trusted. */
export function trustCard({ lines, actions }: NonNullable<PanelState['trustNews']>): TemplateResult {
  const buttons = actions.map((action) => {
    const { label, message } = acts()[action];
    const act = (event: Event): void => postToHost(event.currentTarget as Element, message);
    return html`<vscode-button appearance="secondary" @click=${act}>${label}</vscode-button>`;
  });
  return html`<div class="note">${icon('workspace-trusted')}<span>${l10n.t('Folder trusted')}</span></div>
    <div class="alert news" role="status">
      ${icon('unlock')}
      <h2>${l10n.t('From the next message')}</h2>
      ${lines.map((line) => html`<p>${shown(line)}</p>`)}
      ${buttons.length === 0 ? nothing : html`<div class="acts">${buttons}</div>`}
    </div>`;
}
