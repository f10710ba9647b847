import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { LightElement } from '../base/light-element.ts';

/** Edits the name of a session in a field over its row. Leaving the field keeps the typed name. */
@customElement('gantry-session-name')
export class SessionName extends LightElement {
  @property({ attribute: false }) name = '';
  /** Called without a title if the old name stays. `byKey` is true if the focus must move elsewhere. */
  @property({ attribute: false }) done!: (title: string | undefined, byKey: boolean) => void;
  @query('input') private input!: HTMLInputElement;
  private isDone = false;

  protected override firstUpdated(): void {
    this.input.focus();
    this.input.select();
  }

  override render(): TemplateResult {
    return html`<input class="field" aria-label=${l10n.t('Session name')} aria-describedby="rename-hint" maxlength="200"
        .value=${this.name} @keydown=${this.pressed} @blur=${() => this.end(this.input.value, false)} />
      <span class="small muted cut" id="rename-hint">${l10n.t('Enter saves the name, Esc cancels')}</span>`;
  }

  private pressed(event: KeyboardEvent): void {
    // The field handles its keys itself, including those of an input method.
    event.stopPropagation();
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    this.end(event.key === 'Enter' ? this.input.value : undefined, true);
  }

  /** Runs only once, because the field also loses the focus when it is removed. */
  private end(value: string | undefined, byKey: boolean): void {
    if (this.isDone) return;
    this.isDone = true;
    const title = value?.trim();
    this.done(title === '' || title === this.name ? undefined : title, byKey);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-session-name': SessionName;
  }
}
