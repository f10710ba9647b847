import type * as headless from '@xterm/headless';
import { type CapturedOutput, fromLineStart } from './output-capture.ts';
import { DEFAULT_COLUMNS, DEFAULT_ROWS } from './pty-shell.ts';

/** So few characters can't make more lines than the terminal keeps, so no line is lost before it is read. */
const SLICE_CHARS = 8 * 1024;
const SCROLLBACK_LINES = SLICE_CHARS + 1024;

/**
 * Sequences with a count: insert, tab, delete, scroll, erase, repeat. xterm.js repeats each as often as the count says,
 * so a sequence of a dozen characters could keep it busy for minutes, or allocate gigabytes.
 */
const COUNTED = ['@', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b'];
const MAX_COUNT = 1000;

/** The output as a person would have seen it in the terminal: no colors, progress bars in their final state. */
export async function terminalText(output: CapturedOutput, columns = DEFAULT_COLUMNS): Promise<string> {
  const head = await render(output.head, columns);
  if (output.dropped === 0) return head;
  const tail = await render(fromLineStart(output.tail), columns);
  return `${head}\n[… ${output.dropped} characters of output are not kept …]\n${tail}`;
}

async function render(raw: string, columns: number): Promise<string> {
  const { Terminal } = await loadXterm();
  const terminal = new Terminal({
    cols: columns,
    rows: DEFAULT_ROWS,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  try {
    for (const final of COUNTED) terminal.parser.registerCsiHandler({ final }, ([count]) => Number(count) > MAX_COUNT);
    const lines = new Lines();
    for (let at = 0; at < raw.length; at += SLICE_CHARS) {
      const slice = raw.slice(at, at + SLICE_CHARS);
      await new Promise<void>((done) => terminal.write(slice, done));
      lines.takeScrolledOut(terminal);
    }
    return lines.finish(terminal);
  } finally {
    terminal.dispose();
  }
}

/** Loads the terminal emulator. It is a CommonJS module: bundled, it has named exports; loaded by Node, only a default export. */
export async function loadXterm(): Promise<typeof headless> {
  const loaded: typeof headless & { readonly default?: typeof headless } = await import('@xterm/headless');
  return loaded.default ?? loaded;
}

/** Lines that have left the screen no longer change, so they are read once and can then be dropped. */
class Lines {
  private readonly lines: string[] = [];
  private next: { readonly line: number; dispose(): void } | undefined;

  takeScrolledOut(terminal: headless.Terminal): void {
    const { active } = terminal.buffer;
    // A full-screen program uses the alternate screen, where nothing scrolls out.
    if (active.type === 'alternate') return;
    this.take(active, Math.max(0, this.next?.line ?? 0), active.baseY);
    this.next?.dispose();
    // The marker stays on its line while older lines are dropped.
    this.next = terminal.registerMarker(-active.cursorY);
  }

  finish({ buffer }: headless.Terminal): string {
    this.take(buffer.normal, Math.max(0, this.next?.line ?? 0), buffer.normal.length);
    if (buffer.active.type === 'alternate') this.take(buffer.active, 0, buffer.active.length);
    return this.lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  private take(buffer: headless.IBuffer, from: number, to: number): void {
    for (let y = from; y < to; y++) {
      const line = buffer.getLine(y);
      if (!line) continue;
      const goesOn = buffer.getLine(y + 1)?.isWrapped ?? false;
      const text = line.translateToString(!goesOn);
      if (line.isWrapped && this.lines.length > 0) this.lines.push((this.lines.pop() ?? '') + text);
      else this.lines.push(text);
    }
  }
}
