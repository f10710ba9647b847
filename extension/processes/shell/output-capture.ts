/** The number of characters kept from the beginning: more than a model ever gets of it. */
const HEAD_CHARS = 256 * 1024;
/** At least this many characters are kept from the end, and at most twice as many. */
const TAIL_CHARS = 1024 * 1024;

export interface CapturedOutput {
  readonly head: string;
  /** The number of characters missing between head and tail. */
  readonly dropped: number;
  readonly tail: string;
}

/** Keeps the beginning and the end of a command's output, however long it is. */
export class OutputCapture {
  private head = '';
  /**
   * Two halves of the tail: when the newer one is full, the older one is dropped. Cutting a string for each chunk would
   * cost more.
   */
  private older = '';
  private newer = '';
  private dropped = 0;

  push(chunk: string): void {
    const room = HEAD_CHARS - this.head.length;
    this.head += chunk.slice(0, room);
    this.newer += chunk.slice(room);
    if (this.newer.length < TAIL_CHARS) return;
    this.dropped += this.older.length;
    this.older = this.newer;
    this.newer = '';
  }

  read(): CapturedOutput {
    const tail = this.older + this.newer;
    if (this.dropped === 0) return { head: this.head + tail, dropped: 0, tail: '' };
    return { head: this.head, dropped: this.dropped, tail };
  }

  get total(): number {
    return this.head.length + this.dropped + this.older.length + this.newer.length;
  }

  /** The beginning of the output, at most as much as is kept. */
  first(chars: number): string {
    return this.head.slice(0, chars);
  }

  /** The end of the output. If it must be cut, it starts at the beginning of a line. */
  last(chars: number): string {
    // A shortcut, because a card calls this ten times a second, and joining the halves copies them.
    if (this.newer.length > chars) return fromLineStart(this.newer.slice(-chars));
    const tail = this.older + this.newer;
    const known = this.dropped > 0 || tail.length > chars ? tail : this.head + tail;
    return known.length <= chars ? known : fromLineStart(known.slice(-chars));
  }
}

/** A cut may split an escape sequence or a surrogate pair, but hardly ever affects more than one line. */
export function fromLineStart(text: string): string {
  const lineEnd = text.indexOf('\n');
  if (lineEnd >= 0 && lineEnd < text.length - 1) return text.slice(lineEnd + 1);
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
