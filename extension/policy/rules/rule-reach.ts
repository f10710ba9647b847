import { APPROVAL_MODES } from '../../protocol/agent/approval-mode.ts';
import type { PolicyRule } from '../policy-types.ts';
import { requiredText } from './candidate-list.ts';
import { aliasesOf, isQualified, KNOWN_TOOLS } from './known-tools.ts';
import { isAnswer } from './rule-match.ts';
import { type CommandBeginning, commandBeginning } from './safe-pattern.ts';
import { isForPlans } from './shell-judge.ts';

/** What a rule matches, in a form in which rules can be compared. */
export interface RuleReach {
  readonly rule: PolicyRule;
  readonly toolName: string;
  /** One bit for each mode. */
  readonly modes: number;
  /** The rule's pattern as a text. Undefined if it has none. */
  readonly pattern: string | undefined;
  /** The rule's annotations as a text. Undefined if it has none. */
  readonly annotations: string | undefined;
  /** Texts of arguments. Every match contains one of them. Undefined if nothing is known. */
  readonly texts: readonly string[] | undefined;
  /** For a rule about commands with a prefix: the text that such commands begin with, and what can follow. */
  readonly beginning: CommandBeginning | undefined;
}

const EVERY_MODE = 2 ** APPROVAL_MODES.length - 1;

/** `names` has the names of all rules that are compared, so that equal ones are the same object. */
export function reachOf(rule: PolicyRule, names: Map<string, string>): RuleReach {
  const { argsPattern, modes = [], toolAnnotations } = rule;
  const toolName = names.get(rule.toolName) ?? rule.toolName;
  names.set(toolName, toolName);
  const bits = modes.reduce((all, mode) => all | (1 << APPROVAL_MODES.indexOf(mode)), 0);
  const beginning = argsPattern && commandBeginning(argsPattern.source);
  const required = beginning ? undefined : requiredText(argsPattern);
  return {
    rule,
    toolName,
    pattern: argsPattern && `${argsPattern.flags}/${argsPattern.source}`,
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
    (wide.toolName === narrow.toolName || wide.toolName.endsWith('*')) &&
    matchesAllTexts(wide, narrow) &&
    (wide.modes & narrow.modes) === narrow.modes &&
    (one.interactive === undefined || one.interactive === other.interactive) &&
    (one.subagent === undefined || one.subagent === other.subagent) &&
    (wide.annotations === undefined || wide.annotations === narrow.annotations) &&
    isOfAllServers(one, other) &&
    namesAll(one, other) &&
    // Saved answers can be off, and the sandbox switches off a shipped rule.
    (!isAnswer(one) || isAnswer(other)) &&
    !isForPlans(one)
  );
}

type Named = Pick<PolicyRule, 'toolName' | 'mcpName'>;

function isOfAllServers({ mcpName: one }: Named, { mcpName: other }: Named): boolean {
  return one === undefined || one === other || (one === '*' && other !== undefined);
}

/** Whether both rules could match the same call. "Yes" is always a safe answer. */
export function canMeet(one: RuleReach, other: RuleReach): boolean {
  const isApart = <T>(left: T | undefined, right: T | undefined): boolean =>
    left !== undefined && right !== undefined && left !== right;
  const [left, right] = [one.rule, other.rule];
  return (
    (one.modes & other.modes) !== 0 &&
    !isApart(left.interactive, right.interactive) &&
    !isApart(left.subagent, right.subagent) &&
    !(isForOneTool(left) && isForOneTool(right) && left.toolName !== right.toolName)
  );
}

/** Tools of servers, agents and tools with a former name have more than one name. */
function isForOneTool({ toolName, mcpName }: Named): boolean {
  return (
    KNOWN_TOOLS.has(toolName) &&
    toolName !== 'invoke_agent' &&
    aliasesOf(toolName).length === 1 &&
    mcpName === undefined
  );
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
  if (wide.pattern === undefined || wide.pattern === narrow.pattern) return true;
  const { beginning } = wide;
  const { texts = [] } = narrow;
  const [first] = texts;
  if (!beginning || first === undefined) return false;
  // Most commands differ in this character already, and comparing all of them takes ten times as long.
  const last = beginning.text.length - 1;
  if (first.charCodeAt(last) !== beginning.text.charCodeAt(last) || !first.startsWith(beginning.text)) return false;
  return texts.every((text) => beginning.ends.some((end) => text.startsWith(`${beginning.text}${end}`)));
}
