import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { emit } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import type { WaitingQuestion } from '../state/transcript.ts';

/** The row above the input that names a pending question while its card is out of view, and links to it. */
export function approvalPointer(questions: readonly WaitingQuestion[]): TemplateResult | typeof nothing {
  const [first] = questions;
  if (!first) return nothing;
  const { requestId, title } = first;
  const words = first.subject === '' ? title : `${title} ${first.subject}`;
  const go = (event: Event): void => emit(event.currentTarget as Element, 'gantry-to-ask', { requestId });
  return html`<button class="approval-pointer" type="button" title=${words} @click=${go}>
    ${icon('bell-dot')}<span class="cut grow">${l10n.t('Needs you: {0}', words)}</span>
    ${questions.length > 1 ? html`<span class="muted">${l10n.t('{0} of {1}', 1, questions.length)}</span>` : nothing}
  </button>`;
}
