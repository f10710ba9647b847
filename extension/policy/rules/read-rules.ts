import { basename } from 'node:path';
import { nearestNames } from '../../text/nearest-names.ts';
import type { RuleSource, Tier } from '../policy-types.ts';
import { isQualified, KNOWN_TOOLS } from './known-tools.ts';
import { type PolicyTable, parseTables } from './parse-tables.ts';
import { readChecker } from './read-checker.ts';
import { type Fault, readRule } from './read-rule.ts';
import type { PolicyProblem, RuleSet } from './rule-set.ts';
import { checkerFields, misspelt, ruleFields } from './table-fields.ts';

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
  const known = Object.keys((table.kind === 'rule' ? ruleFields : checkerFields).shape);
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
