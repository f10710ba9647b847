import { fileLabel, type LineRange } from '../context/labels.ts';

/** A problem as VS Code lists it. */
export interface ListedProblem extends LineRange {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  readonly source?: string;
  readonly code?: string;
}

/** What the user would have typed. The rest is in what is attached. */
export const Requests = {
  explainSelection: 'Explain this code.',
  explainFile: 'Explain this file.',
  explainProblem: (count: number): string => `Explain ${count === 1 ? 'this problem' : 'these problems'}.`,
  fixProblem: (count: number): string => `Fix ${count === 1 ? 'this problem' : `these ${count} problems`}.`,
  fixFile: (path: string): string => `Fix the problems in ${path}.`,
  testSelection: (path: string): string => `Write tests for the selected code of ${path}.`,
  testFile: (path: string): string => `Write tests for ${path}.`,
  review: 'Review my uncommitted changes. Look for mistakes, and say where each is.',
} as const;

/** Lines around a problem that make it clear what it is about. */
const AROUND = 5;
const MAX_LISTED = 50;

/** Each problem with its place and the lines around it, cut when there are many. */
export function problemsText(problems: readonly ListedProblem[], lines: readonly string[]): string {
  const listed = problems.slice(0, MAX_LISTED).map((problem) => problemText(problem, lines));
  const left = problems.length - listed.length;
  return [...listed, ...(left > 0 ? [`(and ${left} more)`] : [])].join('\n\n');
}

function problemText(problem: ListedProblem, lines: readonly string[]): string {
  const { startLine, endLine, severity, message, source, code } = problem;
  const from = [source, code].filter(Boolean).join(' ');
  const first = Math.max(1, startLine - AROUND);
  const last = Math.min(lines.length, Math.min(endLine, startLine + AROUND) + AROUND);
  const shown = lines.slice(first - 1, last).map((line, index) => {
    const number = first + index;
    return `${number >= startLine && number <= endLine ? '>' : ' '}${String(number).padStart(5)} | ${line}`;
  });
  return [`${severity} in line ${startLine}${from === '' ? '' : ` (${from})`}: ${message}`, ...shown].join('\n');
}

/** "app.ts:12" for one, "3 problems in app.ts" for more. */
export function problemsLabel(path: string, problems: readonly LineRange[]): string {
  const [only, another] = problems;
  if (only && !another) return fileLabel(path, { startLine: only.startLine, endLine: only.startLine });
  return `${problems.length} problems in ${fileLabel(path)}`;
}

export function filesWords(count: number): string {
  return count === 1 ? '1 changed file' : `${count} changed files`;
}
