/** One server-sent event, or text in the stream that belongs to none. Incomplete: the stream ended in its middle. */
export interface StreamItem {
  readonly type: 'event' | 'stray';
  readonly text: string;
  readonly complete: boolean;
}

/** Far above any answer (images come as base64 in one event): an endpoint that never ends a line must not fill memory. */
const MAX_ITEM_LENGTH = 64 * 1024 * 1024;

export class ItemTooLongError extends Error {
  override readonly name = 'ItemTooLongError';
}

/**
 * The event stream format of the HTML standard, with one difference: what a browser would drop (lines that are no field,
 * an event without its empty line at the end) is handed over, because here it means a web page, an error or a cut.
 */
export class EventStreamParser {
  private readonly decoder = new TextDecoder();
  private afterCarriageReturn = false;
  /** The pieces of a line that has not ended yet; joined once, so that a long line costs no more than its length. */
  private line: string[] = [];
  private data: string[] = [];
  private stray: string[] = [];
  private length = 0;

  /** What a chunk completes. Lines end with LF, CR or CRLF, and chunks end anywhere. */
  push(chunk: Uint8Array): StreamItem[] {
    let text = this.decoder.decode(chunk, { stream: true });
    if (text === '') return [];
    if (this.afterCarriageReturn && text.startsWith('\n')) text = text.slice(1);
    this.afterCarriageReturn = text.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    const items: StreamItem[] = [];
    this.addToLine(first);
    for (const next of others) {
      items.push(...this.endLine());
      this.addToLine(next);
    }
    return items;
  }

  /** What is left when the stream has ended. */
  end(): StreamItem[] {
    this.addToLine(this.decoder.decode());
    if (this.line.join('') !== '') this.endLine();
    return this.take(false);
  }

  private addToLine(piece: string): void {
    this.line.push(piece);
    this.length += piece.length;
    if (this.length > MAX_ITEM_LENGTH) throw new ItemTooLongError();
  }

  private endLine(): StreamItem[] {
    const line = this.line.join('');
    this.line = [];
    if (line === '') return this.take(true);
    const { field, value } = parseLine(line);
    if (field === 'data') this.data.push(value);
    else if (!IGNORED_FIELDS.has(field)) this.stray.push(line);
    return [];
  }

  private take(complete: boolean): StreamItem[] {
    const { data, stray } = this;
    this.data = [];
    this.stray = [];
    this.length = 0;
    return [
      ...(stray.length > 0 ? [{ type: 'stray', text: stray.join('\n'), complete } as const] : []),
      ...(data.length > 0 ? [{ type: 'event', text: data.join('\n'), complete } as const] : []),
    ];
  }
}

/** A line that starts with the colon is a comment; gateways send them to keep the connection open. */
const IGNORED_FIELDS: ReadonlySet<string> = new Set(['', 'event', 'id', 'retry']);

function parseLine(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { field: line, value: '' };
  const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1;
  return { field: line.slice(0, colon), value: line.slice(start) };
}
