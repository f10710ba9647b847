/** A JSON text of which it is known where its objects and lists begin. */
export type JsonText =
  | { readonly value: unknown; readonly lineOf: (container: unknown) => number }
  | { readonly problem: string; readonly line: number };

/** JSON as people write it into settings: with comments and with commas behind the last entry. */
export function readJson(text: string): JsonText {
  const reader = new Reader(text.replace(/^\uFEFF/, ''));
  try {
    const value = reader.document();
    return { value, lineOf: (container) => reader.lineOf(container) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { problem: error.message, line: error.line };
  }
}

class Malformed extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

/** Deeper than any settings, and far from what the stack can take. */
const MAX_DEPTH = 100;
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const WORD = /-?\d[\d.eE+-]*|[a-zA-Z]+/y;

class Reader {
  private at = 0;
  private readonly starts = new WeakMap<object, number>();

  constructor(private readonly text: string) {}

  document(): unknown {
    if (this.peek() === '') return {};
    const value = this.value(0);
    if (this.peek() !== '') throw this.malformed('there is more text behind the end');
    return value;
  }

  lineOf(container: unknown): number {
    const start = typeof container === 'object' && container !== null ? this.starts.get(container) : undefined;
    return this.lineAt(start ?? 0);
  }

  private value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.malformed('it is nested too deeply');
    const next = this.peek();
    if (next === '{') return this.container(() => Object.fromEntries(this.list('}', () => this.entry(depth))));
    if (next === '[') return this.container(() => this.list(']', () => this.value(depth + 1)));
    return this.parsed(this.match(next === '"' ? STRING : WORD));
  }

  private container<T extends object>(read: () => T): T {
    const start = this.at;
    const value = read();
    this.starts.set(value, start);
    return value;
  }

  private entry(depth: number): [string, unknown] {
    if (this.peek() !== '"') throw this.malformed('a name in quotes is missing');
    const key = String(this.parsed(this.match(STRING)));
    if (this.peek() !== ':') throw this.malformed(`a colon is missing behind "${key}"`);
    this.at++;
    return [key, this.value(depth + 1)];
  }

  private list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    this.at++;
    for (;;) {
      if (this.peek() === close) break;
      items.push(item());
      const next = this.peek();
      if (next === close) break;
      if (next !== ',') throw this.malformed(`a comma or ${close} is missing`);
      this.at++;
    }
    this.at++;
    return items;
  }

  /** The next character that means something; empty at the end. */
  private peek(): string {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
    return this.text.charAt(this.at);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found === undefined) throw this.malformed('a value is missing');
    this.at += found.length;
    return found;
  }

  private parsed(token: string): unknown {
    try {
      return JSON.parse(token);
    } catch {
      throw this.malformed(`${token.slice(0, 40)} is not a value`);
    }
  }

  /** Counted only for those who ask: a theme has thousands of objects. */
  private lineAt(place: number): number {
    return this.text.slice(0, place).split('\n').length;
  }

  private malformed(message: string): Malformed {
    return new Malformed(message, this.lineAt(this.at));
  }
}
