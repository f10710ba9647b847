/** The known parts of a line that was too long to keep. */
export interface OverlongLine {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
}

const KEPT_ENDS = 1024;
const NEWLINE = 0x0a;

/** Splits a stream of bytes into lines. Each byte is processed once, however long its line is. */
export class Lines {
  private chunks: Buffer[] = [];
  private bytes = 0;
  /** The beginning of a line that is already too long. */
  private head: Buffer | undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly take: (line: string) => void,
    private readonly overlong: (line: OverlongLine) => void,
  ) {}

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.append(chunk.subarray(start, end));
      this.finish();
      start = end + 1;
    }
    this.append(chunk.subarray(start));
  }

  private append(part: Buffer): void {
    if (part.length === 0) return;
    this.bytes += part.length;
    this.chunks.push(part);
    if (this.bytes <= this.maxBytes) return;
    const known = Buffer.concat(this.chunks);
    // Copies the ends, so that they don't keep the whole line in memory.
    this.head ??= Buffer.from(known.subarray(0, KEPT_ENDS));
    this.chunks = [Buffer.from(known.subarray(-KEPT_ENDS))];
  }

  private finish(): void {
    const { chunks, bytes, head } = this;
    this.chunks = [];
    this.bytes = 0;
    this.head = undefined;
    const rest = Buffer.concat(chunks).toString('utf8');
    if (head) this.overlong({ head: head.toString('utf8'), tail: rest.trimEnd(), bytes });
    else this.take(rest.replace(/\r$/, ''));
  }
}
