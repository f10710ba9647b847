interface RecallTarget {
  /** Newest last. */
  history(): readonly string[];
  /** The last pending message. Arrow Up in an empty input withdraws it. */
  lastWaiting(): string | undefined;
  withdraw(messageId: string): void;
  show(text: string, caret: number): void;
}

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;
type Field = Pick<HTMLTextAreaElement, 'value' | 'selectionStart' | 'selectionEnd'>;

/** Recalls sent messages with the arrow keys on the first and last line. */
export class Recall {
  private place: HistoryPlace | undefined;

  constructor(private readonly target: RecallTarget) {}

  /** True if the input shows a recalled message. */
  get isAway(): boolean {
    return this.place !== undefined;
  }

  /** Called when the user types text of their own. */
  reset(): void {
    this.place = undefined;
  }

  /** Returns false if the key is for the text itself. */
  pressed({ key, shiftKey, ctrlKey, altKey, metaKey }: Press, { value, selectionStart, selectionEnd }: Field): boolean {
    if (shiftKey || ctrlKey || altKey || metaKey || selectionStart !== selectionEnd) return false;
    if (key === 'ArrowUp' && isOnFirstLine(value, selectionStart)) return this.back(value);
    if (key === 'ArrowDown' && isOnLastLine(value, selectionStart)) {
      return this.go(newer(this.target.history(), this.place), false);
    }
    return false;
  }

  private back(value: string): boolean {
    const waiting = this.target.lastWaiting();
    if (value !== '' || waiting === undefined || this.place) {
      return this.go(older(this.target.history(), this.place, value), true);
    }
    this.target.withdraw(waiting);
    return true;
  }

  /** Places the caret so that pressing the same key again continues. */
  private go(step: HistoryStep | undefined, atStart: boolean): boolean {
    if (!step) return false;
    this.place = step.place;
    this.target.show(step.text, atStart ? 0 : step.text.length);
    return true;
  }
}

/** A position in the history; undefined while the user types text of their own. */
interface HistoryPlace {
  readonly at: number;
  /** The draft before the first recall. */
  readonly own: string;
}

interface HistoryStep {
  readonly place: HistoryPlace | undefined;
  readonly text: string;
}

/** Returns undefined at the oldest message. */
export function older(
  history: readonly string[],
  place: HistoryPlace | undefined,
  text: string,
): HistoryStep | undefined {
  const at = (place?.at ?? history.length) - 1;
  const entry = history[at];
  return entry === undefined ? undefined : { place: { at, own: place?.own ?? text }, text: entry };
}

/** After the newest message comes the user's own draft. */
export function newer(history: readonly string[], place: HistoryPlace | undefined): HistoryStep | undefined {
  if (!place) return undefined;
  const at = place.at + 1;
  const entry = history[at];
  return entry === undefined ? { place: undefined, text: place.own } : { place: { ...place, at }, text: entry };
}

/** On other lines, the arrow keys move the caret. */
export function isOnFirstLine(text: string, caret: number): boolean {
  return !text.slice(0, caret).includes('\n');
}

export function isOnLastLine(text: string, caret: number): boolean {
  return !text.slice(caret).includes('\n');
}
