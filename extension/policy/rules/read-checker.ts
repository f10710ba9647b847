import type { RuleSource } from '../policy-types.ts';
import type { PolicyTable } from './parse-tables.ts';
import { commandFaults, patternsOf, toolNamesOf } from './read-match.ts';
import { type Fault, tierNumber } from './read-rule.ts';
import type { Checker, CheckerRule } from './rule-set.ts';
import { checkerFields, readFields } from './table-fields.ts';

export interface ReadChecker {
  readonly checkers: readonly CheckerRule[];
  readonly faults: readonly Fault[];
  readonly outcome: string;
}

/** Reads one `[[safety_checker]]`. A checker can only tighten, so an invalid one covers more calls instead of none. */
export function readChecker(table: PolicyTable, source: RuleSource): ReadChecker {
  const { values, faults: malformed } = readFields(checkerFields, table.values);
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

type RawChecker = NonNullable<ReturnType<typeof checkerFields.parse>['checker']>;

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
  return checker.decision === 'deny' ? 'The calls it should look at are refused.' : 'Every call asks first.';
}
