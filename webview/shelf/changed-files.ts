import * as l10n from '@vscode/l10n';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { ReviewEntry } from '../../extension/protocol/panel/panel-messages.ts';
import { emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { shown } from '../base/shown-text.ts';
import type { Disclosures } from '../state/disclosures.ts';
import { countsOf, iconOf, stateWord, totals } from './changed-files-words.ts';

/** The files with pending changes: a row on the shelf that expands to one row per file. */
@customElement('gantry-changed-files')
export class ChangedFilesShelf extends LightElement {
  @property({ attribute: false }) items: readonly ReviewEntry[] = [];
  @property({ attribute: false }) disclosures!: Disclosures;
  /** The index of the focused row, to restore the focus when the row is removed. */
  private focusedRow: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('focusin', this.focused);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('focusin', this.focused);
  }

  override render(): TemplateResult | typeof nothing {
    const { items } = this;
    if (items.length === 0) return nothing;
    const isOpen = this.disclosures.isOpen(LIST);
    const { files, added, removed } = totals(items);
    const ids = items.map(({ id }) => id);
    return html`<section aria-label=${l10n.t('Changed files')}>
      <div class="shelf-row">
        <button class="icon toggle" type="button" aria-expanded=${isOpen} aria-controls=${isOpen ? LIST : nothing}
          aria-label=${isOpen ? l10n.t('Hide changed files') : l10n.t('Show changed files')} @click=${this.toggle}>
          ${icon(isOpen ? 'chevron-down' : 'chevron-right')}
        </button>
        <span class="cut grow">${files} ${counts(added, removed)}</span>
        ${this.button(l10n.t('Review'), 'ghost link', html`${l10n.t('Review')}`, { type: 'reviewChanges' })}
        ${this.button(l10n.t('Accept All'), 'ghost', both(l10n.t('Accept All'), 'check-all'), { type: 'acceptAllChanges', ids })}
        ${this.button(l10n.t('Reject All'), 'ghost', both(l10n.t('Reject All'), 'discard'), { type: 'rejectAllChanges', ids })}
      </div>
      ${isOpen ? this.list() : nothing}
    </section>`;
  }

  private list(): TemplateResult {
    return html`<ul class="files" id=${LIST} aria-label=${l10n.t('Changed files')}>
      ${repeat(
        this.items,
        ({ id }) => id,
        (item) => this.row(item),
      )}
    </ul>`;
  }

  private row(item: ReviewEntry): TemplateResult {
    const { id, label, added, removed, conflict } = item;
    const word = stateWord(item);
    return html`<li class="file">
      <div class="file-row">
        ${icon(iconOf(item))}
        <button class="ghost name" type="button" title=${l10n.t('Open {0}', label)} @click=${this.posting({ type: 'openChange', id })}>
          <span class="cut ltr">${shown(label)}</span>
        </button>
        ${word === undefined ? nothing : html`<span class="state cut ${conflict === undefined ? '' : 'warn'}" title=${word}>${word}</span>`}
        ${counts(added, removed)}
        ${this.button(l10n.t('Accept {0}', label), 'icon', icon('check'), { type: 'acceptChange', id })}
        ${this.button(l10n.t('Reject {0}', label), 'icon', icon('discard'), { type: 'rejectChange', id })}
      </div>
      ${conflict === undefined ? nothing : html`<p class="small muted">${conflict}</p>`}
    </li>`;
  }

  private button(name: string, look: string, content: TemplateResult, message: ToHost): TemplateResult {
    return html`<button class=${look} type="button" aria-label=${name} title=${name} @click=${this.posting(message)}>
      ${content}
    </button>`;
  }

  /** Rows move up when one is removed, so the second click of a double click would affect another file. */
  private posting(message: ToHost): (event: MouseEvent) => void {
    return ({ detail }) => {
      if (detail <= 1) postToHost(this, message);
    };
  }

  private toggle(): void {
    this.disclosures.toggle(LIST);
    this.requestUpdate();
  }

  private readonly focused = ({ target }: FocusEvent): void => {
    const rows = [...this.querySelectorAll('.file')];
    this.focusedRow = rows.findIndex((row) => row.contains(target as Node));
  };

  protected override willUpdate(): void {
    if (!this.contains(document.activeElement)) this.focusedRow = undefined;
  }

  /** If the focused row was removed, focuses the name in the next row, where a key that is still held does no harm. */
  protected override updated(changed: PropertyValues): void {
    const { focusedRow } = this;
    if (!changed.has('items') || focusedRow === undefined || this.contains(document.activeElement)) return;
    const names = this.querySelectorAll<HTMLElement>('.file .name');
    const next = names[Math.min(focusedRow, names.length - 1)] ?? this.querySelector<HTMLElement>('.toggle');
    if (next) next.focus();
    else emit(this, 'gantry-leave', undefined);
  }
}

const LIST = 'changed-files';

/** The text if there is room for it, otherwise the icon. */
function both(words: string, name: Parameters<typeof icon>[0]): TemplateResult {
  return html`<span class="w-wide">${words}</span>${icon(name, 'w-narrow')}`;
}

function counts(added: number, removed: number): TemplateResult {
  const { plus, minus, spoken } = countsOf(added, removed);
  return html`<span class="count ltr" role="img" aria-label=${spoken}>
    ${plus === '' ? nothing : html`<span class="add">${plus}</span>`}
    ${minus === '' ? nothing : html`<span class="del">${minus}</span>`}
  </span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-changed-files': ChangedFilesShelf;
  }
}
