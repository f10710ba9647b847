import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type ContextUse, contextLines, isNearlyFull, percentUsed, usedWords } from './context-words.ts';
import { LightElement } from './light-element.ts';

/** How full the model's window is: a ring and a number, and a breakdown behind the number. */
@customElement('gantry-context')
export class ContextMeter extends LightElement {
  @property({ attribute: false }) use!: ContextUse;
  @state() private open = false;
  @query('button') private button!: HTMLButtonElement;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.pressedOutside);
    this.addEventListener('focusout', this.leaving);
    this.addEventListener('keydown', this.pressed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.pressedOutside);
    this.removeEventListener('focusout', this.leaving);
    this.removeEventListener('keydown', this.pressed);
  }

  override render(): TemplateResult {
    const { use } = this;
    const percent = percentUsed(use);
    const words = usedWords(use);
    return html`<span class="ctx" title=${words}>
        <span class="ring" role="meter" aria-label="Context used" aria-valuemin="0" aria-valuemax="100"
          aria-valuenow=${percent} aria-valuetext="${percent}%, ${words}"></span>
        <button class="ghost" type="button" aria-haspopup="dialog" aria-expanded=${this.open}
          aria-label="${percent}% of context, show breakdown" @click=${this.toggle}>${percent}%</button>
      </span>
      ${this.open ? this.breakdown() : nothing}`;
  }

  protected override updated(): void {
    this.style.setProperty('--v', String(percentUsed(this.use)));
    this.classList.toggle('nearly-full', isNearlyFull(this.use));
  }

  private breakdown(): TemplateResult {
    return html`<div class="menu context" role="dialog" aria-label="Context">
      <b>${usedWords(this.use)}</b>
      <div class="context-bar" aria-hidden="true"></div>
      <dl>${contextLines(this.use).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    </div>`;
  }

  private toggle(): void {
    this.open = !this.open;
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!this.open || event.key !== 'Escape') return;
    this.open = false;
    this.button.focus();
    event.preventDefault();
    event.stopPropagation();
  };

  private readonly pressedOutside = (event: Event): void => {
    if (this.open && !event.composedPath().includes(this)) this.open = false;
  };

  private readonly leaving = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.open = false;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-context': ContextMeter;
  }
}
