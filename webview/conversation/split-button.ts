import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import { type AskButton, askButton } from './approval-buttons.ts';

/** An item of the menu. */
export type MenuPart = MenuAct | MenuChoice;

interface MenuAct {
  readonly kind: 'act';
  readonly label: string;
  /** A description of what the action covers, below its label. */
  readonly note?: TemplateResult | undefined;
  /** Why the action is disabled. */
  readonly gate?: string | undefined;
  act(): void;
}

/** A choice that the actions depend on. Choosing an option leaves the menu open. */
interface MenuChoice {
  readonly kind: 'choice';
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly words: unknown }[];
  readonly chosen: string | undefined;
  pick(id: string): void;
}

/** The distances from the button to the menu, and from the menu to the edges of the page. */
const [GAP, EDGE] = [2, 4];

let count = 0;

/** A button with a second one next to it that opens a menu with more ways to do the same. */
@customElement('gantry-split-button')
export class SplitButton extends LightElement {
  @property({ attribute: false }) button!: AskButton;
  /** The name of the menu and of the button that opens it. */
  @property({ attribute: false }) more = '';
  @property({ attribute: false }) parts: readonly MenuPart[] = [];
  @state() private isOpen = false;
  @query('.split-menu') private menu!: HTMLElement | null;
  @query('.split-more') private opener!: HTMLElement | null;
  private readonly menuId = `ways-${++count}`;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('focusout', this.left);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('focusout', this.left);
    this.close();
  }

  override render(): TemplateResult {
    const { button, parts, isOpen } = this;
    if (parts.length === 0) return askButton(button);
    return html`<span class="split ${button.appearance}" @keydown=${this.pressed}>
      ${askButton(button)}
      <button class="split-more" type="button" aria-label=${this.more} title=${this.more} aria-haspopup="menu"
        aria-expanded=${isOpen} aria-controls=${isOpen ? this.menuId : nothing} ?disabled=${button.isBusy}
        @click=${this.toggle}>${icon('chevron-down')}</button>
      ${isOpen ? this.menuView() : nothing}
    </span>`;
  }

  private menuView(): TemplateResult {
    return html`<div class="menu split-menu" id=${this.menuId} role="menu" aria-label=${this.more} popover="manual">
      ${this.parts.map((part, index) => (part.kind === 'act' ? this.actView(part, index) : choiceView(part)))}
    </div>`;
  }

  private actView({ label, note, gate, act }: MenuAct, index: number): TemplateResult {
    const noteId = `${this.menuId}-${index}`;
    const press = (): void => {
      this.close();
      this.opener?.focus({ preventScroll: true });
      act();
    };
    return html`<button class="way" type="button" role="menuitem" tabindex="-1" aria-label=${label} title=${gate ?? nothing}
      aria-disabled=${gate === undefined ? nothing : 'true'} aria-describedby=${note ? noteId : nothing} @click=${press}>
      <span>${label}</span>${note ? html`<small id=${noteId}>${note}</small>` : nothing}
    </button>`;
  }

  private readonly toggle = (): void => {
    if (this.isOpen) this.close();
    else void this.open();
  };

  private async open(): Promise<void> {
    if (this.button.isBusy) return;
    this.isOpen = true;
    await this.updateComplete;
    const { menu } = this;
    if (!menu) return;
    menu.showPopover();
    this.place(menu);
    this.entries[0]?.focus({ preventScroll: true });
    window.addEventListener('resize', this.close);
    window.addEventListener('scroll', this.scrolled, true);
  }

  private readonly close = (): void => {
    this.isOpen = false;
    window.removeEventListener('resize', this.close);
    window.removeEventListener('scroll', this.scrolled, true);
  };

  /** Places the menu below the button, or above it if there is no room, aligned with the button's start. */
  private place(menu: HTMLElement): void {
    const { top, bottom, left, right } = this.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = menu;
    const begin = getComputedStyle(this).direction === 'rtl' ? right - width : left;
    const under = bottom + GAP;
    const fits = under + height + EDGE <= window.innerHeight;
    menu.style.left = `${Math.max(EDGE, Math.min(begin, window.innerWidth - width - EDGE))}px`;
    menu.style.top = `${fits ? under : Math.max(EDGE, top - GAP - height)}px`;
  }

  private get entries(): readonly HTMLElement[] {
    return [...(this.menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  }

  private readonly scrolled = ({ target }: Event): void => {
    if (target instanceof Node && !this.menu?.contains(target)) this.close();
  };

  private readonly left = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.close();
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (!this.take(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Returns true if the key was for the menu. */
  private take(key: string): boolean {
    if (!this.isOpen) {
      if (key === 'ArrowDown') void this.open();
      return key === 'ArrowDown';
    }
    const { entries } = this;
    const at = entries.indexOf(document.activeElement as HTMLElement);
    switch (key) {
      case 'ArrowDown':
        entries[(at + 1) % entries.length]?.focus();
        return true;
      case 'ArrowUp':
        entries.at(at <= 0 ? -1 : at - 1)?.focus();
        return true;
      case 'Home':
        entries[0]?.focus();
        return true;
      case 'End':
        entries.at(-1)?.focus();
        return true;
      case 'Escape':
        this.opener?.focus({ preventScroll: true });
        this.close();
        return true;
      case 'Tab':
        // Tab continues from the button that opened the menu.
        this.opener?.focus({ preventScroll: true });
        this.close();
        return false;
      default:
        return false;
    }
  }
}

function choiceView({ label, options, chosen, pick }: MenuChoice): TemplateResult {
  return html`<div class="ways" role="group" aria-label=${label}>
    <div class="menu-title" aria-hidden="true">${label}</div>
    ${options.map(
      ({ id, words }) => html`<button class="way" type="button" role="menuitemradio" tabindex="-1"
        aria-checked=${id === chosen} @click=${() => pick(id)}>${icon('check')}<span>${words}</span></button>`,
    )}
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-split-button': SplitButton;
  }
}
