import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { SessionItem } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { icon } from '../base/icons.ts';
import { detailsOf, type SessionRow, type SessionScope, signOf, TAGS } from './session-list.ts';

export const SESSION_LIST_ID = 'sessions-list';

export interface SearchState {
  readonly filter: string;
  readonly scope: SessionScope;
  readonly count: number;
  /** True while the logs are being searched. */
  readonly isSearching: boolean;
  readonly active: SessionItem | undefined;
}

export interface SearchActs {
  typed(): void;
  clear(): void;
  choose(scope: SessionScope): void;
}

/** The search field of the list, and the choice of its scope. */
export function sessionSearch(
  { filter, scope, count, isSearching, active }: SearchState,
  acts: SearchActs,
): TemplateResult {
  return html`<div class="search">
    ${icon('search')}
    <input type="text" role="combobox" aria-label=${l10n.t('Search sessions')}
      placeholder=${l10n.t('Titles and messages')}
      spellcheck="false" aria-autocomplete="list" aria-expanded=${count > 0} aria-controls=${count > 0 ? SESSION_LIST_ID : nothing}
      aria-activedescendant=${active ? sessionOptionId(active) : nothing} .value=${live(filter)} @input=${acts.typed} />
    ${
      filter === ''
        ? scopeChoice(scope, acts)
        : html`<span class="small muted" role="status">${isSearching ? `${count}…` : count}</span>
            <button class="icon" type="button" aria-label=${l10n.t('Clear search')} title=${l10n.t('Clear search')}
              @click=${acts.clear}>${icon('close')}</button>`
    }
  </div>`;
}

function scopeChoice(scope: SessionScope, { choose }: SearchActs): TemplateResult {
  const change = ({ target }: Event): void => choose((target as HTMLSelectElement).value === 'all' ? 'all' : 'here');
  return html`<select class="scope" aria-label=${l10n.t('Sessions of')} @change=${change}>
    <option value="here" ?selected=${scope === 'here'}>${l10n.t('This folder')}</option>
    <option value="all" ?selected=${scope === 'all'}>${l10n.t('All folders')}</option>
  </select>`;
}

interface OptionActions {
  open(item: SessionItem): void;
  select(item: SessionItem): void;
}

/** A session in two lines: its title and state, then its time and folder, or the match of the search. */
export function sessionOption(
  { item, hit }: SessionRow,
  isActive: boolean,
  now: number,
  { open, select }: OptionActions,
): TemplateResult {
  const details = detailsOf(item, now);
  const menu = (event: Event): void => {
    event.preventDefault();
    select(item);
  };
  return html`<div class="session ${item.tag ?? ''}" role="option" id=${sessionOptionId(item)} aria-selected=${isActive}
    aria-current=${item.current ? 'true' : nothing} @click=${() => open(item)} @contextmenu=${menu}>
    ${icon(signOf(item), item.tag === 'stopped' ? 'bad' : '')}
    <span class="cut title" title=${item.title}>${item.title}</span>
    ${tagView(item)}
    <span class="cut details" title=${details}>
      ${item.pinned ? html`<span class="sr">${l10n.t('Pinned')} · </span>` : nothing}${
        hit ? html`${hit.before}<mark>${hit.match}</mark>${hit.after}` : details
      }
    </span>
  </div>`;
}

function tagView({ tag }: SessionItem): TemplateResult | typeof nothing {
  if (!tag) return nothing;
  const { words, short, sign } = TAGS[tag];
  return html`<span class="tag ${tag === 'newAnswer' ? 'solid' : ''}">${sign ? icon(sign) : nothing}${
    short ? html`<span class="w-wide">${words()}</span><span class="w-narrow">${short()}</span>` : words()
  }</span>`;
}

export function sessionOptionId({ id }: SessionItem): string {
  return `session-${id}`;
}
