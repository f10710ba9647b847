import type { z } from 'zod';
import type { Decision, PolicyRule, RuleSource } from '../policy-types.ts';
import { TIERS } from '../policy-types.ts';
import type { Pattern } from './linear-pattern.ts';
import type { PolicyTable } from './parse-tables.ts';
import { commandFaults, patternsOf, toolNamesOf } from './read-match.ts';
import type { RuleProblemKind } from './rule-set.ts';
import { type FieldFault, readFields, ruleFields } from './table-fields.ts';

export interface Fault extends FieldFault {
  readonly kind: RuleProblemKind;
  /** Nothing is decided differently because of it. */
  readonly isHarmless?: boolean;
}

export interface ReadRule {
  readonly rules: readonly PolicyRule[];
  readonly faults: readonly Fault[];
  /** For people: what holds in spite of the faults. */
  readonly outcome: string;
}

type Fields = z.infer<typeof ruleFields>;

/** A fault in one of these changes nothing about when the rule applies. */
const SIDE_FIELDS: ReadonlySet<string> = new Set([
  'allowRedirection',
  'allow_redirection',
  'denyMessage',
  'deny_message',
]);

const PATTERN_FIELDS: ReadonlySet<string> = new Set(['argsPattern', 'commandPrefix', 'commandRegex']);

/** Where the priority is unknown: the rule must not be outranked by its neighbours. */
const HIGHEST_PRIORITY = 999;

/**
 * One `[[rule]]`. With a fault in it, a rule that allows is ignored. One that refuses or asks must not vanish, so it
 * stays with what could be read: it covers more than was meant, and only tightens. Where the decision is unreadable
 * the tool asks; where the tool is, everything does.
 */
export function readRule(table: PolicyTable, source: RuleSource): ReadRule {
  const { values: sound, faults: malformed } = readFields(ruleFields, table.values);
  const values = { ...sound, ...widerFields(table, malformed) };
  const { patterns, faults: unusable } = patternsOf(values, values.decision);
  const faults: Fault[] = [
    ...[...missing(table, values), ...malformed].map((fault) => ({ ...fault, kind: 'schema_validation' as const })),
    ...commandFaults(values).map((fault) => ({ ...fault, kind: 'rule_validation' as const })),
    ...unusable.map((fault) => ({ ...fault, kind: 'regex_compilation' as const })),
  ];
  const isDamaged = table.damage.length > 0;
  const isSound = !isDamaged && faults.length === 0;
  const widened = isDamaged || faults.some(({ field }) => !SIDE_FIELDS.has(field));
  const names = toolNamesOf(values);
  const decision = isSound ? values.decision : salvagedDecision(values);
  if (decision === undefined) return { rules: [], faults, outcome: 'The rule is ignored.' };
  const covered = values.toolName === undefined ? ['*'] : names;
  const isPatternLost = malformed.some(({ field }) => PATTERN_FIELDS.has(field));
  const rules = covered.flatMap((toolName) =>
    (isPatternLost ? [undefined] : patterns).map((argsPattern) =>
      ruleFrom(values, { toolName, argsPattern, decision, widened, source }),
    ),
  );
  return { rules, faults, outcome: outcomeOf(decision, widened, covered) };
}

/** For fields without which the rule would be about something else: the names that can be read, and any server. */
function widerFields(table: PolicyTable, malformed: readonly FieldFault[]): Pick<Fields, 'toolName' | 'mcpName'> {
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

function outcomeOf(decision: Decision, widened: boolean, tools: readonly string[]): string {
  if (!widened) return 'The rest of the rule is in force.';
  const what = tools.includes('*') ? 'everything' : tools.join(', ');
  return `Until it is repaired, the rule ${decision === 'deny' ? 'refuses' : 'asks before'} ${what}, at least as much as was meant.`;
}

/** In a damaged table it need not be the writer's fault. */
function missing(table: PolicyTable, values: Fields): FieldFault[] {
  if (table.damage.length > 0) return [];
  const required = (['toolName', 'decision', 'priority'] as const).filter((field) => !(field in table.values));
  return required.filter((field) => values[field] === undefined).map((field) => ({ field, reason: 'is missing' }));
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

/** A later tier outranks an earlier one whatever the priorities are. */
export function tierNumber({ tier }: Pick<RuleSource, 'tier'>): number {
  return TIERS.indexOf(tier) + 1;
}
