import type { Decision, PolicyRule, Verdict } from '../policy-types.ts';
import type { Mismatch } from './rule-match.ts';
import type { CheckerRule } from './rule-set.ts';

/** How a rule took part in a decision. */
export interface RuleStep {
  readonly rule: PolicyRule;
  /** The first part of the rule that the call doesn't match, or why a rule that matches is off. */
  readonly mismatch: Mismatch | 'sandbox' | undefined;
  /** Whether the rule ended the search. A matching rule that only tightens doesn't. */
  readonly decides: boolean;
}

/** A command of a line that the rules were asked about. */
export interface PartStep {
  readonly command: string;
  readonly verdict: Verdict;
  readonly rules: readonly RuleStep[];
}

export interface CheckStep {
  readonly rule: CheckerRule;
  readonly decision: Decision;
  /** A clause without a final period. */
  readonly reason: string;
}

/** The way to a verdict. */
export interface Explanation {
  readonly verdict: Verdict;
  /** The rules about the tool, in the order in which they are asked, up to the one that decides about the whole call. */
  readonly rules: readonly RuleStep[];
  readonly parts: readonly PartStep[];
  /** For a command: the verdict after its words were checked. */
  readonly judged?: Verdict;
  readonly checks: readonly CheckStep[];
}

/** Collects the steps of one decision. */
export class Explained {
  readonly rules: RuleStep[] = [];
  readonly checks: CheckStep[] = [];
  private readonly parts = new Map<string, PartStep>();
  private judged: Verdict | undefined;

  /** A line can ask about the same command more than once. */
  addPart(part: PartStep): void {
    this.parts.set(part.command, part);
  }

  judgedAs(verdict: Verdict): void {
    this.judged = verdict;
  }

  with(verdict: Verdict): Explanation {
    const { rules, checks, judged } = this;
    return { verdict, rules, parts: [...this.parts.values()], ...(judged && { judged }), checks };
  }
}
