import type { Circumstances, Decision, PolicyRule, Verdict } from '../policy-types.ts';

/** What the rules say about the command as a whole. */
export interface MatchedRule {
  /** Absent when no rule matched. */
  readonly rule?: PolicyRule;
  readonly decision: Decision;
}

/**
 * Looks into a command. It gets what the rules say about the whole text, and with `recheck` what they say about one
 * part of it. What it throws is a refusal.
 */
export type ShellJudge = (
  command: string,
  matched: MatchedRule,
  recheck: (subCommand: string) => Verdict,
  circumstances: Circumstances,
) => Promise<Verdict>;

/** Where nothing can look into commands, none runs without a question. */
export const blindJudge: ShellJudge = (_command, { rule, decision }) =>
  Promise.resolve({
    decision: decision === 'allow' ? 'ask_user' : decision,
    ...(rule && { rule }),
    why: 'The command asks first because it could not be looked into.',
  });
