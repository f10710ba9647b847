import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { SessionHit, SessionItem } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { announce, emit, postToHost } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { sheetView } from '../base/sheet-view.ts';
import {
  grouped,
  listed,
  moved,
  type SessionGroup,
  type SessionRow,
  type SessionScope,
  sessionPlace,
} from './session-list.ts';
import './session-name.ts';
import { SESSION_LIST_ID, type SearchActs, sessionOption, sessionOptionId, sessionSearch } from './session-search.ts';
import { type SessionActs, sessionToolbar } from './session-toolbar.ts';

/** The delay before searching the logs while the user types. */
const SEARCH_MS = 200;

/** The stored sessions, to search, open and manage them. The search keeps the focus while keys move in the list. */
@customElement('gantry-sessions')
export class SessionsSheet extends LightElement {
  /** Undefined until the host has listed the sessions. */
  @property({ attribute: false }) sessions: readonly SessionItem[] | undefined;
  /** The matches in the messages; undefined until they are known. */
  @property({ attribute: false }) hits: readonly SessionHit[] | undefined;
  @state() private filter = '';
  @state() private scope: SessionScope = 'here';
  @state() private activeId: string | undefined;
  @state() private renaming: SessionItem | undefined;
  @query('.search input') private input!: HTMLInputElement;
  private lastPlace = 0;
  private searchTimer: number | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.searchTimer);
  }

  protected override firstUpdated(): void {
    this.input.focus();
  }

  override render(): TemplateResult {
    const { shown, active } = this;
    const add = html`<button class="ghost" type="button" title=${l10n.t('New session')} @click=${this.begin}>
      ${icon('add')}${l10n.t('New')}
    </button>`;
    const body = html`<div class="sheet-body">
      ${this.search(shown.length)}
      ${active ? this.list(active) : html`<p class="menu-empty" role="status">${this.whyEmpty()}</p>`}
    </div>`;
    return html`<div class="sheet-keys" @keydown=${this.pressed}>
      ${sheetView(l10n.t('Sessions'), add, body, sessionToolbar(active, shown.length, this.acts))}
    </div>`;
  }

  private get groups(): readonly SessionGroup[] {
    const sessions = listed(this.sessions ?? [], this.scope, this.filter, this.hits);
    return grouped(sessions, this.filter, Date.now());
  }

  /** The sessions in display order. */
  private get shown(): readonly SessionItem[] {
    return this.groups.flatMap(({ sessions }) => sessions.map(({ item }) => item));
  }

  private get active(): SessionItem | undefined {
    const { shown } = this;
    return shown[sessionPlace(shown, this.activeId, this.lastPlace)];
  }

  private search(count: number): TemplateResult {
    const { filter, scope, active } = this;
    return sessionSearch({ filter, scope, count, isSearching: !this.hits, active }, this.searchActs);
  }

  private readonly searchActs: SearchActs = {
    typed: () => this.filtered(),
    clear: () => this.clear(),
    choose: (scope) => {
      this.scope = scope;
      this.activeId = undefined;
      this.lastPlace = 0;
    },
  };

  /** Controls over a row are next to the list, because an option must not contain a button or a field. */
  private list(active: SessionItem): TemplateResult {
    return html`<div class="sessions-scroll" @mousedown=${keepFocus}>
      <div role="listbox" id=${SESSION_LIST_ID} aria-label=${l10n.t('Sessions')} tabindex="0" aria-activedescendant=${sessionOptionId(active)}>
        ${this.groups.map((group, index) => this.group(group, index, active))}
      </div>
      ${
        this.renaming
          ? html`<gantry-session-name class="rename" .name=${this.renaming.title} .done=${this.renamed}></gantry-session-name>`
          : nothing
      }
    </div>`;
  }

  private group({ title, sessions }: SessionGroup, index: number, active: SessionItem): TemplateResult {
    const now = Date.now();
    const options = repeat(
      sessions,
      ({ item }) => item.id,
      (session: SessionRow) => sessionOption(session, session.item === active, now, this.rowActs),
    );
    if (title === '') return html`${options}`;
    const id = `sessions-group-${index}`;
    return html`<div role="group" aria-labelledby=${id}>
      <div class="group-title" id=${id} role="presentation">${title}</div>
      ${options}
    </div>`;
  }

  private whyEmpty(): TemplateResult | string {
    if (!this.sessions || (this.filter !== '' && !this.hits))
      return html`${icon('loading', 'spin')}${l10n.t('Looking for sessions')}`;
    if (this.filter !== '') return l10n.t('No session contains these words');
    return this.scope === 'here' && this.sessions.length > 0
      ? l10n.t('No sessions in this folder yet')
      : l10n.t('No sessions yet');
  }

  protected override updated(): void {
    const { shown } = this;
    this.lastPlace = sessionPlace(shown, this.activeId, this.lastPlace);
    if (!this.renaming) return;
    const row = this.querySelector<HTMLElement>(`#${CSS.escape(sessionOptionId(this.renaming))}`);
    this.querySelector<HTMLElement>('.rename')?.style.setProperty('top', `${row?.offsetTop ?? 0}px`);
  }

  private readonly rowActs = {
    open: (item: SessionItem): void => this.open(item),
    select: (item: SessionItem): void => {
      this.activeId = item.id;
    },
  };

  private readonly acts: SessionActs = {
    open: () => this.open(this.active),
    pin: () => {
      const { active } = this;
      if (active) postToHost(this, { type: 'pinSession', id: active.id, pinned: !active.pinned });
      this.keep(active);
    },
    rename: () => this.rename(),
    fork: () => {
      const { active } = this;
      if (!active) return;
      postToHost(this, { type: 'forkSession', id: active.id });
      announce(this, l10n.t('Copied {0}', active.title));
      this.keep(active);
    },
    export: () => {
      if (this.active) postToHost(this, { type: 'exportSession', id: this.active.id });
    },
    delete: () => this.deleteActive(),
  };

  /** Keeps the same session selected, wherever it moves. */
  private keep(item: SessionItem | undefined): void {
    this.activeId = item?.id;
  }

  private readonly begin = (): void => {
    postToHost(this, { type: 'newSession' });
    emit(this, 'gantry-sheet-done', undefined);
  };

  private open(item: SessionItem | undefined): void {
    if (!item || item.problem !== undefined) return;
    if (!item.current) postToHost(this, { type: 'resume', id: item.id });
    emit(this, 'gantry-sheet-done', undefined);
  }

  private rename(): void {
    const { active } = this;
    if (active && active.problem === undefined && active.tag !== 'otherWindow') this.renaming = active;
  }

  private readonly renamed = (title: string | undefined, byKey: boolean): void => {
    const { renaming } = this;
    this.renaming = undefined;
    this.keep(renaming);
    if (renaming && title !== undefined) postToHost(this, { type: 'renameSession', id: renaming.id, title });
    if (byKey) this.input.focus();
  };

  private deleteActive(): void {
    const { active } = this;
    if (!active || active.tag === 'otherWindow') return;
    this.lastPlace = sessionPlace(this.shown, active.id, this.lastPlace);
    this.activeId = undefined;
    postToHost(this, { type: 'deleteSession', id: active.id });
    this.input.focus();
  }

  private filtered(): void {
    this.filter = this.input.value;
    this.activeId = undefined;
    this.lastPlace = 0;
    window.clearTimeout(this.searchTimer);
    const find = (): void => emit(this, 'gantry-session-search', this.filter.trim());
    // Until the search is complete, the matches are unknown.
    this.hits = this.filter.trim() === '' ? [] : undefined;
    this.searchTimer = window.setTimeout(find, this.filter.trim() === '' ? 0 : SEARCH_MS);
  }

  private clear(): void {
    this.input.value = '';
    this.filtered();
    this.input.focus();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const list = this.querySelector('[role=listbox]');
    const isInList = event.target === this.input || event.target === list;
    if (event.key === 'Escape') this.leave();
    else if (event.key === 'F2') this.rename();
    else if (!isInList) return;
    else if (event.key === 'Enter') this.open(this.active);
    else if (event.key === 'Delete' && !event.repeat && (event.target === list || this.atEnd)) this.deleteActive();
    else if (!this.move(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Clears the search first, then closes the sheet. */
  private leave(): void {
    if (this.filter === '') emit(this, 'gantry-sheet-close', undefined);
    else this.clear();
  }

  /** True if nothing follows the caret, so the Delete key has no use in the search field. */
  private get atEnd(): boolean {
    return this.input.selectionStart === this.input.value.length;
  }

  private move({ key, target }: KeyboardEvent): boolean {
    const isSearching = target === this.input;
    // A letter typed in the list goes to the search field.
    if (!isSearching && key.length === 1 && key !== ' ') this.input.focus();
    // While there is text in the search field, these keys move its caret.
    if (isSearching && this.filter !== '' && (key === 'Home' || key === 'End')) return false;
    const { shown } = this;
    const to = moved(key, sessionPlace(shown, this.activeId, this.lastPlace), shown.length);
    if (to === undefined) return false;
    this.activeId = shown[to]?.id;
    void this.updateComplete.then(() =>
      this.querySelector('.session[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    );
    return true;
  }
}

/** Pressing the mouse on the list leaves the caret in the search field. */
function keepFocus(event: Event): void {
  if (!(event.target as Element).closest('input, button')) event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-sessions': SessionsSheet;
  }
}
