import { html, nothing, type TemplateResult } from 'lit';
import { emit } from '../events.ts';
import { icon } from '../icons.ts';
import type { WaitingQuestion } from '../state/transcript.ts';

/** The row above the input that says what waits for the reader while its card is out of view, and leads there. */
export function approvalPointer(questions: readonly WaitingQuestion[]): TemplateResult | typeof nothing {
  const [first] = questions;
  if (!first) return nothing;
  const { requestId, title } = first;
  const go = (event: Event): void => emit(event.currentTarget as Element, 'gantry-to-ask', { requestId });
  const subject = first.subject === '' ? title : `${title} ${first.subject}`;
  return html`<button class="approval-pointer" type="button" title=${subject} @click=${go}>
    ${icon('bell-dot')}<span class="cut grow">Needs you: ${subject}</span>
    ${questions.length > 1 ? html`<span class="muted">1 of ${questions.length}</span>` : nothing}
  </button>`;
}
