import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { Decision, PolicyRule, RuleSource } from '../policy-types.ts';
import { TIERS } from '../policy-types.ts';
import type { Pattern } from './linear-pattern.ts';
import { commandFaults, type Patterns, patternsOf, toolNamesOf } from './read-match.ts';
import type { RuleProblemKind } from './rule-set.ts';
import { type FieldFault, readFields, ruleFields } from './table-fields.ts';

export interface Fault extends FieldFault {
  readonly kind: RuleProblemKind;
  /** The fault changes no decision. */
  readonly isHarmless?: boolean;
}

export interface ReadRule {
  readonly rules: readonly PolicyRule[];
  readonly faults: readonly Fault[];
  /** For people: what applies despite the faults. */
  readonly outcome: string;
}

type Fields = z.infer<ReturnType<typeof ruleFields>>;

/** The values of a table. It is damaged if some are missing or wrong. */
export interface TableValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly isDamaged: boolean;
}

/** A fault in one of these fields doesn't change when the rule applies. */
const SIDE_FIELDS: ReadonlySet<string> = new Set([
  'allowRedirection',
  'allow_redirection',
  'denyMessage',
  'deny_message',
]);

const PATTERN_FIELDS: ReadonlySet<string> = new Set(['argsPattern', 'commandPrefix', 'commandRegex']);

/** Used if the priority is invalid, so that no other rule of the tier outranks the rule. */
const HIGHEST_PRIORITY = 999;

/**
 * Reads one `[[rule]]`. If part of it is invalid, a rule that allows is ignored. A rule that refuses or asks must not
 * vanish, so its valid part stays in force: it covers more than intended, and only tightens. With an invalid decision,
 * the tool asks. With an invalid tool name, everything asks.
 */
export function readRule(table: TableValues, source: RuleSource): ReadRule {
  const { values: sound, faults: malformed } = readFields(ruleFields(), table.values);
  const values = { ...sound, ...widerFields(table, malformed) };
  const names = toolNamesOf(values);
  const { patterns, faults: unusable } = limited(patternsOf(values, values.decision), names.length);
  const faults: Fault[] = [
    ...[...missing(table, values), ...malformed].map((fault) => ({ ...fault, kind: 'schema_validation' as const })),
    ...commandFaults(values).map((fault) => ({ ...fault, kind: 'rule_validation' as const })),
    ...unusable.map((fault) => ({ ...fault, kind: 'regex_compilation' as const })),
  ];
  const { isDamaged } = table;
  const isSound = !isDamaged && faults.length === 0;
  const widened = isDamaged || faults.some(({ field }) => !SIDE_FIELDS.has(field));
  const decision = isSound ? values.decision : salvagedDecision(values);
  if (decision === undefined) return { rules: [], faults, outcome: l10n.t('The rule is ignored.') };
  const covered = values.toolName === undefined ? ['*'] : names;
  const isPatternLost = malformed.some(({ field }) => PATTERN_FIELDS.has(field));
  const rules = covered.flatMap((toolName) =>
    (isPatternLost ? [undefined] : patterns).map((argsPattern) =>
      ruleFrom(values, { toolName, argsPattern, decision, widened, source }),
    ),
  );
  return { rules, faults, outcome: outcomeOf(decision, widened, covered) };
}

/** Replaces invalid fields that select the rule's calls: with the valid tool names, and with any server. */
function widerFields(table: TableValues, malformed: readonly FieldFault[]): Pick<Fields, 'toolName' | 'mcpName'> {
  const isFaulty = (name: string): boolean => malformed.some(({ field }) => field === name);
  const names = isFaulty('toolName') ? [table.values['toolName']].flat() : [];
  const readable = names.filter((name) => typeof name === 'string' && name !== '');
  return {
    ...(readable.length > 0 && { toolName: readable.map(String) }),
    ...(isFaulty('mcpName') && { mcpName: '*' }),
  };
}

function salvagedDecision({ toolName, decision }: Fields): Decision | undefined {
  if (decision === 'allow') return undefined;
  if (toolName === undefined) return decision === undefined ? undefined : 'ask_user';
  return decision ?? 'ask_user';
}

/** A sentence with more names is hard to read. */
const MOST_NAMED = 5;

/** More rules of one table take long to compare with each call, and no person writes them. */
const MOST_COMBINATIONS = 10_000;

function limited(read: Patterns, names: number): Patterns {
  if (read.patterns.length < 2 || read.patterns.length * names <= MOST_COMBINATIONS) return read;
  const reason = l10n.t('names more than {0} combinations of tools and commands', MOST_COMBINATIONS);
  return {
    patterns: [undefined],
    faults: [...read.faults, { field: 'commandPrefix', path: ['commandPrefix'], reason }],
  };
}

function outcomeOf(decision: Decision, widened: boolean, tools: readonly string[]): string {
  if (!widened) return l10n.t('The rest of the rule is in force.');
  if (tools.includes('*')) {
    return decision === 'deny'
      ? l10n.t('Until this is fixed, the rule refuses every call.')
      : l10n.t('Until this is fixed, the rule asks before every call.');
  }
  const what = `${tools.slice(0, MOST_NAMED).join(', ')}${tools.length > MOST_NAMED ? ' …' : ''}`;
  return decision === 'deny'
    ? l10n.t('Until this is fixed, the rule refuses every call of {0}.', what)
    : l10n.t('Until this is fixed, the rule asks before every call of {0}.', what);
}

/** A field may be missing from a damaged table because its line couldn't be parsed, so it isn't reported. */
function missing(table: TableValues, values: Fields): FieldFault[] {
  if (table.isDamaged) return [];
  const required = (['toolName', 'decision', 'priority'] as const).filter((field) => !(field in table.values));
  const absent = required.filter((field) => values[field] === undefined);
  return absent.map((field) => ({ field, path: [field], reason: l10n.t('is missing') }));
}

interface Parts {
  readonly toolName: string;
  readonly argsPattern: Pattern | undefined;
  readonly decision: Decision;
  readonly widened: boolean;
  readonly source: RuleSource;
}

function ruleFrom(values: Fields, { toolName, argsPattern, decision, widened, source }: Parts): PolicyRule {
  const allowRedirection = values.allowRedirection ?? values.allow_redirection;
  const denyMessage = values.denyMessage ?? values.deny_message;
  return {
    toolName,
    decision,
    priority: tierNumber(source) + (values.priority ?? HIGHEST_PRIORITY) / 1000,
    ...(values.subagent !== undefined && { subagent: values.subagent }),
    ...(values.mcpName !== undefined && { mcpName: values.mcpName }),
    ...(argsPattern && { argsPattern }),
    ...(values.modes && { modes: values.modes }),
    ...(values.interactive !== undefined && { interactive: values.interactive }),
    ...(values.toolAnnotations && { toolAnnotations: values.toolAnnotations }),
    ...(allowRedirection !== undefined && { allowRedirection }),
    ...(denyMessage !== undefined && { denyMessage }),
    ...(widened && { onlyTightens: true }),
    source,
  };
}

/** A later tier outranks an earlier tier, whatever the priorities. */
export function tierNumber({ tier }: Pick<RuleSource, 'tier'>): number {
  return TIERS.indexOf(tier) + 1;
}
