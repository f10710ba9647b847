import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { SessionItem } from '../../extension/protocol/panel-messages.ts';
import { postToHost } from '../events.ts';
import { icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import { detailsOf, matching, moved, placeOf } from './session-list.ts';

/** The button that opens the list of stored sessions, and the list. The filter keeps focus; keys move in the list. */
@customElement('gantry-sessions')
export class SessionsMenu extends LightElement {
  /** Undefined until the host has listed them. */
  @property({ attribute: false }) sessions: readonly SessionItem[] | undefined;
  @state() private open = false;
  @state() private filter = '';
  @state() private activeId: string | undefined;
  @query('.sessions-button') private button!: HTMLButtonElement;
  @query('input') private input!: HTMLInputElement | null;
  private lastPlace = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.pressedOutside);
    this.addEventListener('focusout', this.leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.pressedOutside);
    this.removeEventListener('focusout', this.leaving);
  }

  override render(): TemplateResult {
    return html`<button class="icon sessions-button" type="button" aria-label="Sessions" title="Sessions"
        aria-haspopup="listbox" aria-expanded=${this.open} @click=${this.toggle}>${icon('history')}</button>
      ${this.open ? this.menu() : nothing}`;
  }

  private get shown(): readonly SessionItem[] {
    return matching(this.sessions ?? [], this.filter);
  }

  private get active(): SessionItem | undefined {
    return this.shown[placeOf(this.shown, this.activeId, this.lastPlace)];
  }

  private menu(): TemplateResult {
    const { shown, active } = this;
    return html`<div class="menu sessions" @keydown=${this.pressed} @mousedown=${keepFocus}>
      <div class="search">
        ${icon('search')}
        <input type="text" role="combobox" aria-label="Search sessions" placeholder="Search sessions" spellcheck="false"
          aria-autocomplete="list" aria-expanded=${shown.length > 0}
          aria-controls=${shown.length > 0 ? 'sessions-list' : nothing}
          aria-activedescendant=${active ? optionId(active) : nothing}
          .value=${this.filter} @input=${this.filtered} />
      </div>
      ${active ? this.list(shown, active) : html`<p class="menu-empty" role="status">${this.whyEmpty()}</p>`}
    </div>`;
  }

  /** One button for the active option lies over its row: an option may not hold one. */
  private list(shown: readonly SessionItem[], active: SessionItem): TemplateResult {
    const now = Date.now();
    return html`<div class="sessions-scroll">
      <div role="listbox" id="sessions-list" aria-label="Sessions">
        ${shown.map((item) => this.option(item, item === active, now))}
      </div>
      <button class="icon delete" type="button" aria-label="Delete ${active.title}" title="Delete this session (Delete)"
        @click=${this.deleteActive}>${icon('trash')}</button>
    </div>`;
  }

  private option(item: SessionItem, active: boolean, now: number): TemplateResult {
    const point = (): void => {
      this.activeId = item.id;
    };
    return html`<div class="session ${active ? 'active' : ''}" role="option" id=${optionId(item)}
      aria-selected=${item.current} @pointermove=${point} @click=${() => this.resume(item)}>
      ${icon(item.pinned ? 'pinned' : 'comment-discussion')}
      <span class="cut title" title=${item.title}>${item.title}</span>
      <span class="cut details">
        ${item.pinned ? html`<span class="sr">Pinned · </span>` : nothing}${detailsOf(item, now)}
      </span>
    </div>`;
  }

  private whyEmpty(): TemplateResult | string {
    if (!this.sessions) return html`${icon('loading', 'spin')}Loading sessions`;
    return this.sessions.length === 0 ? 'No sessions yet' : 'No session has these words';
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.open) return;
    if (changed.has('open')) this.input?.focus();
    const option = this.querySelector<HTMLElement>('.session.active');
    this.querySelector<HTMLElement>('.delete')?.style.setProperty('top', `${option?.offsetTop ?? 0}px`);
    this.lastPlace = placeOf(this.shown, this.activeId, this.lastPlace);
  }

  private toggle(): void {
    if (this.open) {
      this.close();
      return;
    }
    this.filter = '';
    this.activeId = undefined;
    this.lastPlace = 0;
    this.open = true;
    postToHost(this, { type: 'listSessions' });
  }

  /** By a key or a choice, so focus goes back to where it came from. */
  private close(): void {
    this.open = false;
    this.button.focus();
  }

  private filtered(): void {
    this.filter = this.input?.value ?? '';
    this.activeId = undefined;
    this.lastPlace = 0;
  }

  private pressed(event: KeyboardEvent): void {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') this.close();
    else if (event.target !== this.input) return;
    else if (event.key === 'Enter') this.resume(this.active);
    else if (event.key === 'Delete' && this.atEnd && !event.repeat) this.deleteActive();
    else if (!this.move(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Nothing right of the caret: the Delete key has nothing to do in the filter. */
  private get atEnd(): boolean {
    const { input } = this;
    return input?.selectionStart === input?.value.length;
  }

  private move(key: string): boolean {
    // In words to search for these belong to the caret.
    if (this.filter !== '' && (key === 'Home' || key === 'End')) return false;
    const { shown } = this;
    const to = moved(key, placeOf(shown, this.activeId, this.lastPlace), shown.length);
    if (to === undefined) return false;
    this.activeId = shown[to]?.id;
    void this.updateComplete.then(() => this.querySelector('.session.active')?.scrollIntoView({ block: 'nearest' }));
    return true;
  }

  private resume(item: SessionItem | undefined): void {
    if (!item) return;
    this.close();
    if (!item.current) postToHost(this, { type: 'resume', id: item.id });
  }

  private deleteActive(): void {
    const { active } = this;
    if (active) postToHost(this, { type: 'deleteSession', id: active.id });
    this.input?.focus();
  }

  private readonly pressedOutside = (event: Event): void => {
    if (this.open && !event.composedPath().includes(this)) this.open = false;
  };

  private readonly leaving = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.open = false;
  };
}

/** A press on the list leaves the caret in the filter. */
function keepFocus(event: Event): void {
  if (!(event.target as Element).closest('input, button')) event.preventDefault();
}

function optionId({ id }: SessionItem): string {
  return `session-${id}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-sessions': SessionsMenu;
  }
}
