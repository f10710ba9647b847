import { APPROVAL_MODES } from '../../protocol/agent/approval-mode.ts';
import type { PolicyRule } from '../policy-types.ts';
import { requiredText } from './candidate-list.ts';
import { isQualified } from './known-tools.ts';
import { isAnswer } from './rule-match.ts';
import { type CommandBeginning, commandBeginning } from './safe-pattern.ts';
import { isForPlans } from './shell-judge.ts';

/** What a rule matches, in a form in which rules can be compared. */
export interface RuleReach {
  readonly rule: PolicyRule;
  /** One bit for each mode. */
  readonly modes: number;
  /** The rule's annotations as a text. Undefined if it has none. */
  readonly annotations: string | undefined;
  /** Texts of arguments, one of which is in every match. Undefined if nothing is known. */
  readonly texts: readonly string[] | undefined;
  /** For a rule about commands with a prefix: the text that such commands begin with, and what can follow. */
  readonly beginning: CommandBeginning | undefined;
}

const EVERY_MODE = 2 ** APPROVAL_MODES.length - 1;

export function reachOf(rule: PolicyRule): RuleReach {
  const { argsPattern, modes = [], toolAnnotations } = rule;
  const bits = modes.reduce((all, mode) => all | (1 << APPROVAL_MODES.indexOf(mode)), 0);
  const beginning = argsPattern && commandBeginning(argsPattern.source);
  const required = beginning ? undefined : requiredText(argsPattern);
  return {
    rule,
    modes: bits === 0 ? EVERY_MODE : bits,
    annotations: toolAnnotations && annotationText(toolAnnotations),
    texts: beginning
      ? beginning.ends.map((end) => `${beginning.text}${end}`)
      : required === undefined
        ? undefined
        : [required],
    beginning,
  };
}

/** The same for annotations that match the same tools. Values that aren't plain match no tool. */
function annotationText(annotations: Readonly<Record<string, unknown>>): string {
  const written = Object.entries(annotations).map(([key, value]) =>
    typeof value === 'object' ? [key, 'object'] : [key, typeof value, String(value)],
  );
  return JSON.stringify(written.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)));
}

/**
 * Whether the first rule certainly matches every call that the second can match, in all circumstances. "No" is always a
 * safe answer.
 */
export function reachesAll(wide: RuleReach, narrow: RuleReach): boolean {
  const [one, other] = [wide.rule, narrow.rule];
  return (
    (one.toolName === '*' || one.toolName === other.toolName || one.toolName.endsWith('*')) &&
    (wide.modes & narrow.modes) === narrow.modes &&
    (one.interactive === undefined || one.interactive === other.interactive) &&
    (one.subagent === undefined || one.subagent === other.subagent) &&
    (wide.annotations === undefined || wide.annotations === narrow.annotations) &&
    isOfAllServers(one, other) &&
    namesAll(one, other) &&
    // Saved answers can be off, and the sandbox switches off a shipped rule.
    (!isAnswer(one) || isAnswer(other)) &&
    !isForPlans(one) &&
    matchesAllTexts(wide, narrow)
  );
}

type Named = Pick<PolicyRule, 'toolName' | 'mcpName'>;

function isOfAllServers({ mcpName: one }: Named, { mcpName: other }: Named): boolean {
  return one === undefined || one === other || (one === '*' && other !== undefined);
}

/** The servers are compared already. */
function namesAll(one: Named, other: Named): boolean {
  if (one.toolName === '*') return true;
  if (one.toolName === other.toolName) return one.mcpName === other.mcpName || isQualified(one.toolName);
  // A rule without a server may match a call that has none: an agent can have the name of a tool.
  if (one.toolName === 'mcp_*') return other.mcpName !== undefined;
  if (!isWildcard(one.toolName) || !other.toolName.startsWith(one.toolName.slice(0, -1))) return false;
  // Tools of servers have two names, and a wildcard may match only one of them.
  return !isQualified(one.toolName) && !isQualified(other.toolName) && other.mcpName === undefined;
}

/** Longer names are compared with themselves only, so that looking for wildcards takes little time. */
const LONGEST_WILDCARD = 100;

function isWildcard(name: string): boolean {
  return name.endsWith('*') && name.length <= LONGEST_WILDCARD;
}

/** The names of rules that can reach all calls of a rule with this name. */
export function widerNames(name: string): readonly string[] {
  const letters = name.slice(0, LONGEST_WILDCARD - 1);
  return [...new Set([name, '*', 'mcp_*', ...Array.from(letters, (_, at) => `${letters.slice(0, at + 1)}*`)])];
}

function matchesAllTexts(wide: RuleReach, narrow: RuleReach): boolean {
  const [one, other] = [wide.rule.argsPattern, narrow.rule.argsPattern];
  if (one === undefined) return true;
  if (other === undefined) return false;
  if (one.source === other.source && one.flags === other.flags) return true;
  const { beginning } = wide;
  if (!beginning || !narrow.texts) return false;
  return narrow.texts.every((text) => beginning.ends.some((end) => text.startsWith(`${beginning.text}${end}`)));
}
