import { onceEach } from '../../base/once.ts';
import { splitFrontMatter } from '../../text/front-matter.ts';
import type { Span } from '../../text/text-range.ts';
import { readYamlTree, type YamlEntry, type YamlNode } from '../../text/yaml-tree.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { YamlPath } from './yaml-cursor.ts';

/** The front matter of a document, as far as it can be read. */
export interface Matter {
  readonly header: string;
  /** Where the header begins in the file. The places in the tree count from there. */
  readonly offset: number;
  /** Undefined if it is empty or can't be read at all. */
  readonly root: YamlNode | undefined;
  /** Whether the YAML has no mistake and a line of dashes after it, so that it can be changed safely. */
  readonly isWhole: boolean;
}

/** The runtime reads no longer Markdown file, and nobody wants help with one. */
export const MAX_LENGTH = 256 * 1024;

/** Undefined if the document doesn't begin with a line of dashes. */
export const matterOf = onceEach(({ text }: ConfigDocument): Matter | undefined => {
  if (text.length > MAX_LENGTH) return undefined;
  const split = splitFrontMatter(text) ?? unfinished(text);
  if (!split) return undefined;
  const { root, mistake } = readYamlTree(split.header);
  return { header: split.header, offset: split.offset, root, isWhole: 'body' in split && !mistake };
});

/** Somebody is still writing the front matter: it goes up to the end. */
function unfinished(text: string): Pick<Matter, 'header' | 'offset'> | undefined {
  const [dashes] = /^\uFEFF?---[ \t]*\r?\n/.exec(text) ?? [];
  return dashes === undefined ? undefined : { header: text.slice(dashes.length), offset: dashes.length };
}

/** A key or value of the front matter. */
export interface MatterPlace {
  readonly path: YamlPath;
  readonly part: 'key' | 'value';
  readonly node: YamlNode;
  /** The key or value in the header. */
  readonly span: Span;
}

/** The innermost key or value at an offset of the file. */
export function matterAt({ root, offset }: Matter, at: number): MatterPlace | undefined {
  return root && placeIn(root, at - offset, []);
}

function placeIn(node: YamlNode, at: number, path: YamlPath): MatterPlace | undefined {
  for (const { name, key, node: value } of node.entries) {
    const inner = [...path, name];
    if (isIn(key, at)) return { path: inner, part: 'key', node: value, span: key };
    if (isIn(value, at)) return placeIn(value, at, inner) ?? { path: inner, part: 'value', node: value, span: value };
  }
  for (const [index, item] of node.items.entries()) {
    const inner = [...path, index];
    if (isIn(item, at)) return placeIn(item, at, inner) ?? { path: inner, part: 'value', node: item, span: item };
  }
  return undefined;
}

function isIn({ start, end }: Span, at: number): boolean {
  return start <= at && at <= end && end > start;
}

/** All keys in a value, with their paths. */
export function* entriesIn(
  node: YamlNode,
  path: YamlPath = [],
): Generator<{ readonly path: YamlPath; readonly entry: YamlEntry }> {
  for (const entry of node.entries) {
    const inner = [...path, entry.name];
    yield { path: inner, entry };
    yield* entriesIn(entry.node, inner);
  }
  for (const [index, item] of node.items.entries()) yield* entriesIn(item, [...path, index]);
}

/** All values that are texts, with their paths. */
export function* textsIn(
  node: YamlNode,
  path: YamlPath = [],
): Generator<{ readonly path: YamlPath; readonly node: YamlNode; readonly text: string }> {
  if (typeof node.value === 'string') yield { path, node, text: node.value };
  for (const entry of node.entries) yield* textsIn(entry.node, [...path, entry.name]);
  for (const [index, item] of node.items.entries()) yield* textsIn(item, [...path, index]);
}

export function nodeAtPath(root: YamlNode | undefined, path: YamlPath): YamlNode | undefined {
  return path.reduce<YamlNode | undefined>((node, step) => {
    return typeof step === 'number' ? node?.items[step] : node?.entries.find(({ name }) => name === step)?.node;
  }, root);
}
