import type { EditorPort, EditorProblem } from '../../ports/editor.ts';

/** Language servers of middling projects answer in about a second; the model should not wait longer for less. */
const WAIT_MS = 1500;
const MAX_LISTED = 10;

/** What the editor finds wrong with a file that was just changed and did not find before; empty for nothing. */
export async function newProblems(
  editor: EditorPort,
  before: readonly EditorProblem[],
  path: string,
  label: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const after = await editor.problemsAfterChange(path, WAIT_MS, signal);
    return problemList(addedProblems(before, after), label);
  } catch {
    // The edit is made: it must not look as if it had failed.
    return `What the editor thinks of ${label} now is not known.`;
  }
}

/** Errors and warnings only. An edit moves the others, so lines are not compared. */
export function addedProblems(before: readonly EditorProblem[], after: readonly EditorProblem[]): EditorProblem[] {
  const known = new Map<string, number>();
  for (const problem of before.filter(matters)) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return after.filter(matters).filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function problemList(problems: readonly EditorProblem[], label: string): string {
  if (problems.length === 0) return '';
  const lines = problems.slice(0, MAX_LISTED).map(({ severity, line, message, source, code }) => {
    const origin = [source, code].filter(Boolean).join(' ');
    return `- line ${line}, ${severity}: ${message}${origin && ` (${origin})`}`;
  });
  const rest = problems.length > MAX_LISTED ? [`- and ${problems.length - MAX_LISTED} more`] : [];
  return [`New problems in ${label}:`, ...lines, ...rest].join('\n');
}

function matters({ severity }: EditorProblem): boolean {
  return severity === 'error' || severity === 'warning';
}

function keyOf({ message, source, code }: EditorProblem): string {
  return JSON.stringify([message, source, code]);
}
