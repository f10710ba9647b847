import { html, nothing, type TemplateResult } from 'lit';
import { type CompactedEntry, compactedWords } from '../../extension/protocol/compacted-words.ts';
import { icon } from '../icons.ts';
import type { ViewContext } from './views.ts';

/** A quiet line that opens: what the model is sent instead, and that nothing is lost. */
export function compactedView(entry: CompactedEntry, { open, toggle, post }: ViewContext): TemplateResult {
  const exact = `${entry.tokensBefore} tokens before, ${entry.tokensAfter} after`;
  const inEditor = (): void => post({ type: 'openSnapshot', id: entry.id });
  return html`<div class="note opens" @click=${toggle}>
      ${icon('fold')}<span title=${exact}>${compactedWords(entry)}</span>
      <button class="icon" type="button" aria-expanded=${open} @click=${toggled(toggle)}
        aria-label=${open ? 'Hide what was compacted' : 'Show what was compacted'}
      >${icon(open ? 'chevron-down' : 'chevron-right', 'chevron')}</button>
    </div>
    ${
      open
        ? html`<div class="step-body compacted" role="group" aria-label="What was compacted">
            <p>${origin(entry)} From here on the model is sent a summary of what was said before.</p>
            <p><b>Kept word for word:</b> your first and your last message, the todo list, an approved plan, and what was said since.</p>
            <p>Nothing was deleted: the whole conversation is above, and in its log.</p>
            <gantry-clamped-text class="mono" .text=${entry.summary}></gantry-clamped-text>
            <div class="acts only-in-editor"><button class="ghost link" type="button" @click=${inEditor}>Open the summary in an editor</button></div>
          </div>`
        : nothing
    }`;
}

/** The line around the button opens it too. */
function toggled(toggle: () => void): (event: Event) => void {
  return (event) => {
    event.stopPropagation();
    toggle();
  };
}

function origin({ trigger, at }: CompactedEntry): string {
  const when = new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
  return trigger === 'manual' ? `By you, ${when}.` : `By itself, because the context was filling up, ${when}.`;
}
