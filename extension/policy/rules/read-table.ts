import * as l10n from '@vscode/l10n';
import { nearestNames } from '../../text/nearest-names.ts';
import type { Decision, PolicyRule, RuleSource } from '../policy-types.ts';
import { isQualified, KNOWN_TOOLS, qualifiedName } from './known-tools.ts';
import type { PolicyTable } from './parse-tables.ts';
import type { PartFault } from './policy-part.ts';
import { commandFaults, patternsOf, toolNamesOf } from './read-match.ts';
import { type Fault, readRule, tierNumber } from './read-rule.ts';
import { remarksOn } from './rule-remarks.ts';
import type { Checker, CheckerRule, RuleSet } from './rule-set.ts';
import { checkerFields, readFields, ruleFields, type UnknownKey, unknownKeys } from './table-fields.ts';

export interface ReadTable extends RuleSet {
  readonly faults: readonly PartFault[];
  /** About parts that have no effect. */
  readonly remarks: readonly PartFault[];
}

/** Reads the rules of one table. */
export function readTable(table: PolicyTable, source: RuleSource): ReadTable {
  const { kind, damage } = table;
  const read =
    kind === 'rule' ? { checkers: [], ...readRule(table, source) } : { rules: [], ...readChecker(table, source) };
  const unknown = unknownKeys(table.values, Object.keys((kind === 'rule' ? ruleFields : checkerFields)().shape));
  const strange = unknown.flatMap(({ key, meant }) => (meant === undefined ? [key] : []));
  return {
    rules: read.rules,
    checkers: read.checkers,
    faults: [
      ...damage.map((fault) => ({ ...fault, reason: `${fault.reason} ${read.outcome}` })),
      ...read.faults.map((fault) => placed(fault, read.outcome, table)),
      ...(source.tier === 'extension' ? notForExtensions(table, read) : []),
      ...slips(table, unknown),
      ...nameWarnings(table),
    ],
    remarks: remarksOn(table, strange),
  };
}

function placed(
  { kind, path, field, reason, isHarmless, instead }: Fault,
  outcome: string,
  { placeOf }: PolicyTable,
): PartFault {
  const { start, end } = placeOf(path);
  const severity = isHarmless ? 'warning' : 'error';
  return {
    kind,
    severity,
    start,
    end,
    path,
    reason: `${field}: ${reason}. ${outcome}`,
    ...(instead !== undefined && { instead }),
  };
}

/** As in Gemini CLI, an extension can't allow anything, and can't have rules for yolo mode. */
export function isForExtensions({
  modes,
  ...rule
}: Pick<PolicyRule, 'modes'> & { readonly decision?: Decision }): boolean {
  return rule.decision !== 'allow' && !modes?.includes('yolo');
}

function notForExtensions({ placeOf }: PolicyTable, { rules, checkers }: RuleSet): PartFault[] {
  const ignored = [...rules, ...checkers].find((rule) => !isForExtensions(rule));
  if (!ignored) return [];
  const { start, end } = placeOf(['decision' in ignored && ignored.decision === 'allow' ? 'decision' : 'modes']);
  const reason = l10n.t(
    'An extension can neither allow something nor have rules for yolo mode, so this is not in force.',
  );
  return [{ kind: 'not_supported', severity: 'warning', start, end, reason }];
}

function slips({ values, placeOf }: PolicyTable, unknown: readonly UnknownKey[]): PartFault[] {
  return unknown.flatMap(({ key, meant }): PartFault[] => {
    if (meant === undefined) return [];
    const { start, end } = placeOf([key], 'key');
    const reason = l10n.t('The key "{0}" has no effect here. Did you mean "{1}"?', key, meant);
    const instead = meant in values ? {} : { instead: meant };
    return [{ kind: 'unknown_key', severity: 'warning', start, end, reason, path: [key], ...instead }];
  });
}

/** A name with a greater distance from every known name is intended: a tool of an agent, a script or a server. */
const MAX_TYPO_DISTANCE = 3;

function nameWarnings({ values, placeOf }: PolicyTable): PartFault[] {
  const { toolName } = values;
  return [toolName].flat().flatMap((name, index): PartFault[] => {
    const warning = typeof name === 'string' ? nameWarning(name, values['mcpName'] !== undefined) : undefined;
    if (!warning) return [];
    const path = Array.isArray(toolName) ? ['toolName', index] : ['toolName'];
    const { start, end } = placeOf(path);
    return [{ kind: 'tool_name_warning', severity: 'warning', start, end, path, ...warning }];
  });
}

/** The tool that was probably meant. A very short name would match with all of its letters changed. */
export function similarTool(name: string): string | undefined {
  return nearestNames(name, KNOWN_TOOLS, 1, Math.min(MAX_TYPO_DISTANCE, name.length - 1))[0];
}

function nameWarning(name: string, ofServer: boolean): Pick<PartFault, 'reason' | 'instead'> | undefined {
  if (name.includes('__')) {
    const reason = l10n.t(
      '"{0}": server and tool are no longer joined with "__". Use mcpName, or mcp_server_tool.',
      name,
    );
    const [server = '', tool = '', ...more] = name.split('__');
    const isClear = server !== '' && tool !== '' && more.length === 0 && !ofServer;
    return { reason, ...(isClear && { instead: JSON.stringify(qualifiedName(server, tool)) }) };
  }
  if (ofServer || name === '' || name.includes('*') || isQualified(name) || KNOWN_TOOLS.has(name)) return undefined;
  const nearest = similarTool(name);
  if (nearest === undefined) return undefined;
  const reason = l10n.t('There is no tool "{0}". Did you mean "{1}"?', name, nearest);
  return { reason, instead: JSON.stringify(nearest) };
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
  const { isDamaged } = table;
  const absent = (['toolName', 'checker'] as const).filter((field) => !isDamaged && !(field in table.values));
  const checker = checkerFrom(values.checker, values.toolName === undefined);
  const faults: Fault[] = [
    ...absent.map((field) => ({
      field,
      path: [field],
      reason: l10n.t('is missing'),
      kind: 'schema_validation' as const,
    })),
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
  return { checkers, faults, outcome: outcomeOf(checker, source) };
}

type RawChecker = NonNullable<ReturnType<ReturnType<typeof checkerFields>['parse']>['checker']>;

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
  const reason = l10n.t('"{0}" is not supported', checker.name);
  return [{ field: 'checker', path: ['checker', 'name'], reason, kind: 'not_supported', isHarmless }];
}

function outcomeOf(checker: Checker, { tier }: RuleSource): string {
  if (checker.kind === 'off') return l10n.t('It is never asked.');
  if (checker.kind === 'allowed-path') {
    return l10n.t('Until this is fixed, it looks at more calls than intended.');
  }
  if (tier === 'workspace' || tier === 'extension') {
    return l10n.t('The checker is ignored, and the rules of this file that allow something are not in force.');
  }
  return checker.decision === 'deny'
    ? l10n.t('The calls it should look at are refused.')
    : l10n.t('Every call requires approval.');
}
