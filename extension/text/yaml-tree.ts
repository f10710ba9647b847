import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';
import type { Span } from './text-range.ts';

export interface YamlNode extends Span {
  readonly kind: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';
  readonly value: unknown;
  /** The keys of an object in their order. */
  readonly entries: readonly YamlEntry[];
  /** The values of a list. */
  readonly items: readonly YamlNode[];
}

export interface YamlEntry {
  readonly name: string;
  /** The key as it is written, with its quotes. */
  readonly key: Span;
  readonly node: YamlNode;
}

export interface YamlMistake extends Span {
  readonly reason: string;
}

export interface YamlTree {
  /** Undefined if there is no value. */
  readonly root?: YamlNode;
  /** The first mistake. The rest is read as well as possible, for people who are still typing. */
  readonly mistake?: YamlMistake;
}

/** Real front matter has some hundred characters. The parser takes half a second for the worst text of this length. */
const MAX_LENGTH = 32 * 1024;
/** The time of the parser grows with the square of the depth. */
const MAX_DEPTH = 32;
/** A few lines of aliases can expand to gigabytes. */
const MAX_ALIASED = 1000;

/** Reads YAML with the places of its keys and values. */
export function readYamlTree(text: string): YamlTree {
  const refused = refusal(text);
  if (refused !== undefined) return { mistake: { reason: refused, start: 0, end: text.length } };
  try {
    return parsed(text);
  } catch (error) {
    // Keys after keys in one line are nested too, and can only be counted by the parser.
    if (!(error instanceof RangeError)) throw error;
    return { mistake: { reason: TOO_DEEP, start: 0, end: text.length } };
  }
}

function parsed(text: string): YamlTree {
  // The library compares each key with all others, which `TreeReader` doesn't.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
  const reader = new TreeReader(text);
  const root = document.contents ? reader.read(document.contents) : undefined;
  const [error] = document.errors;
  const mistake = error ? { reason: error.message, start: error.pos[0], end: error.pos[1] } : reader.mistake;
  return { ...(root && { root }), ...(mistake && { mistake }) };
}

/** Why a text is not given to the parser, which has no limits of its own. */
function refusal(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return 'it is longer than 32 kB';
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > MAX_DEPTH) return TOO_DEEP;
  }
  // Each level of a block takes a column at least, or a mark such as "- ".
  const begins = [...text.matchAll(/^[ \t]*(?:[-?:][ \t]+)*/gm)];
  const isDeep = ([indent]: RegExpExecArray): boolean =>
    indent.length > MAX_INDENT || (indent.match(/[-?:]/g)?.length ?? 0) > MAX_DEPTH;
  return begins.some(isDeep) ? TOO_DEEP : undefined;
}

const TOO_DEEP = 'it is nested too deeply';
/** Text in front matter may be indented further than its levels need. */
const MAX_INDENT = 200;

class TreeReader {
  mistake: YamlMistake | undefined;
  private readonly anchors = new Map<string, YamlNode>();
  private readonly sizes = new WeakMap<YamlNode, number>();
  private aliased = 0;

  constructor(private readonly text: string) {}

  read(node: Node): YamlNode {
    const read = this.convert(node);
    if (!isAlias(node) && node.anchor !== undefined) this.anchors.set(node.anchor, read);
    return read;
  }

  private convert(node: Node): YamlNode {
    const span = this.spanOf(node);
    if (isAlias(node)) return this.alias(node, span);
    if (isMap(node)) {
      const entries = this.entries(node.items);
      const value = Object.fromEntries(entries.map(({ name, node: { value: inner } }) => [name, inner]));
      return { kind: 'object', value, entries, items: [], ...span };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.inside(item, span.start));
      const value = items.map((item) => item.value);
      return { kind: 'list', value, entries: [], items, ...span };
    }
    return isScalar(node) ? leaf(node.value, span) : leaf(null, span);
  }

  private entries(pairs: readonly Pair[]): readonly YamlEntry[] {
    const names = new Set<string>();
    return pairs.flatMap(({ key: given, value }): YamlEntry[] => {
      const key = isNode(given) ? this.spanOf(given) : { start: 0, end: 0 };
      if (!isScalar(given)) {
        this.fail('a key must be a name', key);
        return [];
      }
      const name = String(given.value ?? '');
      if (names.has(name)) this.fail('Map keys must be unique', key);
      names.add(name);
      return [{ name, key, node: this.inside(value, key.end) }];
    });
  }

  private inside(node: unknown, at: number): YamlNode {
    const read = isNode(node) ? this.read(node) : undefined;
    return read && read.end > read.start ? read : leaf(null, { start: at, end: at });
  }

  private alias({ source }: Alias, span: Span): YamlNode {
    const target = this.anchors.get(source);
    if (!target) {
      this.fail(`there is no "&${source}" before it`, span);
      return leaf(null, span);
    }
    this.aliased += this.sizeOf(target);
    if (this.aliased > MAX_ALIASED) {
      this.fail('the aliases repeat too much', span);
      return leaf(null, span);
    }
    return { ...target, ...span };
  }

  /** The number of values in it, with those that its aliases repeat. */
  private sizeOf(node: YamlNode): number {
    const known = this.sizes.get(node);
    if (known !== undefined) return known;
    const inside = [...node.items, ...node.entries.map((entry) => entry.node)];
    const size = inside.reduce((sum, each) => sum + this.sizeOf(each), 1);
    this.sizes.set(node, size);
    return size;
  }

  private spanOf({ range }: Node): Span {
    const [start, valueEnd] = range ?? [0, 0];
    // The value of a block ends with its last line break.
    const written = this.text.slice(start, valueEnd);
    return { start, end: start + written.trimEnd().length };
  }

  private fail(reason: string, span: Span): void {
    this.mistake ??= { reason, ...span };
  }
}

function leaf(value: unknown, span: Span): YamlNode {
  return { kind: kindOf(value), value, entries: [], items: [], ...span };
}

function kindOf(value: unknown): YamlNode['kind'] {
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value === 'number' ? 'number' : 'boolean';
  return value === null || value === undefined ? 'null' : 'string';
}
