import * as l10n from '@vscode/l10n';
import { textLocale } from '../../protocol/words/numbers.ts';
import { inlineCode } from '../../text/markdown-text.ts';
import type { Decision, PolicyRule, Tier } from '../policy-types.ts';
import { isShellTool, qualifiedName } from './known-tools.ts';
import { commandsIn } from './safe-pattern.ts';

/**
 * What rules with the same table say, as one sentence in Markdown: "Commands that begin with `npm test` run without
 * asking." Undefined if there are none.
 */
export function ruleSentence(rules: readonly PolicyRule[]): string | undefined {
  const [rule] = rules;
  if (!rule) return undefined;
  const sentence = `${happening(subjectText(rules), rule.decision)}${conditions(rule)
    .map((text) => `, ${text}`)
    .join('')}.`;
  // A refusal can do nothing else.
  return rule.onlyTightens && rule.decision !== 'deny' ? `${sentence} ${l10n.t('It can only restrict.')}` : sentence;
}

/** Whose rules a tier has. */
export const tierTitle = (tier: Tier): string => TIER_TITLES[tier]();

const TIER_TITLES: Readonly<Record<Tier, () => string>> = {
  admin: () => l10n.t('The administrator of this machine'),
  user: () => l10n.t('Yours'),
  workspace: () => l10n.t('This folder'),
  extension: () => l10n.t('Extensions'),
  default: () => l10n.t('Shipped with Gantry'),
};

function happening(subject: string, decision: Decision): string {
  return {
    allow: l10n.t('{0} run without asking', subject),
    ask_user: l10n.t('{0} require approval', subject),
    deny: l10n.t('{0} are refused', subject),
  }[decision];
}

/** The calls, in the plural. */
function subjectText(rules: readonly PolicyRule[]): string {
  const tools = distinct(rules.map(toolText));
  const prefixes = distinct(rules.flatMap((rule) => commandText(rule, 'prefix')));
  const regexes = distinct(rules.flatMap((rule) => commandText(rule, 'regex')));
  if (prefixes.length > 0) return l10n.t('Commands that begin with {0}', anyOf(prefixes));
  if (regexes.length > 0) return l10n.t('Commands whose beginning matches {0}', anyOf(regexes));
  const calls = rules.every(({ toolName }) => isShellTool(toolName)) ? l10n.t('Commands') : callsOf(tools);
  const patterns = distinct(rules.flatMap(({ argsPattern }) => (argsPattern ? code(argsPattern.source) : [])));
  return patterns.length === 0 ? calls : l10n.t('{0} whose arguments match {1}', calls, anyOf(patterns));
}

function callsOf(tools: readonly string[]): string {
  return tools.includes(EVERY_TOOL) ? l10n.t('All calls') : l10n.t('Calls of {0}', allOf(tools));
}

const EVERY_TOOL = '*';

function toolText({ toolName, mcpName }: PolicyRule): string {
  if (toolName === EVERY_TOOL && mcpName === undefined) return EVERY_TOOL;
  if (toolName === 'mcp_*') return l10n.t('all tools of MCP servers');
  if (mcpName === undefined) return named(toolName);
  const prefix = qualifiedName(mcpName, '');
  const tool = toolName.startsWith(prefix) ? toolName.slice(prefix.length) : toolName;
  if (mcpName === '*') return l10n.t('{0} of every MCP server', named(tool));
  return tool === EVERY_TOOL
    ? l10n.t('all tools of the MCP server {0}', code(mcpName))
    : l10n.t('{0} of the MCP server {1}', named(tool), code(mcpName));
}

function named(tool: string): string {
  return tool.endsWith('*') ? l10n.t('tools like {0}', code(tool)) : code(tool);
}

function commandText({ argsPattern, decision, toolName }: PolicyRule, kind: 'prefix' | 'regex'): string[] {
  const found = argsPattern && isShellTool(toolName) ? commandsIn(argsPattern.source, decision) : undefined;
  if (found && 'prefix' in found) return kind === 'prefix' ? [code(found.prefix)] : [];
  return found && kind === 'regex' ? [code(found.regex)] : [];
}

function conditions({
  modes,
  interactive,
  subagent,
  toolAnnotations,
  allowRedirection,
}: PolicyRule): readonly string[] {
  const said = Object.entries(toolAnnotations ?? {}).map(([key, value]) => code(`${key} = ${JSON.stringify(value)}`));
  return [
    ...(allowRedirection ? [l10n.t('also with redirected output')] : []),
    ...(modes ? [modesText(modes)] : []),
    ...(interactive === undefined
      ? []
      : [interactive ? l10n.t('if somebody can be asked') : l10n.t('if nobody can be asked')]),
    ...(subagent === undefined ? [] : [l10n.t('if the agent {0} makes them', code(subagent))]),
    ...(said.length === 0 ? [] : [l10n.t('if the tool says {0} about itself', allOf(said))]),
  ];
}

function modesText(modes: readonly string[]): string {
  if (modes.length === 0) return l10n.t('in all modes');
  return modes.length === 1 ? l10n.t('in {0} mode', modes.join()) : l10n.t('in the modes {0}', allOf(modes));
}

/** More are not read. */
const MAX_LISTED = 8;
const MAX_CHARS = 120;

function listed(texts: readonly string[], type: 'conjunction' | 'disjunction'): string {
  const shown =
    texts.length <= MAX_LISTED ? texts : [...texts.slice(0, MAX_LISTED), l10n.t('{0} more', texts.length - MAX_LISTED)];
  return new Intl.ListFormat(textLocale(), { type }).format(shown);
}

const allOf = (texts: readonly string[]): string => listed(texts, 'conjunction');
const anyOf = (texts: readonly string[]): string => listed(texts, 'disjunction');

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function code(text: string): string {
  return inlineCode(text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}…`);
}
