import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { ContextShares } from '../../extension/protocol/agent/context-shares.ts';
import type { PanelState } from '../../extension/protocol/panel/panel-messages.ts';
import { announce, postToHost } from '../base/events.ts';
import { formatPercent } from '../base/format.ts';
import { LightElement } from '../base/light-element.ts';
import { askButton } from '../conversation/approval-buttons.ts';
import { layOutBar, shareBar, shareList, shortenedList } from './context-shares.ts';
import { type ContextUse, contextLines, isNearlyFull, percentUsed, spentLines, usedWords } from './context-words.ts';

/** The usage of the model's window: a ring and a percentage that opens a breakdown. */
@customElement('gantry-context')
export class ContextMeter extends LightElement {
  @property({ attribute: false }) use!: ContextUse;
  @property({ attribute: false }) compression!: PanelState['compression'];
  @property({ attribute: false }) spent!: PanelState['spent'];
  /** The shares from the last request; empty before the first. */
  @property({ attribute: false }) shares: ContextShares = [];
  @state() private open = false;
  @query('.ctx button') private button!: HTMLButtonElement;
  @query('.context') private dialog!: HTMLElement | null;

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
        <span class="ring" role="meter" aria-label=${l10n.t('Context used')} aria-valuemin="0" aria-valuemax="100"
          aria-valuenow=${percent} aria-valuetext="${formatPercent(percent)}, ${words}"></span>
        <button class="ghost" type="button" aria-haspopup="dialog" aria-expanded=${this.open}
          aria-label=${l10n.t('{0} of context, show breakdown', formatPercent(percent))} @click=${this.toggle}>${formatPercent(percent)}</button>
      </span>
      ${this.open ? this.breakdown() : nothing}`;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // While the breakdown is open, it follows the usage.
    const before = changed.get('use');
    if (this.open && before && before.used !== this.use.used) postToHost(this, { type: 'contextShares' });
  }

  protected override updated(): void {
    layOutBar(this.dialog, this.shares, this.use);
    this.style.setProperty('--v', String(percentUsed(this.use)));
    this.style.setProperty('--at', String(100 * this.compression.at));
    this.classList.toggle('nearly-full', isNearlyFull(this.use));
  }

  private breakdown(): TemplateResult {
    const { at, cannot } = this.compression;
    const spent = spentLines(this.spent);
    return html`<div class="menu context" role="dialog" aria-label=${l10n.t('Context')} aria-describedby="context-words" tabindex="-1">
      <p class="context-head" id="context-words">
        <b>${usedWords(this.use)}</b> <span class="muted">${l10n.t('compresses at {0}', formatPercent(Math.round(100 * at)))}</span>
      </p>
      ${this.filling()} ${spent.length === 0 ? nothing : html`<hr />${list(spent)}`}
      <div class="acts">
        ${askButton({ label: l10n.t('Compress now'), appearance: 'secondary', isBusy: false, gate: cannot, act: this.compress })}
        ${askButton({ label: l10n.t('Show what the model gets'), appearance: 'secondary', isBusy: false, act: this.showRequest })}
      </div>
      ${cannot === undefined ? nothing : html`<p class="muted">${cannot}</p>`}
    </div>`;
  }

  /** Shows the totals until the shares by kind are known. */
  private filling(): TemplateResult {
    if (this.shares.length === 0) {
      return html`<div class="context-bar" aria-hidden="true"></div>
        ${list(contextLines(this.use))}`;
    }
    return html`${shareBar(this.shares)} ${shareList(this.shares, this.use)} ${shortenedList(this.use)}`;
  }

  private readonly compress = (): void => {
    const { cannot } = this.compression;
    if (cannot !== undefined) {
      announce(this, cannot);
      return;
    }
    this.close();
    postToHost(this, { type: 'compress' });
  };

  private readonly showRequest = (): void => {
    this.close();
    postToHost(this, { type: 'showRequest' });
  };

  private async toggle(): Promise<void> {
    this.open = !this.open;
    if (this.open) postToHost(this, { type: 'contextShares' });
    await this.updateComplete;
    this.dialog?.focus();
  }

  /** Closes the breakdown and returns the focus to its button. */
  private close(): void {
    this.open = false;
    this.button.focus();
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (!this.open || event.key !== 'Escape') return;
    this.close();
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

function list(lines: ReturnType<typeof contextLines>): TemplateResult {
  return html`<dl>${lines.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-context': ContextMeter;
  }
}
