import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { formatCost, formatCount } from '../../extension/protocol/words/numbers.ts';
import { formatSeconds, formatTime } from '../base/format.ts';
import { icon } from '../base/icons.ts';
import type { ViewContext } from './views.ts';

/** The end of a turn: its usage, and the actions for its answer. */
export function usageView(entry: Extract<Entry, { kind: 'usage' }>, { current, post }: ViewContext): TemplateResult {
  const { id, inputTokens, outputTokens, seconds, cost, at } = entry;
  const exact =
    at === undefined
      ? l10n.t('{0} tokens in, {1} tokens out', inputTokens, outputTokens)
      : l10n.t('{0} tokens in, {1} tokens out, {2}', inputTokens, outputTokens, formatTime(at));
  const copy = (): void => post({ type: 'copyTurn', id });
  const again = (): void => post({ type: 'tryAgain' });
  return html`<div class="usage">
    <span title=${exact}>${l10n.t('{0} in · {1} out', formatCount(inputTokens), formatCount(outputTokens))}</span>
    ${cost === undefined ? nothing : html`<span>${formatCost(cost)}</span>`}
    <span>${formatSeconds(seconds)}</span>
    <span class="usage-acts">
      <button class="icon" type="button" aria-label=${l10n.t('Copy answer as Markdown')}
        title=${l10n.t('Copy answer as Markdown')}
        @click=${copy}>${icon('copy')}</button>
      ${
        current
          ? html`<button class="icon when-still" type="button" aria-label=${l10n.t('Try again')} title=${l10n.t('Try again')}
              @click=${again}>${icon('refresh')}</button>`
          : nothing
      }
    </span>
  </div>`;
}
