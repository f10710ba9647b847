import { basename } from 'node:path';
import type * as z from 'zod';
import { nearestNames } from '../../text/nearest-names.ts';
import type { RuleSource, Tier } from '../policy-types.ts';
import { isQualified, KNOWN_TOOLS } from './known-tools.ts';
import { type PolicyTable, parseTables } from './parse-tables.ts';
import { commandFaults, patternsOf, toolNamesOf } from './read-match.ts';
import { type Fault, readRule, tierNumber } from './read-rule.ts';
import type { Checker, CheckerRule, PolicyProblem, RuleSet } from './rule-set.ts';
import { checkerFields, misspelt, readFields, ruleFields } from './table-fields.ts';

export interface ReadRules extends RuleSet {
  readonly problems: readonly PolicyProblem[];
}

const LABELS: Readonly<Record<Tier, string>> = {
  default: 'Default',
  extension: 'Extension',
  workspace: 'Workspace',
  user: 'User',
  admin: 'Admin',
};

/** Reads the rules and problems of one policy file. Never throws, whatever the file contains. */
export function readRules(text: string, file: string, tier: Tier, extension?: string): ReadRules {
  const { tables, problems } = parseTables(text, file);
  const read = tables.map((table) => readTable(table, sourceOf(file, tier, extension, table)));
  return {
    rules: read.flatMap(({ rules }) => rules),
    checkers: read.flatMap(({ checkers }) => checkers),
    problems: [...problems, ...read.flatMap((one) => one.problems)],
  };
}

const SLIP = { kind: 'unknown_key', severity: 'warning' } as const;
const NAME_WARNING = { kind: 'tool_name_warning', severity: 'warning' } as const;

function sourceOf(
  file: string,
  tier: Tier,
  extension: string | undefined,
  { line }: PolicyTable,
): RuleSource & { readonly file: string; readonly line: number } {
  if (extension === undefined) return { tier, label: `${LABELS[tier]}: ${basename(file)}`, file, line };
  return { tier, label: `${LABELS[tier]} (${extension}): ${basename(file)}`, file, line, extension };
}

function readTable(table: PolicyTable, source: ReturnType<typeof sourceOf>): ReadRules {
  const { file, line } = source;
  const read =
    table.kind === 'rule' ? { checkers: [], ...readRule(table, source) } : { rules: [], ...readChecker(table, source) };
  const problems: PolicyProblem[] = [
    ...table.damage.map((problem) => ({ ...problem, reason: `${problem.reason} ${read.outcome}` })),
    ...read.faults.map((fault) => problemOf(fault, read.outcome, source)),
    ...slips(table).map((reason) => ({ ...SLIP, reason, file, line })),
    ...nameWarnings(table).map((reason) => ({ ...NAME_WARNING, reason, file, line })),
  ];
  return { rules: read.rules, checkers: read.checkers, problems };
}

function problemOf(fault: Fault, outcome: string, { file = '', line = 1 }: RuleSource): PolicyProblem {
  const { kind, field, reason, isHarmless } = fault;
  return { kind, severity: isHarmless ? 'warning' : 'error', file, line, reason: `${field}: ${reason}. ${outcome}` };
}

function slips(table: PolicyTable): string[] {
  const known = Object.keys((table.kind === 'rule' ? ruleFields() : checkerFields()).shape);
  return misspelt(table.values, known).map(({ key, meant }) => `"${key}" means nothing here. Is it "${meant}"?`);
}

/** A name with a greater distance from every known name is intended: a tool of an agent, a script or a server. */
const MAX_TYPO_DISTANCE = 3;

function nameWarnings(table: PolicyTable): string[] {
  const { toolName } = table.values;
  const names = [toolName].flat().filter((name) => typeof name === 'string');
  return names.flatMap((name) => nameWarning(name, table.values['mcpName'] !== undefined) ?? []);
}

function nameWarning(name: string, ofServer: boolean): string | undefined {
  if (name.includes('__')) {
    return `"${name}": server and tool are no longer joined with "__". Use mcpName, or mcp_server_tool.`;
  }
  if (ofServer || name === '' || name.includes('*') || isQualified(name) || KNOWN_TOOLS.has(name)) return undefined;
  // A very short name would match with all of its letters changed.
  const [nearest] = nearestNames(name, KNOWN_TOOLS, 1, Math.min(MAX_TYPO_DISTANCE, name.length - 1));
  return nearest === undefined ? undefined : `There is no tool "${name}". Did you mean "${nearest}"?`;
}

interface ReadChecker {
  readonly checkers: readonly CheckerRule[];
  readonly faults: readonly Fault[];
  readonly outcome: string;
}

/** Reads one `[[safety_checker]]`. A checker can only tighten, so an invalid one covers more calls instead of none. */
function readChecker(table: PolicyTable, source: RuleSource): ReadChecker {
  const { values, faults: malformed } = readFields(checkerFields(), table.values);
  const { patterns, faults: unusable } = patternsOf(values, undefined);
  const isDamaged = table.damage.length > 0;
  const absent = (['toolName', 'checker'] as const).filter((field) => !isDamaged && !(field in table.values));
  const checker = checkerFrom(values.checker, values.toolName === undefined);
  const faults: Fault[] = [
    ...absent.map((field) => ({ field, reason: 'is missing', kind: 'schema_validation' as const })),
    ...malformed.map((fault) => ({ ...fault, kind: 'schema_validation' as const })),
    ...commandFaults(values).map((fault) => ({ ...fault, kind: 'rule_validation' as const })),
    ...unusable.map((fault) => ({ ...fault, kind: 'regex_compilation' as const })),
    ...unsupported(checker),
  ];
  const names = values.toolName === undefined ? ['*'] : toolNamesOf(values);
  const checkers = names.flatMap((toolName) =>
    patterns.map((argsPattern) => ({
      toolName,
      priority: tierNumber(source) + (values.priority ?? 0) / 1000,
      ...(values.mcpName !== undefined && { mcpName: values.mcpName }),
      ...(argsPattern && { argsPattern }),
      ...(values.modes && { modes: values.modes }),
      ...(values.toolAnnotations && { toolAnnotations: values.toolAnnotations }),
      checker,
      source,
    })),
  );
  return { checkers, faults, outcome: outcomeOf(checker) };
}

type RawChecker = NonNullable<z.infer<ReturnType<typeof checkerFields>>['checker']>;

function checkerFrom(raw: RawChecker | undefined, coversAll: boolean): Checker {
  if (raw?.type === 'in-process' && raw.name === 'allowed-path') {
    return {
      kind: 'allowed-path',
      included: raw.config?.included_args ?? [],
      excluded: raw.config?.excluded_args ?? [],
    };
  }
  if (raw?.type === 'in-process' && raw.name === 'conseca') return { kind: 'off', name: raw.name };
  // A checker without a tool name covers every tool, so it asks: refusing would block all of them.
  return { kind: 'unusable', name: raw?.name ?? 'unknown', decision: coversAll ? 'ask_user' : 'deny' };
}

function unsupported(checker: Checker): Fault[] {
  if (checker.kind === 'allowed-path') return [];
  const isHarmless = checker.kind === 'off';
  return [{ field: 'checker', reason: `"${checker.name}" is not supported`, kind: 'not_supported', isHarmless }];
}

function outcomeOf(checker: Checker): string {
  if (checker.kind === 'off') return 'It is never asked.';
  if (checker.kind === 'allowed-path') return 'Until it is repaired, it looks at more calls than was meant.';
  return checker.decision === 'deny' ? 'The calls it should look at are refused.' : 'Every call requires approval.';
}
