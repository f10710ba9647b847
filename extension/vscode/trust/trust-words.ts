import type { PanelState } from '../../protocol/panel-messages.ts';
import type { FolderFinds } from '../../runtime/folder-finds.ts';

export type TrustNewsCard = NonNullable<PanelState['trustNews']>;

/** Names come with the folder; more of them would not be read. */
const MOST_NAMES = 5;

/** What became possible when a folder was trusted, and what of it still waits for a yes of its own. */
export function trustNews(finds: FolderFinds, isRunning: boolean): TrustNewsCard {
  const waitingPolicies = finds.policies.filter(({ waitingRules }) => waitingRules > 0);
  const hooks = finds.hooks.waiting;
  const inUse = [
    named(
      'policy file',
      finds.policies.map(({ name }) => name),
    ),
    finds.hooks.accepted > 0 ? `${count(finds.hooks.accepted, 'hook')} that you accepted before` : '',
  ].filter(Boolean);
  const waiting = [
    waitingPolicies.length > 0 ? `rules that allow more, in ${list(waitingPolicies.map(({ name }) => name))}` : '',
    named('hook', hooks),
  ].filter(Boolean);
  const unused = [
    named('MCP server', finds.mcpServers),
    named('agent', finds.agents),
    named('skill', finds.skills),
    named('command', finds.commands),
    list(finds.instructions),
  ].filter(Boolean);
  return {
    lines: [
      `Edits and commands work, and ask first.${isRunning ? ' The run that is on stays read-only to its end.' : ''}`,
      ...sentence('In use', inUse),
      ...sentence('Off until you say yes', waiting),
      ...sentence('Found, and not used by this version', unused),
    ],
    actions: [
      ...(hooks.length > 0 ? (['review-hooks'] as const) : []),
      ...(waitingPolicies.length > 0 ? (['open-policies'] as const) : []),
    ],
  };
}

function sentence(beginning: string, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`${beginning}: ${parts.join('; ')}.`];
}

/** Such as "2 agents (planner, reviewer)". */
function named(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${count(names.length, what)} (${list(names)})`;
}

function list(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
