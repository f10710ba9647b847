/** The header of a table, such as `[[rule]]` or `[safety_checker.checker]`. */
export interface BlockHeader {
  /** Names joined by dots, quotes removed. */
  readonly path: string;
  readonly isList: boolean;
  /** Counted from 1. */
  readonly line: number;
  /** The offset of the beginning of its line. */
  readonly offset: number;
}

const HEADER =
  /^[ \t]*(\[\[?)[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)[ \t]*(\]\]?)/;
/** Bare words are not values, so this is a header even if an array before it was never closed. */
const UNMISTAKABLE = /^[ \t]*\[\[[ \t]*(?:rule|safety_checker)[ \t]*\]\]/;

/**
 * Finds every header of a TOML text, which may be invalid. The parser gives no positions, and a person needs the line.
 * Text that looks like a header inside a string, an array or a comment is ignored.
 */
export function findHeaders(text: string): BlockHeader[] {
  const headers: BlockHeader[] = [];
  let depth = 0;
  let line = 1;
  for (let offset = 0; offset < text.length; line++) {
    const end = endOfLine(text, offset);
    const current = text.slice(offset, end);
    if (UNMISTAKABLE.test(current)) depth = 0;
    const header = depth === 0 ? readHeader(current) : undefined;
    if (header) headers.push({ ...header, line, offset });
    const rest = skipValues(text, offset, depth);
    depth = header ? 0 : rest.depth;
    line += newlines(text.slice(end, rest.offset));
    offset = endOfLine(text, rest.offset) + 1;
  }
  return headers;
}

function readHeader(line: string): Pick<BlockHeader, 'path' | 'isList'> | undefined {
  const [, open, path = '', close] = HEADER.exec(line) ?? [];
  if (open === undefined || close?.length !== open.length) return undefined;
  const names = path.match(/[\w-]+|"[^"]*"|'[^']*'/g) ?? [];
  return { path: names.map((name) => name.replace(/^(["'])(.*)\1$/, '$2')).join('.'), isList: open === '[[' };
}

/** Skips to the end of the line, or of the line on which a multi-line string ends. `depth` counts open brackets. */
function skipValues(text: string, from: number, openBefore: number): { offset: number; depth: number } {
  let depth = openBefore;
  let at = from;
  while (at < text.length && text[at] !== '\n') {
    const character = text[at] ?? '';
    if (character === '#') return { offset: endOfLine(text, at), depth };
    if (character === '"' || character === "'") {
      at = endOfString(text, at, character);
      continue;
    }
    if (character === '[' || character === '{') depth++;
    if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    at++;
  }
  return { offset: at, depth };
}

/** An unclosed string ends with its line, so that the rest of the text is still read. */
function endOfString(text: string, from: number, quote: string): number {
  const fence = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let at = from + fence.length; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text.startsWith(fence, at)) return afterFence(text, at, fence);
    else if (fence.length === 1 && text[at] === '\n') return at;
  }
  return endOfLine(text, from);
}

/** A multi-line string may have one or two quotes right before its end: `""""" ends here`. */
function afterFence(text: string, at: number, fence: string): number {
  let end = at + fence.length;
  for (let extra = 0; fence.length === 3 && extra < 2 && text[end] === fence[0]; extra++) end++;
  return end;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
