import * as l10n from '@vscode/l10n';
import { namesLike } from '../../text/nearest-names.ts';
import { LineIndex } from '../../text/text-range.ts';
import type { PolicyRule, RuleSource } from '../policy-types.ts';
import { parseTables } from './parse-tables.ts';
import { type PartFault, type PolicyPart, scanPolicyPart, TABLE_KINDS, type TableKind } from './policy-part.ts';
import { readTable } from './read-table.ts';
import type { CheckerRule, PolicyProblem, RuleSet } from './rule-set.ts';

/** The origin of all rules of a file. */
export type FileSource = RuleSource & { readonly file: string };

/** What a part of a policy file says. */
export interface ReadPart extends RuleSet {
  readonly problems: readonly PolicyProblem[];
  /** About parts that have no effect. */
  readonly remarks: readonly PolicyProblem[];
  /** The same part before its lines changed. */
  readonly original?: ReadPart;
  /** The first line, counted from 1. */
  readonly line: number;
  readonly length: number;
  readonly lineBreaks: number;
  /** The kind of table that it is. */
  readonly kind: TableKind | undefined;
  /** Whether it belongs to the last table of its kind before it. TOML allows other tables in between. */
  readonly continues: boolean;
  /** Whether text after it could change what it says. */
  readonly looksAhead: boolean;
}

/** The offset and the line at which a part begins. */
export interface PartStart {
  readonly offset: number;
  readonly line: number;
}

/** Reads the part that begins here. */
export function readPart(text: string, { offset, line }: PartStart, source: FileSource): ReadPart {
  const part = scanPolicyPart(text, offset);
  const { length, looksAhead, kind, header } = part;
  const { tables, faults } = parseTables(part);
  const lines = new LineIndex(part.text, line);
  const read = tables.map((table) => readTable(table, { ...source, line: lines.rangeOf(table.placeOf([])).line }));
  const all = [...strangers(part), ...faults, ...read.flatMap((one) => one.faults)];
  const [only] = read;
  return {
    rules: only && read.length === 1 ? only.rules : read.flatMap(({ rules }) => rules),
    checkers: only && read.length === 1 ? only.checkers : read.flatMap(({ checkers }) => checkers),
    problems: all.map((fault) => problemOf(fault, lines, source.file)),
    remarks: read.flatMap(({ remarks }) => remarks.map((remark) => problemOf(remark, lines, source.file))),
    line,
    length,
    lineBreaks: lines.count - 1,
    kind,
    continues: kind !== undefined && (header?.names.length ?? 0) > 1,
    looksAhead,
  };
}

function problemOf(
  { kind, severity, reason, path, instead, ...span }: PartFault,
  lines: LineIndex,
  file: string,
): PolicyProblem {
  const range = lines.rangeOf(span);
  const { line, column } = range;
  return {
    kind,
    severity,
    file,
    line,
    column,
    range,
    reason,
    ...(path && { path }),
    ...(instead !== undefined && { instead }),
  };
}

/** Tables that are almost tables of rules: nothing in them is in force. */
function strangers({ blocks, kind, header }: PolicyPart): PartFault[] {
  if (kind !== undefined) return [];
  const names = header
    ? header.names.slice(0, 1)
    : blocks.flatMap(({ entries }) => entries.flatMap((one) => one.names[0] ?? []));
  return names.flatMap(({ text, start, end }): PartFault[] => {
    const [meant] = TABLE_KINDS.some((known) => known === text) ? [] : namesLike(text, TABLE_KINDS, 1);
    if (meant === undefined) return [];
    const reason = l10n.t('"{0}" and everything in it has no effect. Did you mean "{1}"?', text, meant);
    return [{ kind: 'unknown_key', severity: 'error', start, end, reason, instead: meant }];
  });
}

/** The same part with other lines. `lineOf` returns the new line for an old one. */
export function movedPart(part: ReadPart, lineOf: (line: number) => number): ReadPart {
  const sources = new Map<RuleSource, RuleSource>();
  const moved = <T extends PolicyRule | CheckerRule>(rule: T): T => {
    const { source } = rule;
    const known = sources.get(source) ?? { ...source, line: lineOf(source.line ?? 1) };
    sources.set(source, known);
    return { ...rule, source: known };
  };
  const { rules, checkers, problems, remarks, line, original = part } = part;
  return {
    ...part,
    original,
    line: lineOf(line),
    rules: rules.map(moved),
    checkers: checkers.map(moved),
    problems: problems.map((problem) => movedProblem(problem, lineOf)),
    remarks: remarks.map((remark) => movedProblem(remark, lineOf)),
  };
}

function movedProblem(problem: PolicyProblem, lineOf: (line: number) => number): PolicyProblem {
  const { range, line = 1 } = problem;
  const moved = range && { ...range, line: lineOf(range.line), endLine: lineOf(range.endLine) };
  return { ...problem, line: lineOf(line), ...(moved && { range: moved }) };
}
