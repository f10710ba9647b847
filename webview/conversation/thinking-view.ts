import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ThinkingWay } from '../../extension/protocol/agent/thinking.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { formatSeconds } from '../base/format.ts';
import { icon } from '../base/icons.ts';
import { thinkingTitle } from './text-excerpt.ts';
import { chevron, type ViewContext } from './views.ts';

/** The model's thoughts. If they are hidden, only a search opens them. */
export function thinkingView(
  entry: Extract<Entry, { kind: 'thinking' }>,
  way: ThinkingWay,
  { cell, open, toggle, post }: ViewContext,
): TemplateResult | typeof nothing {
  if (way === 'hidden' && !open) return nothing;
  const title = entry.running ? thinkingTitle(entry.text) : '';
  const words = entry.running
    ? html`<b class="obj">${l10n.t('Thinking')}</b><span class="cut">${title}</span>`
    : html`<span>${entry.seconds > 0 ? l10n.t('Thought for {0}', formatSeconds(entry.seconds)) : l10n.t('Thought for a moment')}</span>`;
  const sign = entry.running ? icon('loading', 'spin') : icon('thinking');
  const link = (label: string, next: ThinkingWay): TemplateResult =>
    html`<button class="ghost link" type="button" @click=${() => post({ type: 'setThinking', way: next })}>${label}</button>`;
  return html`<div class="step" role="group" aria-label=${l10n.t('Thinking')}>
    <button class="step-row" type="button" aria-expanded=${open} @click=${toggle}>
      ${sign}<span class="what">${words}</span>${chevron(open)}
    </button>
    ${
      open
        ? html`<div class="step-body">
            <gantry-markdown class="md quiet" .cell=${cell}></gantry-markdown>
            <div class="acts thinking-acts only-in-editor">
              ${way === 'expanded' ? link(l10n.t('Always collapse'), 'collapsed') : nothing}
              ${way === 'collapsed' ? link(l10n.t('Always expand'), 'expanded') : nothing}
              ${way === 'hidden' ? link(l10n.t('Show thinking'), 'collapsed') : link(l10n.t('Hide thinking'), 'hidden')}
            </div>
          </div>`
        : nothing
    }
  </div>`;
}
