import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { shown } from '../base/shown-text.ts';
import { askButton } from './approval-buttons.ts';
import { InView } from './in-view.ts';

type Choice = Extract<Entry, { kind: 'choice' }>;

/** Ignores presses on a new card that were meant for something shown here before. */
const SETTLE_MS = 300;

/** A model does not answer, and the reader decides how to proceed. The card never takes the focus by itself. */
@customElement('gantry-model-choice')
export class ModelChoiceCard extends LightElement {
  @property({ attribute: false }) choice!: Choice;
  @state() private answered = false;
  @state() private settling = true;
  @query('.alert') private card!: HTMLElement | null;
  private timer: number | undefined;
  private readonly view = new InView(this, (inView) =>
    emit(this, 'gantry-ask-view', { requestId: this.requestId, inView }),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setTimeout(() => {
      this.settling = false;
    }, SETTLE_MS);
    this.view.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
    this.view.stop();
  }

  get requestId(): string {
    return this.choice.id;
  }

  /** Focuses the card itself and none of its buttons. */
  focusCard(): void {
    this.card?.focus({ preventScroll: true });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('choice')) this.answered = false;
  }

  override render(): TemplateResult {
    const { title, message, options, link } = this.choice;
    const isBusy = this.answered || this.settling;
    return html`<div class="alert warning" role="group" aria-label=${title} tabindex="-1" ?data-settling=${this.settling}>
      ${icon('clockface')}
      <h2>${shown(title)}</h2>
      <p>${shown(message)}</p>
      <div class="acts">
        ${options.map(({ decision, label }, index) =>
          askButton({
            label,
            appearance: index === 0 ? 'primary' : 'secondary',
            isBusy,
            act: () => this.answer({ decision }),
          }),
        )}
        ${askButton({ label: l10n.t('Stop here'), appearance: 'secondary', isBusy, act: () => this.answer({}) })}
        ${link === undefined ? nothing : this.linkView(link)}
      </div>
    </div>`;
  }

  /** Opening the link does not answer the question. */
  private linkView({ label, url }: NonNullable<Choice['link']>): TemplateResult {
    const open = (): void => postToHost(this, { type: 'openLink', url });
    return html`<button class="ghost link" type="button" title=${url} @click=${open}>${label}</button>`;
  }

  private answer(answer: { readonly decision?: string }): void {
    this.answered = true;
    // The pressed button disappears with the question, so the focus moves to the conversation.
    this.closest<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
    postToHost(this, { type: 'answer', requestId: this.requestId, ...answer });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-model-choice': ModelChoiceCard;
  }
}
