import * as l10n from '@vscode/l10n';

/** A screen shows sixty frames a second. */
const FRAME_MS = 16;
/** The output per frame: about 4 MB a second, which a terminal can render while the user scrolls. */
const FRAME_CHARS = 64 * 1024;
/** The most output that may be queued, a quarter of a second's worth. Beyond that, older output is omitted. */
const MAX_WAITING_CHARS = 1024 * 1024;

/**
 * Writes the output of a command at a pace that a window can follow, with limited memory. If a command is faster, the
 * middle of its output is omitted, and the pane reports that.
 */
export class PaneWriter {
  private readonly waiting: string[] = [];
  private size = 0;
  private skipped = 0;
  private endsLine = true;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;

  constructor(private readonly write: (text: string) => void) {}

  /** Whether the cursor is at the start of a line, judging by the output. */
  get isAtLineStart(): boolean {
    return this.endsLine;
  }

  push(text: string): void {
    if (text === '' || this.disposed) return;
    this.waiting.push(text);
    this.size += text.length;
    this.endsLine = text.endsWith('\n');
    if (this.size > MAX_WAITING_CHARS) this.skip();
    this.timer ??= setTimeout(this.frame, FRAME_MS);
  }

  /** Writes all queued output at once. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.size > 0) this.writeFrame();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.waiting.length = 0;
    this.size = 0;
  }

  private readonly frame = (): void => {
    this.writeFrame();
    this.timer = this.size > 0 ? setTimeout(this.frame, FRAME_MS) : undefined;
  };

  private writeFrame(): void {
    const note = this.skipped === 0 ? '' : skippedNote(this.skipped);
    const isCut = this.skipped > 0;
    this.skipped = 0;
    const taken: string[] = [];
    let chars = 0;
    while (this.waiting.length > 0 && chars < FRAME_CHARS) {
      const next = this.waiting.shift() ?? '';
      taken.push(next);
      chars += next.length;
    }
    this.size -= chars;
    const text = taken.join('');
    this.write(isCut ? note + fromLineStart(text) : text);
  }

  /** Drops everything except for the next frame. */
  private skip(): void {
    while (this.waiting.length > 1 && this.size > FRAME_CHARS) {
      const { length } = this.waiting.shift() ?? '';
      this.size -= length;
      this.skipped += length;
    }
  }
}

/** Skips to the next line, because the cut may be inside an escape sequence, which rarely spans lines. */
function fromLineStart(text: string): string {
  const lineEnd = text.indexOf('\n');
  return lineEnd >= 0 && lineEnd < text.length - 1 ? text.slice(lineEnd + 1) : text;
}

function skippedNote(chars: number): string {
  const amount = chars < 1_000_000 ? `${Math.ceil(chars / 1000)} kB` : `${(chars / 1_000_000).toFixed(1)} MB`;
  return `\x1b[0m\r\n\x1b[2m[${l10n.t('{0} of output is not shown here', amount)}]\x1b[0m\r\n`;
}
