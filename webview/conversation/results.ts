import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { shown } from '../base/shown-text.ts';
import type { ResultRow } from './tool-results.ts';

/** The number of rows that fit below a step. A button shows the rest. */
const FIRST = 15;
const MOST = 500;

/** The results of a tool, as rows that link to them. */
@customElement('gantry-results')
export class Results extends LightElement {
  @property({ attribute: false }) rows: readonly ResultRow[] = [];
  /** The text to highlight in each line. */
  @property({ attribute: false }) searched: string | undefined;
  @state() private all = false;

  override render(): TemplateResult {
    const rows = this.rows.slice(0, this.all ? MOST : FIRST);
    const left = this.rows.length - rows.length;
    return html`<ul class="hits">${rows.map((row, index) => html`<li>${this.rowView(row, index)}</li>`)}</ul>
      ${
        this.all || left === 0
          ? nothing
          : html`<button class="ghost link" type="button" aria-expanded="false" @click=${this.showAll}>${l10n.t('Show all')}</button>`
      }
      ${this.all && left > 0 ? html`<p class="small muted">${left === 1 ? l10n.t('1 more result is not shown.') : l10n.t('{0} more results are not shown.', left)}</p>` : nothing}`;
  }

  private rowView(row: ResultRow, index: number): TemplateResult {
    switch (row.kind) {
      case 'file':
        return html`<a href="#" title=${row.path} @click=${this.opens(row.path)} @auxclick=${this.opens(row.path)}>
          ${icon('file-code', 'muted')}<span class="cut ltr">${shown(row.path)}</span>
          ${row.count === 0 ? nothing : html`<span class="muted">${row.count}</span>`}
        </a>`;
      case 'line': {
        const open = this.opens(row.path, row.line);
        const name = `${row.path}:${row.line}`;
        return html`<a class="line" href="#" title=${name} @click=${open} @auxclick=${open}>
          <span class="ln">${row.line}</span><span class="cut mono ltr">${this.marked(row.text)}</span>
        </a>`;
      }
      case 'source':
        return this.sourceView(row, index);
      case 'words':
        return html`<span class="words muted">${shown(row.text)}</span>`;
    }
  }

  private sourceView({ title, url }: Extract<ResultRow, { kind: 'source' }>, index: number): TemplateResult {
    const place = url === undefined ? '' : url.replace(/^https?:\/\/(?:www\.)?/, '');
    const content = html`<span class="ln">${index + 1}</span><span class="cut">${shown(title)}</span>
      <span class="muted cut ltr">${shown(place)}</span>`;
    if (url === undefined) return html`<span class="source">${content}</span>`;
    const open = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
      postToHost(this, { type: 'openLink', url });
    };
    return html`<a href="#" title=${url} @click=${open} @auxclick=${open}>${content}</a>`;
  }

  private marked(text: string): TemplateResult {
    const { searched } = this;
    const at = searched === undefined ? -1 : text.toLowerCase().indexOf(searched.toLowerCase());
    if (searched === undefined || at < 0) return html`${shown(text)}`;
    const end = at + searched.length;
    return html`${shown(text.slice(0, at))}<mark>${shown(text.slice(at, end))}</mark>${shown(text.slice(end))}`;
  }

  private opens(path: string, line?: number): (event: Event) => void {
    return (event) => {
      // VS Code follows links in webviews by itself. This link is handled here.
      event.preventDefault();
      event.stopPropagation();
      postToHost(this, { type: 'openFile', path, ...(line !== undefined && { line }) });
    };
  }

  showAll(): void {
    this.all = true;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-results': Results;
  }
}
