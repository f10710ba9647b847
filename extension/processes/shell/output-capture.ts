/** Characters kept of the beginning: more than a model is ever shown of it. */
const HEAD_CHARS = 256 * 1024;
/** At least as many are kept of the end, and at most twice as many. */
const TAIL_CHARS = 1024 * 1024;

export interface CapturedOutput {
  readonly head: string;
  /** How much is missing between head and tail. */
  readonly dropped: number;
  readonly tail: string;
}

/** The beginning and the end of a command's output, however much of it there is. */
export class OutputCapture {
  private head = '';
  /** Two halves: when the newer one is full the older one is dropped. Cutting a string for each chunk would cost more. */
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

  /** The beginning of it, at most as much as is kept. */
  first(chars: number): string {
    return this.head.slice(0, chars);
  }

  /** The end of it, from the beginning of a line where it has to be cut. */
  last(chars: number): string {
    // Ten times a second for a card: joining the halves costs as much as copying them.
    if (this.newer.length > chars) return fromLineStart(this.newer.slice(-chars));
    const tail = this.older + this.newer;
    const known = this.dropped > 0 || tail.length > chars ? tail : this.head + tail;
    return known.length <= chars ? known : fromLineStart(known.slice(-chars));
  }
}

/** A cut may have gone through an escape sequence or a surrogate pair, and hardly ever through more than one line. */
export function fromLineStart(text: string): string {
  const lineEnd = text.indexOf('\n');
  if (lineEnd >= 0 && lineEnd < text.length - 1) return text.slice(lineEnd + 1);
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
