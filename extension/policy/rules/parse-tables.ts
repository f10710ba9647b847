import { parse, TomlError } from 'smol-toml';
import type { PolicyProblem } from './rule-set.ts';
import { type BlockHeader, findHeaders } from './toml-blocks.ts';

export const TABLE_KINDS = ['rule', 'safety_checker'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** One `[[rule]]` or `[[safety_checker]]`, not validated. */
export interface PolicyTable {
  readonly kind: TableKind;
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Problems that leave values missing or wrong. */
  readonly damage: readonly PolicyProblem[];
}

export interface ParsedTables {
  readonly tables: readonly PolicyTable[];
  /** Problems outside of the returned tables. */
  readonly problems: readonly PolicyProblem[];
}

/** A table with more invalid lines is ignored. */
const MAX_BAD_LINES = 20;

/** Parses the tables of a policy file. An invalid line is ignored; the rest of the file still counts. */
export function parseTables(text: string, file: string): ParsedTables {
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const headers = findHeaders(source);
  try {
    return tablesOf(parse(source), headers, source, file);
  } catch (error) {
    return salvage(source, headers, file, syntaxProblem(error, file, 0));
  }
}

function tablesOf(
  document: Readonly<Record<string, unknown>>,
  headers: readonly BlockHeader[],
  text: string,
  file: string,
): ParsedTables {
  const tables: PolicyTable[] = [];
  const problems: PolicyProblem[] = [];
  for (const kind of TABLE_KINDS) {
    const value = document[kind];
    if (value === undefined) continue;
    const own = headers.filter(({ path, isList }) => path === kind && isList);
    const fallback = lineOfKey(text, kind);
    const isList = Array.isArray(value);
    for (const [index, entry] of (isList ? value : [value]).entries()) {
      const line = own[index]?.line ?? fallback;
      const damage = isList && isTable(entry) ? [] : [notATable(kind, line, file)];
      if (isTable(entry)) tables.push({ kind, line, values: entry, damage });
      else problems.push(...damage);
    }
  }
  return { tables, problems };
}

/** Parses each table separately, so that tables without a mistake stay intact. */
function salvage(text: string, headers: readonly BlockHeader[], file: string, first: PolicyProblem): ParsedTables {
  const tables: PolicyTable[] = [];
  const problems: PolicyProblem[] = [];
  for (const [index, header] of headers.entries()) {
    const kind = TABLE_KINDS.find((name) => name === header.path);
    if (kind === undefined || !header.isList) continue;
    const next = headers.slice(index + 1).find(({ path }) => !path.startsWith(`${kind}.`));
    const { values, damage } = salvageBlock(text.slice(header.offset, next?.offset), kind, header.line, file);
    if (values) tables.push({ kind, line: header.line, values, damage });
    else problems.push(...damage);
  }
  const isElsewhere = problems.length === 0 && tables.every(({ damage }) => damage.length === 0);
  return { tables, problems: isElsewhere ? [first] : problems };
}

function salvageBlock(
  text: string,
  kind: TableKind,
  line: number,
  file: string,
): { values?: Readonly<Record<string, unknown>>; damage: PolicyProblem[] } {
  const lines = text.split('\n');
  const damage: PolicyProblem[] = [];
  while (damage.length < MAX_BAD_LINES) {
    try {
      const tables = parse(lines.join('\n'))[kind];
      const values = Array.isArray(tables) ? tables[0] : undefined;
      return isTable(values) ? { values, damage } : { damage };
    } catch (error) {
      damage.push(syntaxProblem(error, file, line - 1));
      const bad = error instanceof TomlError ? error.line - 1 : 0;
      // The parser reports some mistakes on the line after them.
      const at = lines[bad]?.trim()
        ? bad
        : lines.findLastIndex((content, index) => index < bad && content.trim() !== '');
      if (at <= 0) return { damage };
      lines[at] = '';
    }
  }
  return { damage };
}

function syntaxProblem(error: unknown, file: string, linesBefore: number): PolicyProblem {
  const about = { kind: 'toml_parse', severity: 'error', file } as const;
  if (!(error instanceof TomlError)) return { ...about, line: linesBefore + 1, reason: String(error) };
  const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
  return { ...about, line: error.line + linesBefore, column: error.column, reason: `This is not TOML: ${message}.` };
}

function notATable(kind: TableKind, line: number, file: string): PolicyProblem {
  const reason = `"${kind}" has to be a list of tables: write [[${kind}]] above each.`;
  return { kind: 'schema_validation', severity: 'error', file, line, reason };
}

function lineOfKey(text: string, key: string): number {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => new RegExp(`^[ \\t]*\\[*[ \\t]*["']?${key}["']?[ \\t]*[\\].=]`).test(line));
  return Math.max(at, 0) + 1;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
