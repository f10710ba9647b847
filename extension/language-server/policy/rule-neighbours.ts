import * as l10n from '@vscode/l10n';
import type { Tier } from '../../policy/policy-types.ts';
import { tierNumber } from '../../policy/rules/read-rule.ts';
import { isAnswer } from '../../policy/rules/rule-match.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import type { WrittenTable } from './policy-syntax.ts';
import { knownPolicies, type RulesOfTable } from './rules-in-order.ts';

/** A rule with those that can decide about the same calls. */
export interface RuleNeighbours {
  readonly own: RulesOfTable;
  /** The one that is asked right before it. */
  readonly before: RulesOfTable | undefined;
  readonly after: RulesOfTable | undefined;
}

/** Undefined if the rule is not in force, or only a checker. */
export async function neighboursOf(
  { line }: Pick<WrittenTable, 'line'>,
  file: ConfigDocument,
  tier: Tier,
  workspace: Workspace,
): Promise<RuleNeighbours | undefined> {
  const order = await knownPolicies(workspace).inOrder(file, tier);
  const at = order.findIndex((one) => one.path === file.path && one.line === line);
  const own = order[at];
  if (!own) return undefined;
  const concerns = (other: RulesOfTable): boolean => isAboutSameCalls(own, other);
  return { own, before: order.slice(0, at).findLast(concerns), after: order.slice(at + 1).find(concerns) };
}

const USUAL_PRIORITY = 100;
const HIGHEST = 999;

/** Priorities for a rule: the usual one, and those that put it before or after the others of its tier. */
export async function prioritiesFor(
  { line }: Pick<WrittenTable, 'line'>,
  file: ConfigDocument,
  tier: Tier,
  workspace: Workspace,
): Promise<readonly (readonly [number, string])[]> {
  const order = await knownPolicies(workspace).inOrder(file, tier);
  const own = order.find((one) => one.path === file.path && one.line === line);
  const others = order.filter(
    (one) => one !== own && tierOf(one) === tierNumber({ tier }) && (!own || isAboutSameCalls(own, one)),
  );
  const used = others.map(({ priority }) => Math.round((priority % 1) * 1000));
  const [highest, lowest] = [Math.max(...used), Math.min(...used)];
  const proposed: (readonly [number, string])[] = [
    [USUAL_PRIORITY, l10n.t('the usual priority')],
    ...(used.length > 0 && highest < HIGHEST
      ? [[notOfAnswers(highest + 1, 1), l10n.t('before the other rules of this tier about these calls')] as const]
      : []),
    ...(used.length > 0 && lowest > 0
      ? [[notOfAnswers(lowest - 1, -1), l10n.t('after the other rules of this tier about these calls')] as const]
      : []),
    [HIGHEST, l10n.t('the highest priority of this tier')],
  ];
  return proposed.filter(([one], at) => proposed.findIndex(([other]) => other === one) === at);
}

/** Rules with the priority of saved answers count as answers. */
function notOfAnswers(priority: number, step: number): number {
  return isAnswer({ priority: priority / 1000 }) ? priority + step : priority;
}

function tierOf({ priority }: RulesOfTable): number {
  return Math.floor(priority);
}

/** Rules about other tools are never asked about the same call. */
function isAboutSameCalls(one: RulesOfTable, other: RulesOfTable): boolean {
  return one.rules.some((rule) => other.rules.some(({ toolName }) => mayBeSame(rule.toolName, toolName)));
}

function mayBeSame(one: string, other: string): boolean {
  return one === other || fits(one, other) || fits(other, one);
}

function fits(pattern: string, name: string): boolean {
  if (!pattern.endsWith('*')) return false;
  const [beginning, other] = [pattern.slice(0, -1), name.replace(/\*$/, '')];
  return other.startsWith(beginning) || (other !== name && beginning.startsWith(other));
}
