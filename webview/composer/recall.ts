interface RecallTarget {
  /** The newest last. */
  history(): readonly string[];
  /** A message that waits: going back from an empty input takes it back. */
  lastWaiting(): string | undefined;
  withdraw(messageId: string): void;
  show(text: string, caret: number): void;
}

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;
type Field = Pick<HTMLTextAreaElement, 'value' | 'selectionStart' | 'selectionEnd'>;

/** What was sent before, with the arrow keys at the first and the last line. */
export class Recall {
  private place: HistoryPlace | undefined;

  constructor(private readonly target: RecallTarget) {}

  /** What is in the input was not typed. */
  get isAway(): boolean {
    return this.place !== undefined;
  }

  /** The user writes something of their own. */
  reset(): void {
    this.place = undefined;
  }

  /** False when the key is for the text. */
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

  /** The caret is where the same key continues. */
  private go(step: HistoryStep | undefined, atStart: boolean): boolean {
    if (!step) return false;
    this.place = step.place;
    this.target.show(step.text, atStart ? 0 : step.text.length);
    return true;
  }
}

/** Where in what was sent before the user is; none while they write something of their own. */
interface HistoryPlace {
  readonly at: number;
  /** What they had written before they went back. */
  readonly own: string;
}

interface HistoryStep {
  readonly place: HistoryPlace | undefined;
  readonly text: string;
}

/** Undefined where there is nothing further. */
export function older(
  history: readonly string[],
  place: HistoryPlace | undefined,
  text: string,
): HistoryStep | undefined {
  const at = (place?.at ?? history.length) - 1;
  const entry = history[at];
  return entry === undefined ? undefined : { place: { at, own: place?.own ?? text }, text: entry };
}

/** After the newest comes what the user had written themselves. */
export function newer(history: readonly string[], place: HistoryPlace | undefined): HistoryStep | undefined {
  if (!place) return undefined;
  const at = place.at + 1;
  const entry = history[at];
  return entry === undefined ? { place: undefined, text: place.own } : { place: { ...place, at }, text: entry };
}

/** The arrow keys belong to the text where there is a line to go to. */
export function isOnFirstLine(text: string, caret: number): boolean {
  return !text.slice(0, caret).includes('\n');
}

export function isOnLastLine(text: string, caret: number): boolean {
  return !text.slice(caret).includes('\n');
}
