import { type ChangeObject, diffArrays } from 'diff';
import { once } from '../../../base/once.ts';
import { withLf } from '../../../files/line-ends.ts';
import { blockOf } from './line-blocks.ts';

/** A text with less in common would be misleading. */
const MIN_SHARED = 0.4;
const MAX_SHOWN_LINES = 40;
const MAX_SHOWN_CHARS = 200;
/** The time to compare grows with the square of this number. */
const MAX_COMPARED_LINES = 100;
/** In longer texts, whole lines are compared, because splitting all of them into words would take too long. */
const MAX_TEXT_IN_WORDS = 500_000;

const words = once(() => /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu);

/**
 * The part of a text that is most similar to a text that was not found, as a line-by-line comparison for the model.
 * Undefined if nothing is similar. Differences that are only white space are made visible.
 */
export function closestRegion(text: string, wanted: string): string | undefined {
  const lines = withLf(text).split('\n');
  const sought = blockOf(withLf(wanted));
  const first = mostAlike(lines, sought, text.length > MAX_TEXT_IN_WORDS ? wholeLine : wordsOf);
  if (first === undefined) return undefined;
  const shown = compared(
    sought.slice(0, MAX_COMPARED_LINES),
    lines.slice(first, first + Math.min(sought.length, MAX_COMPARED_LINES)),
    first + 1,
  );
  const cut = shown.length + Math.max(0, sought.length - MAX_COMPARED_LINES) - MAX_SHOWN_LINES;
  const rest = cut > 0 ? [`… ${cut} more lines`] : [];
  return [...shown.slice(0, MAX_SHOWN_LINES), ...rest].join('\n');
}

/** The first line of the window that shares the most words with the sought text, counted while it slides. */
function mostAlike(lines: readonly string[], sought: readonly string[], eachPart: EachPart): number | undefined {
  const numbers = new Map<string, number>();
  /** By the number of a word: how often the window lacks it. */
  const missing: number[] = [];
  let all = 0;
  for (const line of sought)
    eachPart(line, (word) => {
      all++;
      const number = numbers.get(word) ?? missing.length;
      if (number === missing.length) numbers.set(word, missing.push(0) - 1);
      missing[number] = (missing[number] ?? 0) + 1;
    });
  /** The sought words in the text, as numbers, and the line of each. */
  const [words, places]: [number[], number[]] = [[], []];
  let line = 0;
  const lengths = new Set([...numbers.keys()].map(({ length }) => length));
  const note = (word: string): void => {
    // Looking up a text means reading all of it, which is the greatest part of the time for long lines.
    const number = lengths.has(word.length) ? numbers.get(word) : undefined;
    if (number === undefined) return;
    words.push(number);
    places.push(line);
  };
  for (; line < lines.length; line++) eachPart(lines[line] ?? '', note);
  let [shared, best, bestFirst, left] = [0, 0, 0, 0];
  for (let at = 0; at < words.length; at++) {
    const [word = 0, place = 0] = [words[at], places[at]];
    for (; (places[left] ?? 0) <= place - sought.length; left++) {
      const gone = words[left] ?? 0;
      const lacking = missing[gone] ?? 0;
      // Surplus occurrences of a word in the window are not shared.
      if (lacking >= 0) shared--;
      missing[gone] = lacking + 1;
    }
    const lacking = missing[word] ?? 0;
    if (lacking > 0) shared++;
    missing[word] = lacking - 1;
    if (shared > best) [best, bestFirst] = [shared, Math.max(0, place - sought.length + 1)];
  }
  return all > 0 && best / all >= MIN_SHARED ? bestFirst : undefined;
}

function compared(sought: readonly string[], actual: readonly string[], firstLine: number): string[] {
  const width = String(firstLine + actual.length).length;
  const [soughtBare, actualBare] = [textsByBare(sought), textsByBare(actual)];
  const output: string[] = [];
  let [line, soughtAt] = [firstLine, 0];
  for (const { count, added, removed } of changesBetween(sought, actual)) {
    for (let offset = 0; offset < count; offset++) {
      const number = (removed ? '' : String(line)).padStart(width);
      const text = (removed ? sought[soughtAt] : actual[line - firstLine]) ?? '';
      const others = removed ? actualBare : soughtBare;
      const visible = (added || removed) && differsInSpace(text, others);
      output.push(`${removed ? '-' : added ? '+' : ' '} ${number} | ${short(visible ? withVisibleSpace(text) : text)}`);
      if (!added) soughtAt++;
      if (!removed) line++;
    }
  }
  return output;
}

/** Without a common line, as after a change of the indentation, comparing takes longest and has only one result. */
function changesBetween(sought: readonly string[], actual: readonly string[]): Change[] {
  const there = new Set(actual);
  if (sought.some((line) => there.has(line))) return diffArrays([...sought], [...actual]);
  return [
    { count: sought.length, added: false, removed: true },
    { count: actual.length, added: true, removed: false },
  ];
}

function textsByBare(lines: readonly string[]): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const line of lines) texts.set(bare(line), (texts.get(bare(line)) ?? new Set()).add(line));
  return texts;
}

function differsInSpace(text: string, others: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  return [...(others.get(bare(text)) ?? [])].some((other) => other !== text);
}

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}

function withVisibleSpace(text: string): string {
  return text.replaceAll(' ', '·').replaceAll('\t', '→').replaceAll('\r', '␍').replaceAll('\u00a0', '⍽');
}

function short(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}

type Change = Pick<ChangeObject<string[]>, 'count' | 'added' | 'removed'>;

type EachPart = (line: string, take: (part: string) => void) => void;

function wordsOf(line: string, take: (word: string) => void): void {
  for (const word of line.match(words()) ?? []) take(word);
}

function wholeLine(line: string, take: (line: string) => void): void {
  take(line.trim());
}
