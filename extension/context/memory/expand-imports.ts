import { dirname, resolve } from 'node:path';
import type { Beginning } from '../../files/read-beginning.ts';
import { LineIndex, type Span, type TextRange } from '../../text/text-range.ts';

export interface ImportFault {
  /** The absolute path of the file that contains the import. */
  readonly file: string;
  /** One-based. */
  readonly line: number;
  /** The mark with the path. */
  readonly range: TextRange;
  /** The path as written in the file. */
  readonly path: string;
  readonly reason: ImportRefusal;
}

export type ImportRefusal = 'missing' | 'outside' | 'cycle' | 'depth' | 'count' | 'unreadable';

export interface Expanded {
  readonly text: string;
  /** The absolute paths of the files included in the text. */
  readonly imported: readonly string[];
  /**
   * The absolute paths of the included files and of those that could not be read. A change to any of them changes the
   * text.
   */
  readonly lookedAt: readonly string[];
  /** The real paths of all readable files that the imports lead to, including those that were sent before. */
  readonly reached: ReadonlySet<string>;
  readonly faults: readonly ImportFault[];
}

/** As in Gemini CLI. */
const MAX_DEPTH = 5;
/** Ten files that import each other five levels deep would yield a hundred thousand imports. */
const MAX_IMPORTS = 50;

/**
 * Replaces imports in a text with the contents of the files, between comments that name their source. Files that cannot
 * be imported leave a comment, and so do files that the model already has: those in `sent` (real paths) and those that
 * an earlier import included. `read` decides which files are accessible.
 */
export async function expandImports(
  text: string,
  file: string,
  read: (path: string) => Promise<Beginning>,
  sent: ReadonlySet<string> = new Set(),
): Promise<Expanded> {
  const expansion = new Expansion(read, sent);
  const expanded = await expansion.expand(text, [file]);
  const { imported, lookedAt, reached, faults } = expansion;
  return { text: expanded, imported, lookedAt, reached, faults };
}

class Expansion {
  readonly imported: string[] = [];
  readonly lookedAt: string[] = [];
  readonly reached = new Set<string>();
  readonly faults: ImportFault[] = [];

  constructor(
    private readonly read: (path: string) => Promise<Beginning>,
    private readonly sent: ReadonlySet<string>,
  ) {}

  /** `chain` lists the importing files, ending with the file of the text. */
  async expand(text: string, chain: readonly string[]): Promise<string> {
    let expanded = '';
    let done = 0;
    const lines = new LineIndex(text);
    for (const mark of findImports(text)) {
      expanded += text.slice(done, mark.start) + (await this.replacement(mark, lines, chain));
      done = mark.end;
    }
    return expanded + text.slice(done);
  }

  private async replacement(mark: ImportMark, lines: LineIndex, chain: readonly string[]): Promise<string> {
    const [file = ''] = chain.slice(-1);
    const found = await this.import(mark, dirname(file), chain);
    if (found === 'sent') return `<!-- Already given: ${mark.path} -->`;
    if ('text' in found) return `<!-- From: ${mark.path} -->\n${found.text}\n<!-- End of: ${mark.path} -->`;
    const { refused } = found;
    // This is the name of a person, or a decorator.
    if (refused === 'missing' && !/[./\\]/.test(mark.path)) return `@${mark.path}`;
    const range = lines.rangeOf(mark);
    this.faults.push({ file, line: range.line, range, path: mark.path, reason: refused });
    return `<!-- Not imported: ${mark.path} (${WORDS[refused]}) -->`;
  }

  private async import(
    { path }: ImportMark,
    folder: string,
    chain: readonly string[],
  ): Promise<{ readonly text: string } | 'sent' | { readonly refused: ImportRefusal }> {
    if (/^[a-z]+:\/\//i.test(path) || path.includes('\0')) return { refused: 'outside' };
    const target = resolve(folder, path);
    if (chain.includes(target)) return { refused: 'cycle' };
    if (chain.length > MAX_DEPTH) return { refused: 'depth' };
    if (this.lookedAt.length >= MAX_IMPORTS) return { refused: 'count' };
    this.lookedAt.push(target);
    const read = await this.read(target);
    if ('failed' in read) return { refused: REFUSALS[read.failed] ?? 'unreadable' };
    // The file has another name or is a link.
    if (chain.includes(read.path)) return { refused: 'cycle' };
    if (this.sent.has(read.path) || this.reached.has(read.path)) {
      this.reached.add(read.path);
      return 'sent';
    }
    this.reached.add(read.path);
    this.imported.push(target);
    return { text: await this.expand(read.text, [...chain, target]) };
  }
}

const REFUSALS: Readonly<Record<string, ImportRefusal>> = { missing: 'missing', refused: 'outside' };

const WORDS: Readonly<Record<ImportRefusal, string>> = {
  missing: 'there is no such file',
  outside: 'it is not in the project, or hidden',
  cycle: 'it imports itself',
  depth: 'too many imports inside of each other',
  count: 'too many imports',
  unreadable: 'it cannot be read as text',
};

/** The position of an import in a text: `@docs/style.md`. */
interface ImportMark extends Span {
  /** The path as written in the file. */
  readonly path: string;
}

/** Gemini CLI's syntax: after whitespace, up to whitespace, beginning with a dot, a slash or a letter. */
const MARK = /(?<=^|[ \t\r\n])@([./A-Za-z][^ \t\r\n]*)/g;

/** The imports of a text, in order. Code is ignored. */
export function findImports(text: string): ImportMark[] {
  const code = codeRegions(text);
  let region = 0;
  return [...text.matchAll(MARK)].flatMap(({ index, 0: whole, 1: path = '' }) => {
    while (region < code.length && (code[region]?.end ?? 0) <= index) region++;
    const isCode = (code[region]?.start ?? Number.POSITIVE_INFINITY) <= index;
    return isCode ? [] : [{ start: index, end: index + whole.length, path }];
  });
}

/**
 * Code spans as in Markdown: from a run of backticks to the next run of the same length. This takes one pass, because a
 * text may consist only of backticks.
 */
function codeRegions(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const byLength = new Map<number, number[]>();
  for (const { index, length } of runs) {
    const same = byLength.get(length);
    if (same) same.push(index);
    else byLength.set(length, [index]);
  }
  return regionsOf(runs, byLength);
}

function regionsOf(
  runs: readonly { readonly index: number; readonly length: number }[],
  byLength: ReadonlyMap<number, readonly number[]>,
): Span[] {
  const regions: Span[] = [];
  const passed = new Map<number, number>();
  let end = 0;
  for (const { index, length } of runs) {
    if (index < end) continue;
    const same = byLength.get(length) ?? [];
    let next = passed.get(length) ?? 0;
    while (next < same.length && (same[next] ?? 0) <= index) next++;
    passed.set(length, next);
    const close = same[next];
    if (close === undefined) continue;
    end = close + length;
    regions.push({ start: index, end });
  }
  return regions;
}
