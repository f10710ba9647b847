import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { visiblePieces } from '../../extension/protocol/words/visible-text.ts';
import { icon } from '../icons.ts';
import { worded } from '../shown-text.ts';
import type { Question } from './approval-answer.ts';
import { wordsOf } from './approval-details.ts';
import { isCut } from './approval-gate.ts';

/** What the reader has to know before they answer. */
export function notesView(
  { message, request }: Question,
  gate: string | undefined,
  post: (message: ToHost) => void,
): TemplateResult {
  const isHiding = visiblePieces(wordsOf(request?.details, message)).some(({ hidden }) => hidden);
  const sign = isCut(request?.details) ? 'diff' : 'arrow-down';
  return html`${isHiding ? hiddenNote() : nothing}
    ${gate === undefined ? nothing : html`<p class="why">${icon(sign)}<span>${gate}</span></p>`}
    ${request?.why ? html`<p class="why quiet">${icon('law')}<span>${worded(request.why, post)}</span></p>` : nothing}`;
}

function hiddenNote(): TemplateResult {
  return html`<p class="why">
    ${icon('warning')}<span>${l10n.t('Contains invisible characters, which are shown as codes.')}</span>
  </p>`;
}
