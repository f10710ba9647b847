import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { type JsonEntry, type JsonNode, type JsonPath, readJsonTree } from './json-tree.ts';
import { LineIndex, type Span, type TextRange } from './text-range.ts';

export type JsonText =
  | { readonly value: unknown; readonly places: JsonPlaces }
  | ({ readonly problem: string } & ProblemPlace);

/** Where a problem in a JSON file is. */
export interface ProblemPlace {
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong, if that is known exactly. */
  readonly range?: TextRange;
  /** Editors that know JSON, and the JSON schema of the file, find this as well. */
  readonly foundBySchema?: boolean;
}

/** Reads JSON as people write it in settings: with comments and trailing commas. A file with a mistake is invalid. */
export function readJson(text: string): JsonText {
  const { root, mistake } = readJsonTree(text);
  if (mistake) {
    const range = new LineIndex(text).rangeOf(mistake);
    return { problem: mistake.reason, line: range.line, range, foundBySchema: true };
  }
  return { value: root ? root.value : {}, places: new JsonPlaces(text, root) };
}

export interface IssueKind {
  /** An unknown key is a problem of the key; anything else is one of the value. */
  readonly of?: 'key' | 'value';
  readonly foundBySchema?: boolean;
}

/** A value in a text, and the key before it. */
export interface JsonPlace {
  readonly entry?: JsonEntry;
  readonly node?: JsonNode;
}

/** Nobody needs more to recognize the beginning of an object. */
const LONGEST_MARK = 200;

/** Where the keys and values of a JSON text are. */
export class JsonPlaces {
  private lines: LineIndex | undefined;
  private readonly named = new Map<JsonNode, ReadonlyMap<string, JsonEntry>>();

  constructor(
    private readonly text: string,
    readonly root: JsonNode | undefined,
  ) {}

  at(path: JsonPath): JsonPlace | undefined {
    let place: JsonPlace | undefined = this.root && { node: this.root };
    for (const step of path) {
      const { node } = place ?? {};
      const entry: JsonEntry | undefined = node && this.entriesOf(node).get(`${step}`);
      const item: JsonNode | undefined = node?.items[Number(step)];
      place = entry ? { entry, ...(entry.node && { node: entry.node }) } : item && { node: item };
    }
    return place;
  }

  /** The line on which a value begins. The first line of the text if there is no such value. */
  lineOf(path: JsonPath): number {
    const { node } = this.at(path) ?? {};
    return node ? this.rangeOfSpan(node).line : 1;
  }

  /**
   * What to mark for a problem of a value: the value itself, but only the key of an object or a list. For a value that
   * is missing, this is the innermost value around it.
   */
  rangeOf(path: JsonPath): TextRange {
    for (let length = path.length; length >= 0; length--) {
      const found = this.at(path.slice(0, length));
      if (found) return this.rangeOfSpan(this.markOf(found));
    }
    return this.rangeOfSpan({ start: 0, end: 0 });
  }

  /** The key of a value, with its quotes. */
  keyRange(path: JsonPath): TextRange {
    const { entry } = this.at(path) ?? {};
    return entry ? this.rangeOfSpan(entry.key) : this.rangeOf(path);
  }

  /** Where a problem is. */
  problemAt(path: JsonPath, { of = 'value', foundBySchema = false }: IssueKind = {}): ProblemPlace {
    const range = of === 'key' ? this.keyRange(path) : this.rangeOf(path);
    return { line: range.line, range, ...(foundBySchema && { foundBySchema }) };
  }

  /** Where the first mistake in a value is. */
  issueAt(path: JsonPath, error: z.ZodError): ProblemPlace {
    const issue = issueIn(error, path);
    return this.problemAt(issue.path, issue);
  }

  rangeOfSpan(span: Span): TextRange {
    this.lines ??= new LineIndex(this.text);
    return this.lines.rangeOf(span);
  }

  /** Of several keys with the same name, the last one counts. */
  private entriesOf(node: JsonNode): ReadonlyMap<string, JsonEntry> {
    const known = this.named.get(node) ?? new Map(node.entries.map((entry) => [entry.name, entry]));
    this.named.set(node, known);
    return known;
  }

  private markOf({ entry, node }: JsonPlace): Span {
    if (node && node.kind !== 'object' && node.kind !== 'list') return node;
    if (entry) return entry.key;
    const { start, end } = node ?? { start: 0, end: 0 };
    const [line = ''] = this.text.slice(start, Math.min(end, start + LONGEST_MARK)).split(/[\r\n]/, 1);
    return { start, end: start + line.length };
  }
}

/** Says that an entry is ignored, and the first reason. */
export function ignoredText(what: string, { issues: [issue] }: z.ZodError): string {
  const reason = issue?.message ?? '';
  return issue?.path.length
    ? l10n.t('{0} is ignored ("{1}"): {2}.', what, issue.path.join('.'), reason)
    : l10n.t('{0} is ignored: {1}.', what, reason);
}

/** The first mistake in the value at a path. */
export function issueIn(
  { issues: [issue] }: z.ZodError,
  path: JsonPath,
): Required<IssueKind> & { readonly path: JsonPath } {
  const inner = [...path, ...(issue?.path ?? []).filter((step) => typeof step !== 'symbol')];
  // JSON schemas can't contain checks that are written as code.
  const foundBySchema = issue?.code !== 'custom';
  if (issue?.code !== 'unrecognized_keys') return { path: inner, of: 'value', foundBySchema };
  return { path: [...inner, ...issue.keys.slice(0, 1)], of: 'key', foundBySchema };
}
