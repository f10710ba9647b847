import * as l10n from '@vscode/l10n';
import type { Circumstances, Decision, PolicyRule, Verdict } from '../policy-types.ts';

/** The result of the rules for the whole command. */
export interface MatchedRule {
  /** Absent when no rule matched. */
  readonly rule?: PolicyRule;
  readonly decision: Decision;
  /** For people: which rule matched, or that no rule did. */
  readonly why: string;
  /** A rule that refuses or asks about certain commands, so that it may apply to one that nobody knows. */
  readonly restricting?: PolicyRule | undefined;
}

/** Whether a rule is shipped and covers every command. A rule that a person wrote is never overruled. */
export function isShipped(rule: PolicyRule | undefined): boolean {
  return rule?.source.tier === 'default' && rule.argsPattern === undefined;
}

/** Whether a command is refused only because it would have to ask and no user is there. */
export function isForLackOfAnswer(rule: PolicyRule | undefined): boolean {
  return isShipped(rule) && rule?.decision === 'deny' && rule.interactive === false;
}

/** Whether it is the shipped rule that denies changes in plan mode. */
export function isForPlans(rule: PolicyRule | undefined): boolean {
  return rule?.source.tier === 'default' && rule.toolName === '*' && rule.modes?.includes('plan') === true;
}

/** The folder in which a command would run, with links resolved. */
export interface RunFolder {
  readonly path: string;
  /** The workspace folder that contains it. */
  readonly root: string;
}

/**
 * Decides about a command by its parts. It gets the result of the rules for the whole command; `recheck` returns their
 * result for a part of it. If it throws, the command is refused.
 */
export type ShellJudge = (
  command: string,
  matched: MatchedRule,
  recheck: (subCommand: string) => Verdict,
  circumstances: Circumstances,
  /** Absent if the tool would refuse to run the command. */
  folder?: RunFolder,
) => Promise<Verdict> | Verdict;

/** Used if commands can't be parsed: no command runs without asking. */
export const blindJudge: ShellJudge = (_command, { rule, decision }) => ({
  decision: decision === 'allow' ? 'ask_user' : decision,
  ...(rule && { rule }),
  why: l10n.t('The command requires approval because it could not be checked.'),
});
