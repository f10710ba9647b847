import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { emit } from './events.ts';
import { icon } from './icons.ts';

type Part = TemplateResult | string | symbol;

/** A sheet that replaces the conversation and the dock: a head with a back button, a scrolling body and a foot. */
export function sheetView(title: string, head: Part, body: Part, foot: Part): TemplateResult {
  const back = (event: Event): void => emit(event.currentTarget as Element, 'gantry-sheet-close', undefined);
  return html`<section class="sheet" aria-label=${title}>
    <div class="sheet-head">
      <button class="icon" type="button" aria-label=${l10n.t('Back to conversation')}
        title=${l10n.t('Back to conversation (Escape)')}
        @click=${back}>${icon('arrow-left')}</button>
      <h1 class="cut grow">${title}</h1>
      ${head}
    </div>
    ${body} ${foot}
  </section>`;
}
