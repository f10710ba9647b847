import { firstChars } from '../../text/long-output.ts';

/** The number of lines that the model gets if it doesn't set an end, as in Gemini CLI. */
export const MAX_LINES = 2000;
/** Longer lines are minified code or data. The rest of them doesn't help the model. */
export const MAX_LINE_CHARS = 2000;

const CUT_SUFFIX = '… [line cut]';

export interface WantedLines {
  /** 1-based. */
  readonly start?: number | undefined;
  /** Inclusive. There is no upper limit. */
  readonly end?: number | undefined;
}

export interface LineWindow {
  readonly text: string;
  /** The first and last line shown. `last` is less than `first` if no line is shown. */
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly hasCutLines: boolean;
}

/** The requested lines, joined with LF. Lines are split as VS Code does: CRLF, LF and CR each end a line. */
export function windowOfLines(text: string, range: WantedLines): LineWindow {
  const lines = text.split(/\r\n|\r|\n/);
  const endsWithNewline = lines.at(-1) === '';
  if (endsWithNewline) lines.pop();
  const first = range.start ?? 1;
  const last = Math.min(lines.length, range.end ?? first + MAX_LINES - 1);
  const shown = lines.slice(first - 1, last);
  const cut = shown.map(cutLine);
  const hasCutLines = cut.some((line, index) => line !== shown[index]);
  const newline = endsWithNewline && last === lines.length && shown.length > 0 ? '\n' : '';
  return { text: `${cut.join('\n')}${newline}`, first, last, total: lines.length, hasCutLines };
}

export function isWhole({ first, last, total }: LineWindow): boolean {
  return first === 1 && last === total;
}

export function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  return `${firstChars(line, MAX_LINE_CHARS)}${CUT_SUFFIX}`;
}
