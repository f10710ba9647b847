import * as l10n from '@vscode/l10n';
import type { Circumstances, Decision, PolicyRule, Verdict } from '../policy-types.ts';

/** What the rules say about the command as a whole. */
export interface MatchedRule {
  /** Absent when no rule matched. */
  readonly rule?: PolicyRule;
  readonly decision: Decision;
  /** For people: which rule it is, or that there is none. */
  readonly why: string;
}

/** Whether a rule ships and is for every command. One that somebody wrote is never overruled. */
export function isShipped(rule: PolicyRule | undefined): boolean {
  return rule?.source.tier === 'default' && rule.argsPattern === undefined;
}

/** Whether a command is refused only because it would have to be asked about, and nobody is there. */
export function isForLackOfAnswer(rule: PolicyRule | undefined): boolean {
  return isShipped(rule) && rule?.decision === 'deny' && rule.interactive === false;
}

/** Where a command would run, without links. */
export interface RunFolder {
  readonly path: string;
  /** The workspace folder it lies in. */
  readonly root: string;
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
  /** Absent where the tool would refuse to run it. */
  folder?: RunFolder,
) => Promise<Verdict> | Verdict;

/** Where nothing can look into commands, none runs without a question. */
export const blindJudge: ShellJudge = (_command, { rule, decision }) => ({
  decision: decision === 'allow' ? 'ask_user' : decision,
  ...(rule && { rule }),
  why: l10n.t('The command asks first because it could not be checked.'),
});
