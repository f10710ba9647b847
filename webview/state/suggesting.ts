import type { Suggestion } from '../../extension/protocol/panel/input-to-panel.ts';
import type { ToPanel } from '../../extension/protocol/panel/panel-messages.ts';
import { type TypedToken, tokenAt } from './typed-token.ts';

export type Suggestions = Omit<Extract<ToPanel, { type: 'suggestions' }>, 'type'>;

/** Which list is open above the input, and where in it the user is. What comes too late is not shown. */
export class Suggesting {
  token: TypedToken | undefined;
  active: Suggestion | undefined;
  private shown: Suggestions | undefined;
  private lastAsked = 0;
  /** Closed with Escape: stays closed until another token is typed. */
  private closedAt: number | undefined;

  /** `ask` is called when the host has to look for something else. */
  constructor(private readonly ask: (id: number, token: TypedToken) => void) {}

  /** The text or the caret is another. */
  follow(text: string, caret: number | undefined): void {
    const token = caret === undefined ? undefined : tokenAt(text, caret);
    const before = this.token;
    this.token = token;
    if (token?.start !== this.closedAt) this.closedAt = undefined;
    const isSame = before?.about === token?.about && before?.start === token?.start;
    if (!isSame || isBehindName(before) !== isBehindName(token)) {
      this.shown = undefined;
      this.active = undefined;
    }
    if (!token || (isSame && before?.query === token.query)) return;
    this.lastAsked += 1;
    this.ask(this.lastAsked, token);
  }

  take(suggestions: Suggestions | undefined): void {
    if (!this.token || suggestions === undefined || suggestions.id !== this.lastAsked || suggestions === this.shown)
      return;
    // More of the same list: the user stays where they are.
    const isMore = this.shown?.id === suggestions.id;
    const before = isMore && this.active ? keyOf(this.active) : undefined;
    this.shown = suggestions;
    this.active = this.items.find((item) => keyOf(item) === before) ?? this.items[0];
  }

  get groups(): Suggestions['groups'] {
    return this.isOpen ? (this.shown?.groups ?? []) : [];
  }

  /**
   * What Enter takes. Of a list that is for what was typed a moment ago a command is not taken: what is typed by now may be
   * one itself.
   */
  get chosen(): Suggestion | undefined {
    const isLate = this.shown?.id !== this.lastAsked && this.token?.about === 'command';
    return isLate || !this.isOpen ? undefined : this.active;
  }

  /** What the command in the input does. */
  get about(): string | undefined {
    return this.token?.about === 'command' ? this.shown?.about : undefined;
  }

  /** The host has looked everywhere, and there is nothing. */
  get isEmpty(): boolean {
    const { shown, lastAsked } = this;
    return this.isOpen && shown !== undefined && shown.id === lastAsked && !shown.pending && this.items.length === 0;
  }

  get isOpen(): boolean {
    return this.token !== undefined && this.closedAt === undefined;
  }

  close(): void {
    this.closedAt = this.token?.start;
    this.active = undefined;
  }

  /** From the last to the first and back. */
  move(by: 1 | -1): void {
    const { items } = this;
    const at = this.active ? items.indexOf(this.active) : -1;
    this.active = items[(at + by + items.length) % items.length];
  }

  private get items(): readonly Suggestion[] {
    return this.groups.flatMap(({ items }) => items);
  }
}

/** What is written behind a command has suggestions of its own. */
function isBehindName(token: TypedToken | undefined): boolean {
  return token?.about === 'command' && /\s/.test(token.query);
}

function keyOf({ icon, label, detail }: Suggestion): string {
  return JSON.stringify([icon, label, detail]);
}
