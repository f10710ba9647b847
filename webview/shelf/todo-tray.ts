import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { TodoItem } from '../../extension/protocol/agent/todo-list.ts';
import { type IconName, icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { shown } from '../base/shown-text.ts';
import type { Disclosures } from '../state/disclosures.ts';

/** The agent's todo list: a row on the shelf that shows the progress and expands to the list. */
@customElement('gantry-todo-tray')
export class TodoTray extends LightElement {
  @property({ attribute: false }) items: readonly TodoItem[] = [];
  @property({ attribute: false }) disclosures!: Disclosures;

  override render(): TemplateResult | typeof nothing {
    const { items } = this;
    if (items.length === 0) return nothing;
    const isOpen = this.disclosures.isOpen(LIST);
    const { count, current } = progress(items);
    return html`<section aria-label=${l10n.t('Todo')}>
      <div class="shelf-row">
        <button class="icon toggle" type="button" aria-expanded=${isOpen} aria-controls=${isOpen ? LIST : nothing}
          aria-label=${isOpen ? l10n.t('Hide todo list') : l10n.t('Show todo list')} @click=${this.toggle}>
          ${icon(isOpen ? 'chevron-down' : 'chevron-right')}
        </button>
        ${
          isOpen
            ? html`<span class="cut grow">${l10n.t('Todo')}</span><span class="muted nowrap todo-count">${count}</span>`
            : html`<span class="cut grow" title=${current}><span class="muted">${count}</span> <b>${shown(current)}</b></span>`
        }
      </div>
      ${isOpen ? html`<ol class="todo" id=${LIST} aria-label=${l10n.t('Todo')}>${items.map(itemView)}</ol>` : nothing}
    </section>`;
  }

  private toggle(): void {
    this.disclosures.toggle(LIST);
    this.requestUpdate();
  }
}

const LIST = 'todo-list';

/** "2 of 5", and the current or otherwise the next item. */
export function progress(items: readonly TodoItem[]): { readonly count: string; readonly current: string } {
  const done = items.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
  const now = items.find(({ status }) => status === 'in_progress') ?? items.find(({ status }) => status === 'pending');
  const current = now?.description ?? (done === items.length ? l10n.t('All done') : l10n.t('Blocked'));
  return { count: l10n.t('{0} of {1}', done, items.length), current };
}

const SIGNS: Readonly<Record<TodoItem['status'], IconName>> = {
  completed: 'check',
  in_progress: 'arrow-right',
  pending: 'circle-outline',
  cancelled: 'circle-slash',
  blocked: 'lock',
};

function statusWord(status: TodoItem['status']): string {
  const words: Readonly<Record<TodoItem['status'], string>> = {
    completed: l10n.t('done'),
    in_progress: l10n.t('in progress'),
    pending: l10n.t('pending'),
    cancelled: l10n.t('cancelled'),
    blocked: l10n.t('blocked'),
  };
  return words[status];
}

function itemView({ description, status }: TodoItem): TemplateResult {
  // Blocked and cancelled items differ from open ones only by their icon, so their status is shown as text.
  const isSaid = status === 'blocked' || status === 'cancelled';
  return html`<li class=${status}>${icon(SIGNS[status])}<span>${shown(description)}
    <span class=${isSaid ? 'muted' : 'sr'}>${statusWord(status)}</span></span></li>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-todo-tray': TodoTray;
  }
}
