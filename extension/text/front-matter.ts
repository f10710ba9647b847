import { isCollection, isMap, isNode, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { errorText } from '../base/errors.ts';

/** The data above a Markdown text, with the lines of its parts in the file. */
export interface FrontMatter {
  readonly data: unknown;
  /** The text after the front matter, trimmed. */
  readonly body: string;
  /** One-based. For a path that does not exist, the line of its nearest existing parent. */
  lineOf(path: readonly PropertyKey[]): number;
}

export type ReadFrontMatter =
  | { readonly matter: FrontMatter }
  | { readonly problem: 'missing' }
  | { readonly problem: 'malformed'; readonly line: number; readonly why: string };

const PARTS = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;

export interface SplitText {
  /** The text between the lines of dashes. */
  readonly header: string;
  /** The text after the front matter, trimmed. */
  readonly body: string;
}

/** Returns undefined if the file does not begin with front matter, or the front matter does not end. */
export function splitFrontMatter(file: string): SplitText | undefined {
  const parts = PARTS.exec(file.replace(/^\uFEFF/, ''));
  return parts ? { header: parts[1] ?? '', body: (parts[2] ?? '').trim() } : undefined;
}

/** Reads `---`, YAML, `---` and a text. */
export function readFrontMatter(file: string): ReadFrontMatter {
  const parts = splitFrontMatter(file);
  if (!parts) return { problem: 'missing' };
  const lines = new LineCounter();
  // An empty line replaces the first line, so that line numbers match those of the file.
  const document = parseDocument(`\n${parts.header}`, { lineCounter: lines, prettyErrors: false });
  const line = (offset: number): number => lines.linePos(offset).line;
  const [error] = document.errors;
  if (error) return { problem: 'malformed', line: line(error.pos[0]), why: error.message };
  try {
    const data: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    const lineOf = (path: readonly PropertyKey[]): number => line(offsetOf(document.contents, path));
    return { matter: { data, body: parts.body, lineOf } };
  } catch (caught) {
    return { problem: 'malformed', line: 1, why: errorText(caught) };
  }
}

/** No file needs more aliases, and a few lines of them can expand to gigabytes. */
const MOST_ALIASES = 20;

function offsetOf(root: Node | null, path: readonly PropertyKey[]): number {
  let node: Node | null = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of path) {
    const pair: Pair | undefined = isMap(node) ? node.items.find(({ key }) => isKey(key, step)) : undefined;
    const key = pair?.key;
    const value: unknown = pair ? pair.value : isCollection(node) ? node.get(step, true) : undefined;
    if (!pair && !isNode(value)) return offset;
    offset = startOf(key) ?? startOf(value) ?? offset;
    if (!isNode(value)) return offset;
    node = value;
  }
  return offset;
}

function isKey(key: unknown, step: PropertyKey): boolean {
  return isScalar(key) ? String(key.value) === String(step) : key === step;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
