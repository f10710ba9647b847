import * as l10n from '@vscode/l10n';
import { printParseErrorCode, visit } from 'jsonc-parser';
import type * as z from 'zod';

/** Parsed JSON with the lines where its objects and lists begin. */
export type JsonText =
  | { readonly value: unknown; readonly lineOf: (container: unknown) => number }
  | { readonly problem: string; readonly line: number };

/** Reads JSON as people write it in settings: with comments and trailing commas. */
export function readJson(text: string): JsonText {
  const lines = new WeakMap<object, number>();
  const lineOf = (container: unknown): number =>
    (typeof container === 'object' && container !== null && lines.get(container)) || 1;
  try {
    return { value: documentIn(text.replace(/^\uFEFF/, ''), lines), lineOf };
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

/** Deeper than any settings, and far below the limit of the stack. */
const MAX_DEPTH = 100;

/** An object or a list that is not closed yet. */
interface Container {
  readonly line: number;
  readonly names: string[];
  readonly values: unknown[];
}

/** The library's own `parse` sets the prototype of an object with a `__proto__` key, and continues after an error. */
function documentIn(text: string, lines: WeakMap<object, number>): unknown {
  const outer: Container = { line: 1, names: [], values: [] };
  const open = [outer];
  const inner = (): Container => open.at(-1) ?? outer;
  const begin = (line: number): void => {
    if (open.length > MAX_DEPTH) throw new Malformed('it is nested too deeply', line);
    open.push({ line, names: [], values: [] });
  };
  const end = (made: (container: Container) => object): void => {
    const container = open.pop() ?? outer;
    const value = made(container);
    lines.set(value, container.line);
    inner().values.push(value);
  };
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line) => begin(line + 1),
      onObjectProperty: (name) => inner().names.push(name),
      onObjectEnd: () => end(({ names, values }) => Object.fromEntries(names.map((name, at) => [name, values[at]]))),
      onArrayBegin: (_offset, _length, line) => begin(line + 1),
      onArrayEnd: () => end(({ values }) => values),
      onLiteralValue: (value) => inner().values.push(value),
      onError: (code, _offset, _length, line) => {
        throw new Malformed(PROBLEMS[printParseErrorCode(code)] ?? 'a value is invalid', line + 1);
      },
    },
    { allowTrailingComma: true, allowEmptyContent: true },
  );
  return outer.values.length > 0 ? outer.values[0] : {};
}

/** Says that an entry is ignored, and the first reason. */
export function ignoredText(what: string, { issues: [issue] }: z.ZodError): string {
  const reason = issue?.message ?? '';
  return issue?.path.length
    ? l10n.t('{0} is ignored ("{1}"): {2}.', what, issue.path.join('.'), reason)
    : l10n.t('{0} is ignored: {1}.', what, reason);
}

const PROBLEMS: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'there is more text after the end',
  InvalidSymbol: 'a name or a text is not in quotes',
  UnexpectedEndOfString: 'a quote is missing',
  UnexpectedEndOfComment: 'a comment has no end',
};
