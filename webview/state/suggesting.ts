import type { Suggestion } from '../../extension/protocol/panel/input-to-panel.ts';
import type { ToPanel } from '../../extension/protocol/panel/panel-messages.ts';

export type Suggestions = Omit<Extract<ToPanel, { type: 'suggestions' }>, 'type'>;

/** The list above the input and its active item. Outdated suggestions are ignored. */
export class Suggesting {
  token: TypedToken | undefined;
  active: Suggestion | undefined;
  private shown: Suggestions | undefined;
  private lastAsked = 0;
  /** Set if the list was closed with Escape: it stays closed until another token is typed. */
  private closedAt: number | undefined;

  /** `ask` is called when the host must search for something else. */
  constructor(private readonly ask: (id: number, token: TypedToken) => void) {}

  /** Called when the text or the caret changed. */
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
    // More results for the same list: keep the active item.
    const isMore = this.shown?.id === suggestions.id;
    const before = isMore && this.active ? keyOf(this.active) : undefined;
    this.shown = suggestions;
    this.active = this.items.find((item) => keyOf(item) === before) ?? this.items[0];
  }

  get groups(): Suggestions['groups'] {
    return this.isOpen ? (this.shown?.groups ?? []) : [];
  }

  /**
   * The item that Enter accepts. A command is not accepted from an outdated list, because the text typed by now may
   * itself be a command.
   */
  get chosen(): Suggestion | undefined {
    const isLate = this.shown?.id !== this.lastAsked && this.token?.about === 'command';
    return isLate || !this.isOpen ? undefined : this.active;
  }

  /** The description of the command in the input. */
  get about(): string | undefined {
    return this.token?.about === 'command' ? this.shown?.about : undefined;
  }

  /** True if the host has finished searching without a result. */
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

  /** Moves the active item, wrapping at the ends. */
  move(by: 1 | -1): void {
    const { items } = this;
    const at = this.active ? items.indexOf(this.active) : -1;
    this.active = items[(at + by + items.length) % items.length];
  }

  private get items(): readonly Suggestion[] {
    return this.groups.flatMap(({ items }) => items);
  }
}

/** The arguments of a command have their own suggestions. */
function isBehindName(token: TypedToken | undefined): boolean {
  return token?.about === 'command' && /\s/.test(token.query);
}

function keyOf({ icon, label, detail }: Suggestion): string {
  return JSON.stringify([icon, label, detail]);
}

/** The token at the caret for which suggestions are shown. */
interface TypedToken {
  readonly about: 'mention' | 'command';
  /** The range of the token in the text. Accepting a suggestion replaces it. */
  readonly start: number;
  readonly end: number;
  /** A mention without its @, or a command with its slash. */
  readonly query: string;
}

/** No name is longer than this. */
const LONGEST = 200;

/** A command is at the start of the text. A name with a second slash is a path. */
const COMMAND = /^\/[\w.:-]*(?:[ \t][^\n]*)?$/;

/** A mention follows whitespace or opening punctuation, so an address such as me@home is not one. */
const MENTION = /(?:^|[\s([{<"'`,;])@([^\s@]*)$/;

export function tokenAt(text: string, caret: number): TypedToken | undefined {
  const before = text.slice(0, caret);
  if (text.startsWith('!')) return undefined;
  if (COMMAND.test(before) && !text.includes('\n')) {
    return before.length > LONGEST ? undefined : { about: 'command', start: 0, end: text.length, query: before };
  }
  const query = MENTION.exec(before.slice(-LONGEST))?.[1];
  return query === undefined ? undefined : { about: 'mention', start: caret - query.length - 1, end: caret, query };
}

/** Replaces a token and returns the text and the caret. An existing space is not doubled. */
export function replaced(
  text: string,
  { start, end }: Pick<TypedToken, 'start' | 'end'>,
  insert: string,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(end);
  const words = /^\s/.test(after) ? insert.trimEnd() : insert;
  const caret = start + words.length + (words === insert ? 0 : 1);
  return { text: text.slice(0, start) + words + after, caret };
}
