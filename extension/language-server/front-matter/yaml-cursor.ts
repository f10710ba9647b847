import type { Span } from '../../text/text-range.ts';
import { readYamlTree, type YamlNode } from '../../text/yaml-tree.ts';

export type YamlPath = readonly (string | number)[];

/** Where the cursor is in YAML. */
export interface YamlCursor {
  /** The path of the value at the cursor, or of the object that a key is in. */
  readonly path: YamlPath;
  /** `word`: on a line of its own, where it may become a key or be a value. */
  readonly at: 'key' | 'value' | 'word';
  /** What is written there. */
  readonly written: Span;
  /** The keys of the object, without the one at the cursor. */
  readonly keys: readonly string[];
  /** Whether the key at the cursor has a colon already. */
  readonly hasColon: boolean;
  /** What has to be written before a value: a blank after a colon. */
  readonly gap: string;
}

/** From a private area of Unicode. */
const MARK = '\uE026';
/** Nothing but the beginning of a key or value, perhaps of a list. */
const WORD_ALONE = /^[ \t]*(?:-[ \t]+)*[\w.$/-]*[ \t]*$/;

/**
 * Finds the place of the cursor: reads the text with a mark there, because people ask for help where the text is not
 * finished yet. Undefined in comments and longer texts, and in a text that isn't read.
 */
export function yamlCursor(text: string, offset: number): YamlCursor | undefined {
  if (text.includes(MARK)) return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = /\r?\n|$/.exec(text.slice(offset))?.index ?? 0;
  const line = text.slice(start, offset + end);
  const isAlone = WORD_ALONE.test(line);
  const gap = text[offset - 1] === ':' ? ' ' : '';
  const marked = [text.slice(0, offset), gap, MARK, text.slice(offset, offset + end).trimEnd(), isAlone ? ':' : ''];
  const { root } = readYamlTree(marked.join('') + text.slice(offset + end));
  const found = root && find(root, []);
  if (!found) return undefined;
  const { path, at, span, keys } = found;
  const written = { start: Math.min(span.start, offset), end: Math.max(offset, span.end - MARK.length - gap.length) };
  if (text.slice(written.start, written.end).includes('\n')) return undefined;
  const hasColon = /^[ \t]*:/.test(text.slice(written.end));
  return { path, at: at === 'key' && isAlone ? 'word' : at, written, keys, hasColon, gap };
}

interface Found {
  readonly path: YamlPath;
  readonly at: 'key' | 'value';
  readonly span: Span;
  readonly keys: readonly string[];
}

/** Finds the mark. */
function find(node: YamlNode, path: YamlPath): Found | undefined {
  const names = node.entries.map(({ name }) => name);
  for (const { name, key, node: value } of node.entries) {
    if (name.includes(MARK)) return { path, at: 'key', span: key, keys: names.filter((other) => other !== name) };
    const inside = find(value, [...path, name]);
    if (inside) return inside;
  }
  for (const [index, item] of node.items.entries()) {
    const inside = find(item, [...path, index]);
    if (inside) return inside;
  }
  const isHere = node.kind === 'string' && typeof node.value === 'string' && node.value.includes(MARK);
  return isHere ? { path, at: 'value', span: node, keys: [] } : undefined;
}
