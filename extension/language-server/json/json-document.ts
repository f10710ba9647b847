import { onceEach } from '../../base/once.ts';
import { type JsonNode, type JsonPath, readJsonTree } from '../../text/json-tree.ts';
import { JsonPlaces } from '../../text/json-with-comments.ts';
import type { Span } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';

/** A JSON text as far as it can be read, also while somebody is typing. */
export interface JsonDocument {
  readonly root: JsonNode | undefined;
  readonly places: JsonPlaces;
  /** Whether the runtime can read the text. */
  readonly isValid: boolean;
}

/** Ten times the longest that people write. In longer files, only what the runtime reports is shown. */
const MAX_LENGTH = 256 * 1024;

export const jsonOf = onceEach(({ text }: ConfigDocument): JsonDocument => {
  const { root, mistake } = text.length > MAX_LENGTH ? { mistake: true } : readJsonTree(text);
  return { root, places: new JsonPlaces(text, root), isValid: mistake === undefined };
});

/** A text in quotes, and what is between the quotes. */
export interface Quoted extends Span {
  readonly text: string;
  readonly inner: Span;
}

/** Undefined for anything but a text, and for a text with escapes: a part of it can't be found in the file. */
export function quotedIn(source: string, { start, end }: Span): Quoted | undefined {
  if (source[start] !== '"' || source[end - 1] !== '"' || end - start < 2) return undefined;
  const text = source.slice(start + 1, end - 1);
  return text.includes('\\') ? undefined : { text, start, end, inner: { start: start + 1, end: end - 1 } };
}

/** Where the cursor is. */
export interface JsonCursor {
  /** The path of the key or value. For a new one, the path that it gets; the name of a new key is empty. */
  readonly path: JsonPath;
  readonly at: 'key' | 'value';
  /** What is there already: a key, or a value that is no object or list. */
  readonly written: Span | undefined;
  /** The object or list around it. */
  readonly around: JsonNode | undefined;
}

/** Undefined where neither a key nor a value can be written. */
export function jsonCursorAt({ root }: JsonDocument, text: string, offset: number): JsonCursor | undefined {
  if (isInComment(text, root, offset)) return undefined;
  if (!root || offset < root.start) return { path: [], at: 'value', written: undefined, around: undefined };
  return cursorIn(root, [], undefined, text, offset);
}

function cursorIn(
  node: JsonNode,
  path: JsonPath,
  around: JsonNode | undefined,
  text: string,
  offset: number,
): JsonCursor | undefined {
  const isInside = node.start < offset && (offset < node.end || node.isOpen);
  if (node.kind === 'object' && isInside) return cursorInObject(node, path, text, offset);
  if (node.kind === 'list' && isInside) return cursorInList(node, path, text, offset);
  const isAtBracket = node.kind === 'object' || node.kind === 'list';
  return isAtBracket ? undefined : { path, at: 'value', written: node, around };
}

function cursorInObject(object: JsonNode, path: JsonPath, text: string, offset: number): JsonCursor | undefined {
  for (const [index, { name, key, afterColon, node }] of object.entries.entries()) {
    const here = [...path, name];
    if (key.start <= offset && offset <= key.end) return { path: here, at: 'key', written: key, around: object };
    const next = object.entries[index + 1]?.key.start ?? object.end + 1;
    if (node && node.start <= offset && (offset <= node.end || (node.isOpen && offset < next)))
      return cursorIn(node, here, object, text, offset);
    const valueEnd = node ? node.start : next - 1;
    if (afterColon !== undefined && afterColon <= offset && offset <= valueEnd && !hasComma(text, afterColon, offset))
      return { path: here, at: 'value', written: undefined, around: object };
  }
  return { path: [...path, ''], at: 'key', written: undefined, around: object };
}

function cursorInList(list: JsonNode, path: JsonPath, text: string, offset: number): JsonCursor | undefined {
  const index = list.items.findIndex(({ start, end }) => start <= offset && offset <= end);
  const item = list.items[index];
  if (item) return cursorIn(item, [...path, index], list, text, offset);
  const before = list.items.filter(({ end }) => end < offset).length;
  return { path: [...path, before], at: 'value', written: undefined, around: list };
}

/** Whether the value that somebody types is already finished. */
function hasComma(text: string, from: number, to: number): boolean {
  return text.slice(from, to).includes(',');
}

/** Whether the cursor is after `//` on its line, outside of all values. */
function isInComment(text: string, root: JsonNode | undefined, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const at = line.indexOf('//');
  if (at === -1) return false;
  const start = offset - line.length + at;
  return !root || !isInText(root, start);
}

function isInText(node: JsonNode, offset: number): boolean {
  if (offset < node.start || offset >= node.end) return false;
  if (node.kind === 'string') return true;
  return (
    node.items.some((item) => isInText(item, offset)) ||
    node.entries.some(
      ({ key, node: value }) => (key.start <= offset && offset < key.end) || (value && isInText(value, offset)),
    )
  );
}
