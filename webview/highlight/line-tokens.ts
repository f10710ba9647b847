import { type StreamParser, StringStream } from '@codemirror/streamparser';
import type { TokenRole } from '../../extension/protocol/panel/token-roles.ts';
import { roleOf } from './token-role.ts';

/** Columns of a line, end excluded. */
export interface LineToken {
  readonly start: number;
  readonly end: number;
  readonly role: TokenRole;
}

/**
 * Longer ones are left as they are. What a parser does for each token may look at the rest of the line, so the length of
 * a line is what time can grow with; no line that is read as code comes near this.
 */
const LONGEST_LINE = 1000;

/** In characters; code uses it to guess what is indented. */
const TAB = 4;

/** Finds the tokens of code, one line after the other: what a line costs does not depend on how many came before it. */
export class LineTokens {
  private readonly state: unknown;

  constructor(private readonly parser: StreamParser<unknown>) {
    this.state = parser.startState?.(TAB);
  }

  /** Of the next line. */
  next(line: string): readonly LineToken[] {
    if (line.trim() === '') {
      this.parser.blankLine?.(this.state, TAB);
      return [];
    }
    return line.length > LONGEST_LINE ? [] : this.read(new StringStream(line, TAB, TAB));
  }

  private read(stream: StringStream): LineToken[] {
    const tokens: LineToken[] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const style = this.token(stream);
      if (!style) continue;
      const { string, start, pos } = stream;
      const around = { before: string.charAt(start - 1), next: string.slice(pos, pos + 2) };
      const role = roleOf(style, { text: stream.current(), ...around });
      if (!role) continue;
      const last = tokens.at(-1);
      if (last?.role === role && last.end === stream.start) tokens[tokens.length - 1] = { ...last, end: stream.pos };
      else tokens.push({ start: stream.start, end: stream.pos, role });
    }
    return tokens;
  }

  /** A parser may take nothing to change its mind, but not for ever; then a character goes without colour. */
  private token(stream: StringStream): string | null {
    for (let attempt = 0; attempt < 10; attempt++) {
      const style = this.parser.token(stream, this.state);
      if (stream.pos > stream.start) return style;
    }
    stream.next();
    return null;
  }
}
