import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { icon } from '../base/icons.ts';
import { THEME_CHANGED } from '../highlight/theme-colours.ts';
import { loadLater } from '../later/later-bundles.ts';
import './code-block.ts';
import { DrawnBlock } from './drawn-block.ts';

/** A diagram, drawn once its source is complete. A button shows the source, which is also shown if it is invalid. */
@customElement('gantry-diagram')
export class Diagram extends DrawnBlock {
  /** The URL of the picture; empty if the source cannot be drawn. */
  @state() private picture: string | undefined;
  @state() private sourceWanted = false;
  @query('.diagram-place') private place!: HTMLElement;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener(THEME_CHANGED, this.draw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener(THEME_CHANGED, this.draw);
  }

  override render(): TemplateResult {
    // The diagram is laid out here, out of view.
    return html`<div class="diagram-place" aria-hidden="true"></div>
      ${this.picture ? this.drawnView(this.picture) : this.sourceView()}
      ${this.picture === '' ? html`<p class="small muted">${l10n.t('This diagram could not be drawn. Its source is shown instead.')}</p>` : nothing}`;
  }

  private drawnView(picture: string): TemplateResult {
    const toggle = (): void => {
      this.sourceWanted = !this.sourceWanted;
    };
    const button = html`<button class="ghost link" type="button" aria-expanded=${this.sourceWanted} @click=${toggle}>
      ${icon('code')}<span>${this.sourceWanted ? l10n.t('Hide source') : l10n.t('Show source')}</span>
    </button>`;
    return html`<figure class="well diagram">
        <div class="diagram-box" tabindex="0" role="group" aria-label=${l10n.t('Diagram')}><img src=${picture} alt=${this.name()} /></div>
        <div class="well-foot">${button}</div>
      </figure>
      ${this.sourceWanted ? this.sourceView() : nothing}`;
  }

  private sourceView(): TemplateResult {
    return html`<gantry-code-block .code=${this.code} .language=${'mermaid'} .streaming=${this.streaming}></gantry-code-block>`;
  }

  /** The kind of diagram, such as "sequenceDiagram". The source tells the rest. */
  private name(): string {
    const kind = /^\s*(?:---[\s\S]*?---\s*)?([a-zA-Z][\w-]*)/.exec(this.code.slice(0, 500))?.[1];
    return kind === undefined ? l10n.t('Diagram') : l10n.t('Diagram, {0}. Its source is below.', kind);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('code') || changed.has('streaming')) void this.draw();
  }

  private readonly draw = async (): Promise<void> => {
    const { code, streaming } = this;
    if (streaming || code.trim() === '') return;
    const picture = await this.drawn(code);
    if (code === this.code) this.picture = picture;
  };

  private async drawn(code: string): Promise<string> {
    try {
      const { diagramPicture } = await loadLater('diagrams');
      return await diagramPicture(code, `diagram-${crypto.randomUUID()}`, this.place);
    } catch {
      return '';
    } finally {
      this.place.replaceChildren();
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-diagram': Diagram;
  }
}
