import * as l10n from '@vscode/l10n';
import type { PanelState } from '../../protocol/panel/panel-messages.ts';
import type { FolderCustomizations } from '../../runtime/knowledge/folder-customizations.ts';

export type TrustNewsCard = NonNullable<PanelState['trustNews']>;

/** Folders choose these names, and users would not read a longer list. */
const MOST_NAMES = 5;

/** Describes what became available when a folder was trusted, and what still requires its own approval. */
export function trustNews(finds: FolderCustomizations, isRunning: boolean): TrustNewsCard {
  const waitingPolicies = finds.policies.filter(({ waitingRules }) => waitingRules > 0);
  const hooks = finds.hooks.waiting;
  const waitingAgents = finds.agents.waiting;
  const inUse = [
    policyFiles(finds.policies.map(({ name }) => name)),
    acceptedHooks(finds.hooks.accepted),
    mcpServers(finds.mcpServers.accepted),
    acceptedAgents(finds.agents.accepted),
    skills(finds.skills),
    commands(finds.commands),
    list(finds.instructions),
  ].filter(Boolean);
  const waiting = [
    waitingPolicies.length > 0
      ? l10n.t('rules that allow more, in {0}', list(waitingPolicies.map(({ name }) => name)))
      : '',
    hooksNamed(hooks),
    mcpServers(finds.mcpServers.waiting),
    agents(waitingAgents),
  ].filter(Boolean);
  return {
    lines: [
      isRunning
        ? l10n.t('Gantry can edit files and run commands, and asks first. The current run stays read-only.')
        : l10n.t('Gantry can edit files and run commands, and asks first.'),
      ...(inUse.length > 0 ? [l10n.t('In use: {0}.', inUse.join('; '))] : []),
      ...(waiting.length > 0 ? [l10n.t('Off until you approve them: {0}.', waiting.join('; '))] : []),
    ],
    actions: [
      ...(hooks.length > 0 ? (['review-hooks'] as const) : []),
      ...(finds.mcpServers.waiting.length > 0 ? (['review-mcp-servers'] as const) : []),
      ...(waitingAgents.length > 0 ? (['review-agents'] as const) : []),
      ...(waitingPolicies.length > 0 ? (['open-policies'] as const) : []),
    ],
  };
}

/** Formats a list such as "2 agents (planner, reviewer)". Empty if there are no names. */
function named(
  names: readonly string[],
  one: (list: string) => string,
  several: (count: number, list: string) => string,
): string {
  if (names.length === 0) return '';
  return names.length === 1 ? one(list(names)) : several(names.length, list(names));
}

function policyFiles(names: readonly string[]): string {
  return named(
    names,
    (all) => l10n.t('1 policy file ({0})', all),
    (count, all) => l10n.t('{0} policy files ({1})', count, all),
  );
}

function acceptedHooks(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 hook that you approved earlier')
    : l10n.t('{0} hooks that you approved earlier', count);
}

function acceptedAgents(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? l10n.t('1 agent that you approved earlier')
    : l10n.t('{0} agents that you approved earlier', count);
}

function hooksNamed(names: readonly string[]): string {
  return named(
    names,
    (all) => l10n.t('1 hook ({0})', all),
    (count, all) => l10n.t('{0} hooks ({1})', count, all),
  );
}

function mcpServers(names: readonly string[]): string {
  return named(
    names,
    (all) => l10n.t('1 MCP server ({0})', all),
    (count, all) => l10n.t('{0} MCP servers ({1})', count, all),
  );
}

function agents(names: readonly string[]): string {
  return named(
    names,
    (all) => l10n.t('1 agent ({0})', all),
    (count, all) => l10n.t('{0} agents ({1})', count, all),
  );
}

function skills(names: readonly string[]): string {
  return named(
    names,
    (all) => l10n.t('1 skill, which requires approval when it is used ({0})', all),
    (count, all) => l10n.t('{0} skills, which require approval when they are used ({1})', count, all),
  );
}

function commands(names: readonly string[]): string {
  return named(
    names,
    (all) => l10n.t('1 command ({0})', all),
    (count, all) => l10n.t('{0} commands ({1})', count, all),
  );
}

function list(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...(rest > 0 ? [l10n.t('{0} more', rest)] : [])].join(', ');
}
