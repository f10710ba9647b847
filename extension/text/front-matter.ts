import { firstLine, LineIndex, type Span, type TextRange } from './text-range.ts';
import { readYamlTree, type YamlNode } from './yaml-tree.ts';

/** The data above a Markdown text, with the places of its parts in the file. */
export interface FrontMatter {
  readonly data: unknown;
  /** The text after the front matter, trimmed. */
  readonly body: string;
  /**
   * The place of a value or, if it takes several lines, of its key. For a path that does not exist, the place of its
   * nearest existing parent.
   */
  rangeOf(path: readonly PropertyKey[], part?: 'key'): TextRange;
}

export type ReadFrontMatter =
  | { readonly matter: FrontMatter }
  | { readonly problem: 'missing'; readonly range: TextRange }
  | { readonly problem: 'malformed'; readonly range: TextRange; readonly why: string };

const PARTS = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;

export interface SplitText {
  /** The text between the lines of dashes. */
  readonly header: string;
  /** Where the header begins in the file. */
  readonly offset: number;
  /** The text after the front matter, trimmed. */
  readonly body: string;
}

/** Returns undefined if the file does not begin with front matter, or the front matter does not end. */
export function splitFrontMatter(file: string): SplitText | undefined {
  const mark = file.startsWith('\uFEFF') ? 1 : 0;
  const parts = PARTS.exec(file.slice(mark));
  if (!parts) return undefined;
  return { header: parts[1] ?? '', offset: file.indexOf('\n') + 1, body: (parts[2] ?? '').trim() };
}

/** Reads `---`, YAML, `---` and a text. */
export function readFrontMatter(file: string): ReadFrontMatter {
  const parts = splitFrontMatter(file);
  const lines = new LineIndex(file);
  if (!parts) return { problem: 'missing', range: firstLine(file) };
  const { header, offset, body } = parts;
  const { root, mistake } = readYamlTree(header);
  const inFile = ({ start, end }: Span): TextRange => lines.rangeOf({ start: offset + start, end: offset + end });
  if (mistake) return { problem: 'malformed', range: inFile(inOneLine(mistake, header)), why: mistake.reason };
  const rangeOf: FrontMatter['rangeOf'] = (path, part) => inFile(root ? spanOf(root, path, header, part) : NOTHING);
  return { matter: { data: root?.value ?? null, body, rangeOf } };
}

const NOTHING: Span = { start: 0, end: 0 };

function spanOf(root: YamlNode, path: readonly PropertyKey[], header: string, part: 'key' | undefined): Span {
  let node = root;
  let key = firstKey(root);
  for (const step of path) {
    const entry = node.entries.find(({ name }) => name === String(step));
    const inner = entry?.node ?? (node.kind === 'list' ? node.items[Number(step)] : undefined);
    if (!inner) return key ?? inOneLine(node, header);
    [node, key] = [inner, entry?.key ?? firstKey(inner)];
  }
  const isShown = part !== 'key' && node.end > node.start && inOneLine(node, header).end === node.end;
  return isShown || !key ? inOneLine(node, header) : key;
}

function firstKey({ entries: [first] }: YamlNode): Span | undefined {
  return first?.key;
}

function inOneLine({ start, end }: Span, text: string): Span {
  const length = text.slice(start, end).search(/[\r\n]/);
  return { start, end: length === -1 ? end : start + length };
}
