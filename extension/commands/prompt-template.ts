/** A part of a prompt. Content that replaces it later is never parsed as a part again. */
export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  /** The text that the user typed after the command. */
  | { readonly kind: 'args' }
  /** A file or folder. */
  | { readonly kind: 'file'; readonly path: readonly WithArgs[] }
  /** The output of a command. */
  | { readonly kind: 'shell'; readonly command: readonly WithArgs[] };

/** Text, or a placeholder for the arguments. */
export type WithArgs = string | { readonly args: true };

export type ParsedPrompt =
  | { readonly parts: readonly PromptPart[] }
  /** `at` is the position in the prompt. */
  | { readonly problem: PromptProblem; readonly at: number };

export type PromptProblem = 'unbalanced' | 'empty' | 'too-long' | 'quoted-args';

const ARGS = '{{args}}';
const MARK = /\{\{args\}\}|[@!]\{/;
/** Longer than any path, and than any command that a user would read before approving it. */
const MAX_INSIDE = 5000;

/** Parses a prompt. */
export function parsePrompt(prompt: string): ParsedPrompt {
  const parts: PromptPart[] = [];
  let done = 0;
  const addText = (end: number): void => {
    if (end > done) parts.push({ kind: 'text', text: prompt.slice(done, end) });
  };
  for (;;) {
    const mark = nextMark(prompt, done);
    if (!mark) break;
    addText(mark.at);
    if (mark.text === ARGS) {
      parts.push({ kind: 'args' });
      done = mark.at + ARGS.length;
      continue;
    }
    const end = closingBrace(prompt, mark.at + 2);
    if (end === undefined) return { problem: 'unbalanced', at: mark.at };
    if (end - mark.at > MAX_INSIDE) return { problem: 'too-long', at: mark.at };
    const inside = withArgs(prompt.slice(mark.at + 2, end).trim());
    if (inside.length === 0) return { problem: 'empty', at: mark.at };
    if (mark.text === '!{' && !areArgsSafe(inside)) return { problem: 'quoted-args', at: mark.at };
    parts.push(mark.text === '@{' ? { kind: 'file', path: inside } : { kind: 'shell', command: inside });
    done = end + 1;
  }
  addText(prompt.length);
  return { parts };
}

export function usesArgs(parts: readonly PromptPart[]): boolean {
  return parts.some((part) => part.kind === 'args' || insideOf(part).some((piece) => typeof piece !== 'string'));
}

/** Inserts the arguments, in the form that `written` has, into the text. */
export function fillIn(pieces: readonly WithArgs[], written: string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : written)).join('');
}

function insideOf(part: PromptPart): readonly WithArgs[] {
  return part.kind === 'file' ? part.path : part.kind === 'shell' ? part.command : [];
}

function nextMark(prompt: string, from: number): { readonly at: number; readonly text: string } | undefined {
  const found = MARK.exec(prompt.slice(from));
  return found ? { at: from + found.index, text: found[0] } : undefined;
}

/** Braces inside must be balanced, as in Gemini CLI. */
function closingBrace(prompt: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < prompt.length; at++) {
    if (prompt[at] === '{') depth++;
    if (prompt[at] === '}' && --depth === 0) return at;
  }
  return undefined;
}

function withArgs(text: string): WithArgs[] {
  const pieces = text.split(ARGS);
  return pieces.flatMap((piece, at): WithArgs[] => [
    ...(at > 0 ? [{ args: true } as const] : []),
    ...(piece === '' ? [] : [piece]),
  ]);
}

/**
 * Whether the arguments can be inserted safely. They are written with their own quotes, which only protect them if no
 * other quotes are open: in `"{{args}}"`, a `$(…)` in the arguments would run. Cases that can't be decided are refused.
 */
function areArgsSafe(command: readonly WithArgs[]): boolean {
  let before = '';
  for (const piece of command) {
    if (typeof piece !== 'string' && !isPlainPlace(before)) return false;
    before += typeof piece === 'string' ? piece : 'x';
  }
  return true;
}

/** Here-documents, arithmetic and backticks have their own rules, and quotes have another meaning after `$` or `\`. */
const OWN_RULES = /<<|\(\(|`|\blet\s|[$\\]['"]|[$\\]$|(?:^|\s)#/;

function isPlainPlace(before: string): boolean {
  const isOpen = before.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, '').match(/['"]/) !== null;
  return !isOpen && !OWN_RULES.test(before);
}
