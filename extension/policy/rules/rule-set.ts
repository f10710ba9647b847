import type { Decision, PolicyRule } from '../policy-types.ts';

/** What all policy files together say. */
export interface RuleSet {
  readonly rules: readonly PolicyRule[];
  readonly checkers: readonly CheckerRule[];
}

/** A further look at calls that the rules let through. It can only tighten. */
export interface CheckerRule
  extends Pick<
    PolicyRule,
    'toolName' | 'mcpName' | 'argsPattern' | 'modes' | 'toolAnnotations' | 'priority' | 'source'
  > {
  readonly checker: Checker;
}

export type Checker =
  | { readonly kind: 'allowed-path'; readonly included: readonly string[]; readonly excluded: readonly string[] }
  /** Known, and never switched on here. */
  | { readonly kind: 'off'; readonly name: string }
  /** There is nothing that could look: this is what it says instead. */
  | { readonly kind: 'unusable'; readonly name: string; readonly decision: Exclude<Decision, 'allow'> };

export type RuleProblemKind =
  | 'file_read'
  | 'toml_parse'
  | 'schema_validation'
  | 'rule_validation'
  | 'regex_compilation'
  | 'tool_name_warning'
  | 'unknown_key'
  | 'not_supported'
  | 'not_accepted'
  | 'not_saved';

/** Something about a policy file that a person has to look at. */
export interface PolicyProblem {
  readonly kind: RuleProblemKind;
  readonly severity: 'error' | 'warning';
  /** Absolute. */
  readonly file: string;
  /** Counted from 1, as the column is. */
  readonly line?: number;
  readonly column?: number;
  /** For people: what is wrong, and what holds instead. */
  readonly reason: string;
}
