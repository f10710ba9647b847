/** A problem that the editor reports, with the lines around it. */
export interface ReportedProblem {
  readonly severity: string;
  readonly message: string;
  /** The source and code of the problem, such as "ts 2322". Empty if they are unknown. */
  readonly by: string;
  /** The line number, counted from 1. */
  readonly line: number;
  readonly endLine: number;
}

const LINES_AROUND = 3;
const MAX_LINES = 40;
const SHORT = 40;

/** Describes a problem and its place for the model. */
export function diagnosticText(
  { severity, message, by, line, endLine }: ReportedProblem,
  source: readonly string[],
): string {
  const first = Math.max(1, line - LINES_AROUND);
  const last = Math.min(source.length, Math.min(endLine, line + MAX_LINES) + LINES_AROUND);
  const code = source.slice(first - 1, last).map((text, index) => {
    const number = first + index;
    return `${number >= line && number <= endLine ? '>' : ' '} ${number} | ${text}`;
  });
  return [`Line ${line}: ${severity}: ${message}${by === '' ? '' : ` (${by})`}`, '', ...code].join('\n');
}

/** The text of a chip, after the name of the file. */
export function shortMessage(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.length > SHORT ? `${line.slice(0, SHORT - 1)}…` : line;
}

/** Counts problems, such as "2 errors, 1 warning in 2 files". */
export function problemsDetail(all: readonly { readonly file: string; readonly isError: boolean }[]): string {
  const errors = all.filter(({ isError }) => isError).length;
  const files = new Set(all.map(({ file }) => file)).size;
  const kinds = [counted(errors, 'error'), counted(all.length - errors, 'warning')].filter((words) => words !== '');
  return `${kinds.join(', ')} in ${counted(files, 'file')}`;
}

function counted(count: number, word: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** Describes problems for the model, each with its file. `more` is the number of problems that are not listed. */
export function problemsText(each: readonly { readonly place: string; readonly text: string }[], more: number): string {
  const texts = each.map(({ place, text }) => `${place}\n${text}`);
  return [...texts, ...(more > 0 ? [`(${more} more are not listed.)`] : [])].join('\n\n');
}
