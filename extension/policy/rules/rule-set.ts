import type { TextRange } from '../../text/text-range.ts';
import type { Decision, PolicyRule } from '../policy-types.ts';

/** The rules and checkers of all policy files together. */
export interface RuleSet {
  readonly rules: readonly PolicyRule[];
  readonly checkers: readonly CheckerRule[];
}

/** An additional check of calls that the rules don't refuse. It can only tighten. */
export interface CheckerRule
  extends Pick<
    PolicyRule,
    'toolName' | 'mcpName' | 'argsPattern' | 'modes' | 'toolAnnotations' | 'priority' | 'source'
  > {
  readonly checker: Checker;
}

export type Checker =
  | { readonly kind: 'allowed-path'; readonly included: readonly string[]; readonly excluded: readonly string[] }
  /** A checker of Gemini CLI that is never enabled here. */
  | { readonly kind: 'off'; readonly name: string }
  /** There is no such checker, so this decision applies instead. */
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
  | 'not_saved'
  | 'no_effect';

/** A problem in a policy file that a person should look at. */
export interface PolicyProblem {
  readonly kind: RuleProblemKind;
  /** A hint changes nothing that holds. */
  readonly severity: 'error' | 'warning' | 'hint';
  /** Absolute. */
  readonly file: string;
  /** Counted from 1, like the column. */
  readonly line?: number;
  readonly column?: number;
  /** The key or value that it is about. */
  readonly range?: TextRange;
  /** The key that it is about, and the part of its value. */
  readonly path?: readonly PropertyKey[];
  /** The text that was probably meant in this range. */
  readonly instead?: string;
  /** For people: what is wrong, and what applies instead. */
  readonly reason: string;
}

/** As people count the rules of a file: a rule about several tools is one. */
export function writtenRuleCount(rules: readonly PolicyRule[]): number {
  return new Set(rules.map(({ source }) => source.line)).size;
}
