import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { decodeText } from '../../files/text-codec.ts';
import type { LocatedFile } from './grep-run.ts';
import type { FoundLine } from './ripgrep-events.ts';

/** As large as read_file reads. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** How much to show around matches when nobody said: few matches are most likely to be read next. As in Gemini CLI. */
export function autoContextLines(matches: number): number {
  if (matches === 1) return 50;
  return matches === 2 || matches === 3 ? 15 : 0;
}

/** The file with the lines around its matches, or as it is when it cannot be read or has changed. */
export async function withContext(file: LocatedFile, around: number, signal: AbortSignal): Promise<LocatedFile> {
  const text = await readText(file.realPath, signal);
  return text === undefined ? file : { ...file, lines: linesAround(text, file.lines, around) };
}

export function linesAround(text: string, found: readonly FoundLine[], around: number): readonly FoundLine[] {
  // As ripgrep counts: only a line feed ends a line.
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  if (found.some(({ number, text: seen }) => lines[number - 1] !== seen)) return found;
  const matches = new Set(found.map(({ number }) => number));
  const isNear = (number: number): boolean => found.some((line) => Math.abs(line.number - number) <= around);
  return lines
    .map((line, index): FoundLine => ({ number: index + 1, text: line, isMatch: matches.has(index + 1) }))
    .filter(({ number }) => isNear(number));
}

async function readText(path: string, signal: AbortSignal): Promise<string | undefined> {
  const file = await openRegularFile(path);
  if (!file.opened) return undefined;
  try {
    const bytes = await readUpTo(file.handle, file.size, MAX_FILE_BYTES, signal);
    return bytes && decodeText(bytes).text;
  } catch {
    return undefined;
  } finally {
    await file.handle.close();
  }
}
