/**
 * The messages that the user would have typed. They contain no file names, because those are not the user's words: the
 * attachments name the files.
 */
export const Requests = {
  explainSelection: 'Explain this code.',
  explainFile: 'Explain this file.',
  explainProblem: (count: number): string => `Explain ${count === 1 ? 'this problem' : 'these problems'}.`,
  fixProblem: (count: number): string => `Fix ${count === 1 ? 'this problem' : `these ${count} problems`}.`,
  fixFile: 'Fix the problems in this file.',
  testSelection: 'Write tests for the selected code.',
  testFile: 'Write tests for this file.',
  review: 'Review my uncommitted changes. Look for mistakes, and say where each is.',
} as const;

/** Further problems are only counted, because the first ones usually cause the others. */
const MAX_PROBLEMS = 50;

/** Joins problems, and states how many were omitted. */
export function problemList(texts: readonly string[]): string {
  const left = texts.length - MAX_PROBLEMS;
  return [...texts.slice(0, MAX_PROBLEMS), ...(left > 0 ? [`(and ${left} more)`] : [])].join('\n\n');
}

/** Counts each file once: Git lists a partially staged file twice. */
export function filesWords(changes: readonly { readonly path: string }[]): string {
  const count = new Set(changes.map(({ path }) => path)).size;
  return count === 1 ? '1 changed file' : `${count} changed files`;
}
