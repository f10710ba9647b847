import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { UserQuestion } from '../../extension/protocol/agent/approval.ts';
import { LightElement } from '../base/light-element.ts';
import { changedReply, type Reply } from './question-answers.ts';

/** The fields of questions that the model asks. The card around them keeps the input. */
@customElement('gantry-questions')
export class Questions extends LightElement {
  @property({ attribute: false }) questions: readonly UserQuestion[] = [];
  @property({ attribute: false }) name = '';
  @property({ attribute: false }) replies: readonly Reply[] = [];

  override render(): TemplateResult {
    return html`${this.questions.map((question, index) => this.questionView(question, index))}`;
  }

  private questionView(question: UserQuestion, index: number): TemplateResult {
    if (question.type === 'text') {
      return html`<label class="q">
        <span>${question.question}</span>${this.field(index, question.placeholder ?? '', question.question)}
      </label>`;
    }
    const options =
      question.type === 'yesno'
        ? [
            { label: 'Yes', description: '' },
            { label: 'No', description: '' },
          ]
        : (question.options ?? []);
    const other = this.reply(index).other;
    return html`<fieldset class="q">
      <legend>${question.question}</legend>
      ${options.map(({ label, description }) => this.option(question, index, label, description))}
      ${this.option(question, index, undefined, '')}
      ${other === undefined ? nothing : this.field(index, question.placeholder ?? l10n.t('In your own words'), l10n.t('Something else'))}
    </fieldset>`;
  }

  /** Without a label, it is the option for typed text. */
  private option(
    question: UserQuestion,
    index: number,
    label: string | undefined,
    description: string,
  ): TemplateResult {
    const reply = this.reply(index);
    const words = question.type === 'yesno' ? yesOrNo(label) : label;
    const checked = label === undefined ? reply.other !== undefined : reply.picked.includes(label);
    return html`<label class="opt">
      <input type=${question.multiSelect ? 'checkbox' : 'radio'} name="${this.name}-${index}" .checked=${checked}
        @change=${(event: Event) => this.pick(question, index, label, (event.target as HTMLInputElement).checked)} />
      <span>${words ?? l10n.t('Something else')}</span>
      ${description === '' ? nothing : html`<small>${description}</small>`}
    </label>`;
  }

  private field(index: number, placeholder: string, label: string): TemplateResult {
    return html`<input class="field" type="text" placeholder=${placeholder} aria-label=${label}
      .value=${this.reply(index).other ?? ''}
      @input=${(event: Event) => this.change(index, { other: (event.target as HTMLInputElement).value })} />`;
  }

  private pick(question: UserQuestion, index: number, label: string | undefined, checked: boolean): void {
    this.change(index, changedReply(this.reply(index), question.multiSelect ?? false, label, checked));
  }

  private reply(index: number): Reply {
    return this.replies[index] ?? { picked: [] };
  }

  private change(index: number, reply: Partial<Reply>): void {
    const replies = this.questions.map((_, at) => this.reply(at));
    replies[index] = { ...this.reply(index), ...reply };
    this.replies = replies;
    this.dispatchEvent(new CustomEvent('gantry-replies', { detail: replies }));
  }
}

/** Translates only the label. The answer to the model keeps its own words. */
function yesOrNo(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  return label === 'Yes' ? l10n.t('Yes') : l10n.t('No');
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-questions': Questions;
  }
  interface HTMLElementEventMap {
    /** What the reader has selected and typed so far. */
    'gantry-replies': CustomEvent<readonly Reply[]>;
  }
}
