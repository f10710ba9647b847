import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { type CompactedEntry, compactedWords } from '../../extension/protocol/transcript/notes.ts';
import { formatDateAndTime } from '../base/format.ts';
import { icon } from '../base/icons.ts';
import { filled } from '../base/shown-text.ts';
import type { ViewContext } from './views.ts';

/** A quiet line that expands to explain what the model is sent instead, and that nothing is lost. */
export function compactedView(entry: CompactedEntry, { open, toggle, post }: ViewContext): TemplateResult {
  const exact = l10n.t('{0} tokens before, {1} after', entry.tokensBefore, entry.tokensAfter);
  const inEditor = (): void => post({ type: 'openSnapshot', id: entry.id });
  return html`<div class="note opens" @click=${toggle}>
      ${icon('fold')}<span title=${exact}>${compactedWords(entry)}</span>
      <button class="icon" type="button" aria-expanded=${open} @click=${toggled(toggle)}
        aria-label=${open ? l10n.t('Hide what was compacted') : l10n.t('Show what was compacted')}
      >${icon(open ? 'chevron-down' : 'chevron-right', 'chevron')}</button>
    </div>
    ${
      open
        ? html`<div class="step-body compacted" role="group" aria-label=${l10n.t('What was compacted')}>
            <p>${origin(entry)} ${l10n.t('From here on, a summary replaces the earlier messages in requests.')}</p>
            <p>${filled(
              l10n.t('{0} your first and last message, the todo list, an approved plan, and everything since then.'),
              html`<b>${l10n.t('Kept word for word:')}</b>`,
            )}</p>
            <p>${l10n.t('Nothing was deleted: the whole conversation is above, and in its log.')}</p>
            <gantry-clamped-text class="mono" .text=${entry.summary}></gantry-clamped-text>
            <div class="acts only-in-editor"><button class="ghost link" type="button" @click=${inEditor}>${l10n.t('Open the summary in an editor')}</button></div>
          </div>`
        : nothing
    }`;
}

/** Stops the event, because a click on the line around the button toggles it too. */
function toggled(toggle: () => void): (event: Event) => void {
  return (event) => {
    event.stopPropagation();
    toggle();
  };
}

function origin({ trigger, at }: CompactedEntry): string {
  const when = formatDateAndTime(at);
  return trigger === 'manual'
    ? l10n.t('Started by you, {0}.', when)
    : l10n.t('Started automatically, because the context was filling up, {0}.', when);
}
