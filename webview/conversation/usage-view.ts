import { html, nothing, type TemplateResult } from 'lit';
import { formatCost } from '../../extension/protocol/format-cost.ts';
import { formatCount } from '../../extension/protocol/format-count.ts';
import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { formatSeconds, formatTime } from '../format.ts';
import { icon } from '../icons.ts';
import type { ViewContext } from './views.ts';

/** The end of a turn: what it took, and what can be done with its answer. */
export function usageView(entry: Extract<Entry, { kind: 'usage' }>, { current, post }: ViewContext): TemplateResult {
  const { id, inputTokens, outputTokens, seconds, cost, at } = entry;
  const exact = `${inputTokens} tokens in, ${outputTokens} tokens out${at === undefined ? '' : `, ${formatTime(at)}`}`;
  const copy = (): void => post({ type: 'copyTurn', id });
  const again = (): void => post({ type: 'tryAgain' });
  return html`<div class="usage">
    <span title=${exact}>${formatCount(inputTokens)} in · ${formatCount(outputTokens)} out</span>
    ${cost === undefined ? nothing : html`<span>${formatCost(cost)}</span>`}
    <span>${formatSeconds(seconds)}</span>
    <span class="usage-acts">
      <button class="icon" type="button" aria-label="Copy answer as Markdown" title="Copy answer as Markdown"
        @click=${copy}>${icon('copy')}</button>
      ${
        current
          ? html`<button class="icon when-still" type="button" aria-label="Try again" title="Try again"
              @click=${again}>${icon('refresh')}</button>`
          : nothing
      }
    </span>
  </div>`;
}
