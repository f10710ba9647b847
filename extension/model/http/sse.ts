/**
 * One server-sent event, or text of the stream that belongs to no event. `complete` is false if the stream ended within
 * it.
 */
export interface StreamItem {
  readonly type: 'event' | 'stray';
  readonly text: string;
  readonly complete: boolean;
}

/**
 * Far above any answer (images arrive as base64 in one event). An endpoint that never ends a line must not fill the
 * memory.
 */
const MAX_ITEM_LENGTH = 64 * 1024 * 1024;

export class ItemTooLongError extends Error {
  override readonly name = 'ItemTooLongError';
}

/**
 * Parses the event stream format of the HTML standard, with one difference: it passes on what a browser would drop
 * (lines that are not fields, an event without its final empty line), because here it means a web page, an error or a
 * cut stream.
 */
export class EventStreamParser {
  private readonly decoder = new TextDecoder();
  private afterCarriageReturn = false;
  /** The pieces of an unfinished line. They are joined once, so that the cost of a long line stays linear. */
  private line: string[] = [];
  private data: string[] = [];
  private stray: string[] = [];
  private length = 0;

  /** Returns the items that the chunk completes. Lines end with LF, CR or CRLF, and chunks end anywhere. */
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

  /** Returns the remaining items at the end of the stream. */
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

/**
 * The empty name is a comment line, which starts with the colon. Gateways send comments to keep the connection open.
 */
const IGNORED_FIELDS: ReadonlySet<string> = new Set(['', 'event', 'id', 'retry']);

function parseLine(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { field: line, value: '' };
  const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1;
  return { field: line.slice(0, colon), value: line.slice(start) };
}
