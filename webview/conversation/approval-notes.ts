import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { ApprovalRequest } from '../../extension/protocol/agent/approval.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { visiblePieces } from '../../extension/protocol/words/visible-text.ts';
import { icon } from '../icons.ts';
import { worded, wordedLine } from '../shown-text.ts';
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
    ${request?.why ? html`<p class="why quiet">${icon('law')}${whyView(request, post)}</p>` : nothing}`;
}

/** One line is enough for an edit. The reason why a command asks is not cut. */
function whyView({ details, why }: ApprovalRequest, post: (message: ToHost) => void): TemplateResult {
  const line = details.type === 'edit' ? wordedLine(why, post) : undefined;
  return line ?? html`<span>${worded(why, post)}</span>`;
}

function hiddenNote(): TemplateResult {
  return html`<p class="why">
    ${icon('warning')}<span>${l10n.t('Contains invisible characters, which are shown as codes.')}</span>
  </p>`;
}
