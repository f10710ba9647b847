import * as l10n from '@vscode/l10n';
import { onceEach } from '../../base/once.ts';
import type { PolicyRule } from '../../policy/policy-types.ts';
import { isQualified, isShellTool, KNOWN_TOOLS } from '../../policy/rules/known-tools.ts';
import type { PolicyTable } from '../../policy/rules/parse-tables.ts';
import { similarTool } from '../../policy/rules/read-table.ts';
import { namesLike } from '../../text/nearest-names.ts';
import { configuredServers, listedAgents } from '../config-catalogs.ts';
import { serverOfTool } from '../names.ts';
import { Workspace } from '../workspace.ts';
import type { FoundProblem } from './found-problem.ts';

/** The names that rules of this workspace can use. */
export interface NamesInReach {
  readonly servers: ReadonlySet<string>;
  readonly agents: ReadonlySet<string>;
}

/** The servers and agents that files define now. The same object as before if the names are the same. */
export const namesInReach = Workspace.once(async (workspace): Promise<NamesInReach> => {
  const [servers, agents] = await Promise.all([configuredServers(workspace), listedAgents(workspace)]);
  // An agent can have servers of its own.
  const own = agents.flatMap(({ definition }) =>
    definition.kind === 'local' ? Object.keys(definition.mcpServers) : [],
  );
  const names = {
    servers: new Set([...servers.map(({ name }) => name), ...own]),
    agents: new Set(agents.map(({ definition }) => definition.name)),
  };
  const last = lastNames.get(workspace);
  // All rules are compared anew when the names change, and most changes of files change none.
  if (last && sameSets(last.servers, names.servers) && sameSets(last.agents, names.agents)) return last;
  lastNames.set(workspace, names);
  return names;
});

const lastNames = new WeakMap<Workspace, NamesInReach>();

function sameSets(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name));
}

/** A name in a rule that nothing here has. The rule is about no call, until something has the name. */
export interface UnknownName extends Pick<FoundProblem, 'kind' | 'severity' | 'reason' | 'instead'> {
  readonly path: readonly PropertyKey[];
}

type Named = Pick<PolicyRule, 'toolName' | 'mcpName' | 'subagent'>;

/** Whether everything is known that a rule names. */
export function isKnown({ toolName, mcpName, subagent }: Named, names: NamesInReach): boolean {
  return (
    (subagent === undefined || names.agents.has(subagent)) &&
    (mcpName === undefined ? isKnownTool(toolName, names) : mcpName === '*' || names.servers.has(mcpName))
  );
}

export function unknownNames({ kind, values }: PolicyTable, names: NamesInReach): readonly UnknownName[] {
  const { toolName, mcpName, subagent } = values;
  const server = typeof mcpName === 'string' && mcpName !== '*' ? mcpName : undefined;
  const tools = mcpName === undefined ? [toolName].flat() : [];
  return [
    ...(server === undefined || names.servers.has(server) ? [] : [unknown(['mcpName'], server, names)]),
    ...(kind === 'rule' && typeof subagent === 'string' && !names.agents.has(subagent)
      ? [unknown(['subagent'], subagent, names)]
      : []),
    ...tools.flatMap((name, at): UnknownName[] => {
      if (typeof name !== 'string' || name === '' || isKnownTool(name, names)) return [];
      return [unknown(Array.isArray(toolName) ? ['toolName', at] : ['toolName'], name, names)];
    }),
  ];
}

const toolsKnownTo = onceEach((_names: NamesInReach) => new Map<string, boolean>());

function isKnownTool(name: string, names: NamesInReach): boolean {
  const known = toolsKnownTo(names);
  const isOne = known.get(name) ?? findTool(name, names);
  known.set(name, isOne);
  return isOne;
}

/** Names that are almost those of tools are reported by the reader, also where no workspace is known. */
function findTool(name: string, { servers, agents }: NamesInReach): boolean {
  if (isQualified(name)) return name.startsWith('mcp_*') || serverOfTool(name, [...servers]) !== undefined;
  if (name.includes('__') || name.startsWith('discovered_tool_')) return true;
  const known = [...KNOWN_TOOLS, ...agents, ...FORMER_TOOLS];
  if (name.endsWith('*')) return known.some((one) => one.startsWith(name.slice(0, -1)));
  return known.includes(name) || isShellTool(name) || similarTool(name) !== undefined;
}

/** Still used in rules of Gemini CLI. */
const FORMER_TOOLS = ['search_file_content'];

function unknown(path: readonly PropertyKey[], name: string, { servers, agents }: NamesInReach): UnknownName {
  const [key] = path;
  const about = { kind: 'unknown_name', path, severity: 'information' } as const;
  if (key === 'toolName' && isQualified(name)) {
    return { ...about, reason: l10n.t('No MCP server here has a tool "{0}", so this is about no call.', name) };
  }
  const known = key === 'mcpName' ? servers : agents;
  const [meant] = key === 'toolName' ? [] : namesLike(name, known, 1);
  const reason =
    key === 'mcpName'
      ? l10n.t('There is no MCP server "{0}" here, so this is about no call.', name)
      : key === 'subagent'
        ? l10n.t('There is no agent "{0}" here, so this is about no call.', name)
        : l10n.t('There is no tool "{0}" here, so this is about no call.', name);
  if (meant === undefined) return { ...about, reason };
  return {
    ...about,
    severity: 'warning',
    reason: `${reason} ${l10n.t('Did you mean "{0}"?', meant)}`,
    instead: JSON.stringify(meant),
  };
}
