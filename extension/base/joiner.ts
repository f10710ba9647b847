/** Nobody sees text arrive so much later, and a fast model sends a hundred pieces in a tenth of a second. */
const HELD_MS = 10;

export interface JoinerParts<Item> {
  /** Whether what follows soon may be joined with it. Anything else is passed on at once. */
  readonly isHeld: (item: Item) => boolean;
  /** Both as one; undefined if they don't belong together. */
  readonly joined: (first: Item, second: Item) => Item | undefined;
  readonly send: (item: Item) => void;
}

/** Joins pieces of text that arrive in quick succession, and keeps the order of everything. */
export class Joiner<Item> {
  private held: { readonly item: Item } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: JoinerParts<Item>) {}

  take(item: Item): void {
    const { isHeld, joined, send } = this.parts;
    const whole = this.held && joined(this.held.item, item);
    if (whole !== undefined) {
      this.held = { item: whole };
      return;
    }
    this.flush();
    if (!isHeld(item)) {
      send(item);
      return;
    }
    this.held = { item };
    this.timer = setTimeout(() => this.flush(), HELD_MS);
  }

  /** Passes on what is held back. Required before anything that must come after it. */
  flush(): void {
    clearTimeout(this.timer);
    const { held } = this;
    this.held = undefined;
    if (held) this.parts.send(held.item);
  }
}
