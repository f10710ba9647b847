import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { postToHost } from '../events.ts';
import { type IconName, icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import { decisionButtons, visiblePieces } from './approval-presentation.ts';

type Question = NonNullable<Extract<Entry, { kind: 'tool' }>['approval']>;

/** A second press or click meant for what stood here before must not answer what nobody has read. */
const SETTLE_MS = 300;

/** A question that waits for a yes or a no. It never takes focus, and shows all of what would be allowed. */
@customElement('gantry-approval')
export class Approval extends LightElement {
  @property({ attribute: false }) approval!: Question;
  @property({ attribute: false }) sign: IconName = 'tools';
  @state() private answered = false;
  @state() private settling = true;
  private timer: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.settling) this.settleLater();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('approval')) return;
    this.answered = false;
    if (changed.get('approval')?.requestId === this.approval.requestId) return;
    this.settling = true;
    this.settleLater();
  }

  private settleLater(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.settling = false;
    }, SETTLE_MS);
  }

  override render(): TemplateResult {
    const { title, message, decisions } = this.approval;
    const { primary, wider } = decisionButtons(decisions);
    const pieces = visiblePieces(message);
    return html`<div class="ask" ?data-settling=${this.settling}>
      <div class="ask-head">${icon(this.sign)}<h2>${visiblePieces(title).map(pieceView)}</h2></div>
      ${message === '' ? nothing : html`<div class="ask-what mono">${pieces.map(pieceView)}</div>`}
      <div class="ask-foot">
        ${pieces.some(({ hidden }) => hidden) ? HIDDEN_NOTE : nothing}
        <div class="acts">
          ${primary ? this.button(primary.label, primary.decision, 'primary') : nothing}
          ${this.button('Reject', undefined, 'secondary')}
        </div>
        ${
          wider.length === 0
            ? nothing
            : html`<div class="acts">${wider.map(({ label, decision }) => this.button(label, decision, 'secondary'))}</div>`
        }
      </div>
    </div>`;
  }

  private button(label: string, decision: string | undefined, appearance: 'primary' | 'secondary'): TemplateResult {
    return html`<vscode-button appearance=${appearance} ?disabled=${this.answered || this.settling}
      @click=${() => this.answer(decision)}>${label}</vscode-button>`;
  }

  private answer(decision: string | undefined): void {
    if (this.answered || this.settling) return;
    this.answered = true;
    // The pressed button goes with the question; the reader stays at this step.
    this.closest('article')?.focus({ preventScroll: true });
    postToHost(this, {
      type: 'answer',
      requestId: this.approval.requestId,
      ...(decision !== undefined && { decision }),
    });
  }
}

const HIDDEN_NOTE = html`<p class="why">
  ${icon('warning')}<span>Holds characters that cannot be seen. They are shown by their codes.</span>
</p>`;

function pieceView({ text, hidden }: ReturnType<typeof visiblePieces>[number]): TemplateResult | string {
  return hidden ? html`<span class="glyph">${text}</span>` : text;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-approval': Approval;
  }
}
