/** What the user would have typed. The rest is in what is attached: names of files are not the user's words. */
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

/** More are named by their number: the first ones are mostly the reason for the others. */
const MAX_PROBLEMS = 50;

/** Problems one after the other; how many were omitted is said. */
export function problemList(texts: readonly string[]): string {
  const left = texts.length - MAX_PROBLEMS;
  return [...texts.slice(0, MAX_PROBLEMS), ...(left > 0 ? [`(and ${left} more)`] : [])].join('\n\n');
}

/** Git lists a file twice whose change is staged in part. */
export function filesWords(changes: readonly { readonly path: string }[]): string {
  const count = new Set(changes.map(({ path }) => path)).size;
  return count === 1 ? '1 changed file' : `${count} changed files`;
}
