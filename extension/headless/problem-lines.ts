import { type Problem, type ProblemAction, problemText } from '../protocol/agent/problem.ts';

/** The text for a surface without buttons: what happened, what was kept, and which command or variable helps. */
export function problemLine(problem: Problem, sessionId?: string): string {
  const text = problemText(problem);
  const next = nextSteps(problem, sessionId);
  // Next steps are on a new line if the text has several lines or no final punctuation, as lists of files do.
  return [text, ...next].join(/[.!?]$/.test(text) && !text.includes('\n') ? ' ' : '\n');
}

/** The equivalent of one of the panel's buttons on the command line; empty if there is none. */
export function stepOf(action: ProblemAction): string {
  return sentenceOf(WORDS[action](undefined) ?? '');
}

function nextSteps({ kind, actions }: Problem, sessionId: string | undefined): string[] {
  const again = actions.findIndex((action) => AGAIN.has(action));
  const [first, instead] = again < 0 ? [[], actions] : [actions.slice(0, again), actions.slice(again)];
  const wordsOf = (some: readonly ProblemAction[]): string[] =>
    some.flatMap((action) => WORDS[action](sessionId) ?? []);
  const retry = again < 0 ? [] : [listOf(wordsOf(first)), runAgain(sessionId)].filter((words) => words !== '');
  const sentence = listOf([retry.join(', then '), ...wordsOf(instead)].filter((words) => words !== ''));
  return [
    ...(sentence === '' ? [] : [sentenceOf(sentence)]),
    ...(kind === 'internal' ? ['Set GANTRY_LOG=debug to see details.'] : []),
  ];
}

/** Actions before one of these in the list come first; actions after it are alternatives. */
const AGAIN: ReadonlySet<ProblemAction> = new Set(['retry', 'retry-from-here', 'keep-going']);

/** Without an id, no session is stored that could be continued. */
function runAgain(sessionId: string | undefined): string {
  return sessionId === undefined
    ? 'run the command again'
    : `run again with --resume ${sessionId} instead of the prompt`;
}

/** Undefined for actions that the command line does not have, and for those that the sentence already mentions. */
const WORDS: Readonly<Record<ProblemAction, (sessionId: string | undefined) => string | undefined>> = {
  retry: () => undefined,
  'retry-from-here': () => undefined,
  'keep-going': () => undefined,
  compress: (sessionId) => sessionId && `shorten the conversation with --resume ${sessionId} -p /compress`,
  'new-session': () => 'start a new session without --resume',
  'open-copy': () => undefined,
  'set-api-key': () => 'set GEMINI_API_KEY',
  'sign-in': () => undefined,
  'switch-model': () => 'choose another model with --model',
  'open-settings': () => undefined,
  'review-hooks': () => inVsCode('Review Hooks…'),
  'review-mcp-servers': () => inVsCode('Review MCP Servers…'),
  'review-agents': () => inVsCode('Review Agents…'),
  'open-policies': () => `${inVsCode('Open Policies')}, or name the file with --policy`,
  'stop-detecting': () => undefined,
  'show-log': () => undefined,
};

/** Definitions of a folder are approved in VS Code, where the user can read them first. */
function inVsCode(command: string): string {
  return `to approve, open the folder in VS Code and run "Gantry: ${command}"`;
}

function sentenceOf(words: string): string {
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`;
}
