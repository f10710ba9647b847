import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

/** The results of a tool, row by row: files, lines in files, URLs, and remarks. */
export type ResultRow =
  | { readonly kind: 'file'; readonly path: string; readonly count: number }
  | { readonly kind: 'line'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly kind: 'source'; readonly title: string; readonly url?: string }
  | { readonly kind: 'words'; readonly text: string };

/** Undefined for a tool whose result is plain text. */
export function resultRows({ name, status, detail }: ToolEntry): readonly ResultRow[] | undefined {
  if (status !== 'success' || detail === '') return undefined;
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  const rows = read?.(detail.split('\n'));
  return rows?.some(({ kind }) => kind !== 'words') ? rows : undefined;
}

type Reader = (lines: readonly string[]) => readonly ResultRow[];

const READERS: Readonly<Record<string, Reader>> = {
  grep_search: matches,
  glob: files,
  read_many_files: files,
  find_references: places,
  find_symbol: places,
  go_to_definition: places,
  get_diagnostics: places,
  google_web_search: sources,
  web_fetch: pages,
};

/** `File: src/a.ts`, then `L12: text` for a match and `L13- text` for its context. */
function matches(lines: readonly string[]): readonly ResultRow[] {
  if (!lines.some((line) => line.startsWith('File: '))) return files(lines);
  return byFile(lines, /^File: (.+)$/, /^L(\d{1,7}):\s(.*)$/, /^(?:L\d+- |---$|Found )/);
}

/** `src/a.ts`, then `  12:5  text`. */
function places(lines: readonly string[]): readonly ResultRow[] {
  return byFile(lines, /^([^\s[].*\.\w+)$/, /^ {2}(\d{1,7}):\d+ {2}(.*)$/, /^ {6}\|/);
}

function byFile(lines: readonly string[], head: RegExp, item: RegExp, skipped: RegExp): readonly ResultRow[] {
  const rows: ResultRow[] = [];
  let file: { at: number; path: string; count: number } | undefined;
  for (const line of lines) {
    const path = head.exec(line)?.[1];
    const [, number, text = ''] = item.exec(line) ?? [];
    if (path !== undefined) {
      file = { at: rows.length, path, count: 0 };
      rows.push({ kind: 'file', path, count: 0 });
    } else if (number !== undefined && file) {
      file.count++;
      rows[file.at] = { kind: 'file', path: file.path, count: file.count };
      rows.push({ kind: 'line', path: file.path, line: Number(number), text: text.trim() });
    } else if (line.trim() !== '' && !skipped.test(line)) {
      rows.push({ kind: 'words', text: line });
    }
  }
  return rows;
}

/** One file per line, after an introduction and before remarks. */
function files(lines: readonly string[]): readonly ResultRow[] {
  return lines.flatMap((line): ResultRow[] => {
    if (line.trim() === '' || line === '---') return [];
    const isFile =
      !/^(?:Found |Skipped:|and \d+ more|\[|No )/.test(line) && !/[.:…]$/.test(line) && !/ \(.*\)$/.test(line);
    return [isFile ? { kind: 'file', path: line, count: 0 } : { kind: 'words', text: line }];
  });
}

/** `[1] title (URL)` */
function sources(lines: readonly string[]): readonly ResultRow[] {
  return lines.map((line): ResultRow => {
    const [, title, url] = /^\[\d+\] (.*?)(?: \((https?:\/\/[^\s]+)\))?$/.exec(line) ?? [];
    if (title === undefined) return { kind: 'words', text: line };
    return { kind: 'source', title, ...(url !== undefined && { url }) };
  });
}

/** `URL: outcome` */
function pages(lines: readonly string[]): readonly ResultRow[] {
  return lines.map((line): ResultRow => {
    const [, url, outcome] = /^(https?:\/\/\S+): (.*)$/.exec(line) ?? [];
    return url === undefined ? { kind: 'words', text: line } : { kind: 'source', title: outcome ?? '', url };
  });
}

/** The text to highlight in the results of a search: its pattern, if that is plain text. */
export function searchedText({ name, subject }: Pick<ToolEntry, 'name' | 'subject'>): string | undefined {
  const pattern = name === 'grep_search' ? /^'(.*)'(?: in .*)?(?: \(.*\))?$/.exec(subject)?.[1] : undefined;
  if (pattern === undefined || !PLAIN.test(pattern)) return undefined;
  const text = pattern.replaceAll('\\b', '').replace(/\\(\W)/g, '$1');
  return text === '' ? undefined : text;
}

/** Plain characters, escaped characters and word boundaries. */
const PLAIN = /^(?:\\\W|\\b|[^\\[\]{}()*+?^$|])*$/;
