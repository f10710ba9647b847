import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Decision, PolicyRule } from '../../policy/policy-types.ts';
import type { LoadedFile } from '../../policy/rules/load-policies.ts';
import { type PolicyProblem, writtenRuleCount } from '../../policy/rules/rule-set.ts';
import { commandsIn } from '../../policy/rules/safe-pattern.ts';

/** Describes the state of a policy file in a few words, with icons for a list. */
export function policyFileState(file: LoadedFile, problems: readonly PolicyProblem[]): string {
  return statesOf(file, problems)
    .map(({ icon, text }) => `$(${icon}) ${text}`)
    .join(', ');
}

/** Describes the state of a policy file without icons. */
export function plainFileState(file: LoadedFile, problems: readonly PolicyProblem[]): string {
  return statesOf(file, problems)
    .map(({ text }) => text)
    .join(', ');
}

function statesOf(
  { path, state, waiting }: LoadedFile,
  problems: readonly PolicyProblem[],
): readonly { readonly icon: string; readonly text: string }[] {
  const mistakes = problems.filter(({ file, kind }) => file === path && kind !== 'not_accepted').length;
  const states = [
    ...(waiting.length > 0 ? [{ icon: 'shield', text: wouldAllow(writtenRuleCount(waiting)) }] : []),
    ...(mistakes > 0 ? [{ icon: state === 'damaged' ? 'error' : 'warning', text: problemCount(mistakes) }] : []),
  ];
  return states.length === 0 ? [{ icon: 'check', text: l10n.t('active') }] : states;
}

/** A dialog has no room for more, and the file is open behind it. */
const MOST_RULES = 12;

/** Describes what approving a file of this folder would allow, one line per rule. */
export function acceptText({ path, waiting }: LoadedFile): string {
  const shown = waiting.slice(0, MOST_RULES).map((rule) => `• ${placedRule(rule)}`);
  const rest = waiting.length - shown.length;
  const more = rest > 0 ? [`• ${rest === 1 ? l10n.t('and 1 more rule') : l10n.t('and {0} more rules', rest)}`] : [];
  return [
    l10n.t('{0} is part of this folder. It would allow without asking:', basename(path)),
    ...shown,
    ...more,
    l10n.t('A changed file requires approval again.'),
  ].join('\n');
}

function placedRule(rule: PolicyRule): string {
  const { line } = rule.source;
  return line === undefined ? ruleText(rule) : l10n.t('{0} (line {1})', ruleText(rule), line);
}

/** The calls that a rule is about. */
export function ruleText({ toolName, mcpName, argsPattern, modes, decision }: PolicyRule): string {
  const named = mcpName === undefined ? toolName : l10n.t('{0} of {1}', toolName, mcpName);
  const tool = named === '*' ? l10n.t('every tool') : named;
  const call =
    argsPattern === undefined ? l10n.t('{0}, with any arguments', tool) : callText(tool, argsPattern.source, decision);
  return modes === undefined ? call : l10n.t('{0} in {1}', call, modes.join(', '));
}

function callText(tool: string, pattern: string, decision: Decision): string {
  const commands = commandsIn(pattern, decision);
  if (commands === undefined) return l10n.t('{0} with arguments like {1}', tool, clipped(pattern));
  return 'prefix' in commands
    ? l10n.t('{0}: commands that begin with {1}', tool, clipped(JSON.stringify(commands.prefix)))
    : l10n.t('{0}: commands like {1}', tool, clipped(commands.regex));
}

function clipped(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}

function wouldAllow(rules: number): string {
  return rules === 1
    ? l10n.t('1 rule that allows more requires approval')
    : l10n.t('{0} rules that allow more require approval', rules);
}

function problemCount(count: number): string {
  return count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count);
}
