import { type HistoryPlace, type HistoryStep, isOnFirstLine, isOnLastLine, newer, older } from './history.ts';

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
