import { LineCounter, parseDocument } from 'yaml';
import { isObject } from '../protocol/is-object.ts';

/** The fields above a Markdown text, and the text. */
export type FrontMatter =
  | {
      readonly fields: Readonly<Record<string, unknown>>;
      /** Without the empty space around it. */
      readonly body: string;
      /** Counted from 1: where a field is, or where they begin. */
      lineOf(field: string): number;
    }
  | { readonly problem: 'missing' }
  | { readonly problem: 'malformed'; readonly line: number; readonly why: string };

const PARTS = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/;
/** Nobody needs more, and a few lines of them can be made into gigabytes. */
const MOST_ALIASES = 20;

/** Reads `---`, fields, `---` and a text. */
export function readFrontMatter(file: string): FrontMatter {
  const parts = PARTS.exec(file.replace(/^\uFEFF/, ''));
  if (!parts) return { problem: 'missing' };
  const [, header = '', text = ''] = parts;
  const body = text.trim();
  const lineOf = (field: string): number => lineIn(header, field);
  const read = readYaml(header);
  if (!(read instanceof Malformed) && isObject(read)) return { fields: read, body, lineOf };
  // Many write a colon into a description, which is no YAML; Gemini CLI reads that as well.
  const fields = plainFields(header);
  if (Object.keys(fields).length > 0) return { fields, body, lineOf };
  const line = read instanceof Malformed ? read.line : 1;
  return { problem: 'malformed', line, why: read instanceof Malformed ? read.message : 'there are no fields' };
}

class Malformed extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

function readYaml(header: string): unknown {
  const lines = new LineCounter();
  // An empty line in the place of the first, so that lines are those of the file.
  const document = parseDocument(`\n${header}`, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) return new Malformed(error.message, lines.linePos(error.pos[0]).line);
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (caught) {
    return new Malformed(caught instanceof Error ? caught.message : String(caught), 1);
  }
}

/** Line by line: `key: the rest`, and what is indented below belongs to it. */
function plainFields(header: string): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  let last: string | undefined;
  for (const line of header.split(/\r?\n/)) {
    const [, key, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (key !== undefined) fields.set(key, value.trim());
    else if (last !== undefined && /^[ \t]+\S/.test(line)) {
      fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`.trim());
    }
    last = key ?? last;
  }
  return Object.fromEntries(fields);
}

function lineIn(header: string, field: string): number {
  const at = header.split('\n').findIndex((line) => new RegExp(`^\\s*["']?${field}["']?\\s*:`).test(line));
  return at === -1 ? 1 : at + 2;
}
