import type { Span } from '../text/text-range.ts';

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

export type ParsedPrompt = { readonly parts: readonly PromptPart[] } | PromptFault;

/** What is wrong with a prompt. The span is the place in it. */
export interface PromptFault extends Span {
  readonly problem: PromptProblem;
}

export type PromptProblem = 'unbalanced' | 'empty' | 'too-long' | 'quoted-args';

/** A part with its place in the prompt. */
export type PlacedPart = Span & (PromptFault | { readonly part: PromptPart });

const ARGS = '{{args}}';
const MARK = /\{\{args\}\}|[@!]\{/g;
/** Longer than any path, and than any command that a user would read before approving it. */
const MAX_INSIDE = 5000;

/** Parses a prompt. */
export function parsePrompt(prompt: string): ParsedPrompt {
  const parts: PromptPart[] = [];
  for (const placed of partsOfPrompt(prompt)) {
    if ('problem' in placed) return placed;
    parts.push(placed.part);
  }
  return { parts };
}

/** The parts of a prompt in their order. Continues after those that are wrong. */
export function* partsOfPrompt(prompt: string): Generator<PlacedPart> {
  const closing = closingBraces(prompt);
  let done = 0;
  const textUpTo = function* (end: number): Generator<PlacedPart> {
    if (end > done) yield { part: { kind: 'text', text: prompt.slice(done, end) }, start: done, end };
  };
  for (const { 0: mark, index: start } of prompt.matchAll(MARK)) {
    // The mark is inside of the part before it.
    if (start < done) continue;
    yield* textUpTo(start);
    const inside = start + mark.length;
    if (mark === ARGS) {
      yield { part: { kind: 'args' }, start, end: inside };
      done = inside;
      continue;
    }
    const end = closing.get(start + 1);
    yield bracedPart(prompt, start, end);
    done = end === undefined ? inside : end + 1;
  }
  yield* textUpTo(prompt.length);
}

/** The part of a prompt that begins with `@{` or `!{`. `close` is the place of its closing brace. */
function bracedPart(prompt: string, start: number, close: number | undefined): PlacedPart {
  const mark = { start, end: start + 2 };
  if (close === undefined) return { problem: 'unbalanced', ...mark };
  if (close - start > MAX_INSIDE) return { problem: 'too-long', ...mark };
  const whole = { start, end: close + 1 };
  const written = prompt.slice(start + 2, close);
  const inside = withArgs(written.trim());
  if (inside.length === 0) return { problem: 'empty', ...whole };
  if (prompt[start] === '@') return { part: { kind: 'file', path: inside }, ...whole };
  const unsafe = unsafeArgs(inside);
  if (unsafe === undefined) return { part: { kind: 'shell', command: inside }, ...whole };
  const at = start + 2 + (written.length - written.trimStart().length) + unsafe;
  return { problem: 'quoted-args', start: at, end: at + ARGS.length };
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

/**
 * The place of the closing brace for each opening one. Braces inside must be balanced, as in Gemini CLI. This takes one
 * pass, because a prompt may consist only of opening braces.
 */
function closingBraces(prompt: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of prompt.matchAll(/[{}]/g)) {
    if (brace === '{') open.push(index);
    else {
      const begins = open.pop();
      if (begins !== undefined) closing.set(begins, index);
    }
  }
  return closing;
}

function withArgs(text: string): WithArgs[] {
  const pieces = text.split(ARGS);
  return pieces.flatMap((piece, at): WithArgs[] => [
    ...(at > 0 ? [{ args: true } as const] : []),
    ...(piece === '' ? [] : [piece]),
  ]);
}

/**
 * Finds the arguments that can't be inserted safely. They are written with their own quotes, which only protect them if
 * no other quotes are open: in `"{{args}}"`, a `$(…)` in the arguments would run. Cases that can't be decided are
 * refused.
 */
function unsafeArgs(command: readonly WithArgs[]): number | undefined {
  let before = '';
  let at = 0;
  for (const piece of command) {
    if (typeof piece !== 'string' && !isPlainPlace(before)) return at;
    before += typeof piece === 'string' ? piece : 'x';
    at += typeof piece === 'string' ? piece.length : ARGS.length;
  }
  return undefined;
}

/** Here-documents, arithmetic and backticks have their own rules, and quotes have another meaning after `$` or `\`. */
const OWN_RULES = /<<|\(\(|`|\blet\s|[$\\]['"]|[$\\]$|(?:^|\s)#/;

function isPlainPlace(before: string): boolean {
  const isOpen = before.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, '').match(/['"]/) !== null;
  return !isOpen && !OWN_RULES.test(before);
}
