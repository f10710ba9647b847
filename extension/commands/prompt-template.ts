/** A piece of a prompt. What is put in its place later is never read as a piece again. */
export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  /** What the user wrote behind the command. */
  | { readonly kind: 'args' }
  /** A file or folder. */
  | { readonly kind: 'file'; readonly path: readonly WithArgs[] }
  /** What a command writes. */
  | { readonly kind: 'shell'; readonly command: readonly WithArgs[] };

/** Text, or the place of the arguments in it. */
export type WithArgs = string | { readonly args: true };

export type ParsedPrompt =
  | { readonly parts: readonly PromptPart[] }
  /** `at`: where in the prompt. */
  | { readonly problem: PromptProblem; readonly at: number };

export type PromptProblem = 'unbalanced' | 'empty' | 'too-long' | 'quoted-args';

const ARGS = '{{args}}';
const MARK = /\{\{args\}\}|[@!]\{/;
/** Longer than any path, and than any command that somebody would read before approving it. */
const MAX_INSIDE = 5000;

/** Takes a prompt apart. */
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

/** The text with the arguments in it, each time as `written` gives them. */
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

/** Braces inside have to balance, as in Gemini CLI. */
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
 * The arguments are written in quotes of their own, which hold only where no others are open: in `"{{args}}"` a `$(…)` of theirs
 * would run. What cannot be told for sure is refused.
 */
function areArgsSafe(command: readonly WithArgs[]): boolean {
  let before = '';
  for (const piece of command) {
    if (typeof piece !== 'string' && !isPlainPlace(before)) return false;
    before += typeof piece === 'string' ? piece : 'x';
  }
  return true;
}

/** Here-documents, arithmetic and back-ticks have rules of their own; behind `$` or `\` quotes mean something else. */
const OWN_RULES = /<<|\(\(|`|\blet\s|[$\\]['"]|[$\\]$|(?:^|\s)#/;

function isPlainPlace(before: string): boolean {
  const isOpen = before.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, '').match(/['"]/) !== null;
  return !isOpen && !OWN_RULES.test(before);
}
