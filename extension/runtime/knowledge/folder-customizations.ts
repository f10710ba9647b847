import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AgentCatalog } from '../../agents/agent-catalog.ts';
import type { HookCatalog } from '../../hooks/hook-catalog.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import type { PolicyStore } from '../../policy/rules/policy-store.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';

/** The customizations for agents in a folder. */
export interface FolderCustomizations {
  readonly policies: readonly { readonly name: string; readonly waitingRules: number }[];
  /** The hooks of the folder: the number of accepted ones, and descriptions of those that require approval. */
  readonly hooks: { readonly accepted: number; readonly waiting: readonly string[] };
  readonly mcpServers: { readonly accepted: readonly string[]; readonly waiting: readonly string[] };
  /** The agents of the folder: the number of accepted ones, and the names of those that require approval. */
  readonly agents: { readonly accepted: number; readonly waiting: readonly string[] };
  readonly skills: readonly string[];
  readonly commands: readonly string[];
  /** Files with instructions, such as GEMINI.md. */
  readonly instructions: readonly string[];
}

export const NO_CUSTOMIZATIONS: FolderCustomizations = {
  policies: [],
  hooks: { accepted: 0, waiting: [] },
  mcpServers: { accepted: [], waiting: [] },
  agents: { accepted: 0, waiting: [] },
  skills: [],
  commands: [],
  instructions: [],
};

interface Sources {
  readonly policies: PolicyStore;
  readonly hooks: HookCatalog;
  readonly agents: AgentCatalog;
  readonly mcp: Pick<McpServers, 'look' | 'statuses'>;
}

/** Finds the customizations of the open folders. Reads nothing if they are not trusted. */
export async function findCustomizations(
  workspace: WorkspacePort,
  { policies, hooks, agents, mcp }: Sources,
): Promise<FolderCustomizations> {
  if (!workspace.isTrusted()) return NO_CUSTOMIZATIONS;
  await Promise.all([hooks.look(), agents.refresh(), mcp.look()]);
  const files = (await policies.files()).filter(({ tier }) => tier === 'workspace');
  const found = await Promise.all(workspace.roots().map(findIn));
  return {
    policies: files.map(({ path, waiting }) => ({ name: basename(path), waitingRules: waiting.length })),
    hooks: {
      accepted: hooks.groups.flatMap((group) => group.hooks).filter(({ source }) => source === 'project').length,
      waiting: hooks.waiting
        .filter(({ hook: { source } }) => source === 'project')
        .map(({ event, hook }) => (hook.name ? l10n.t('{0} at {1}', hook.name, event) : l10n.t('one at {0}', event))),
    },
    mcpServers: { accepted: serversOf(mcp, false), waiting: serversOf(mcp, true) },
    agents: {
      accepted: agents.listed().filter(({ source, unusable }) => source === 'project' && !unusable).length,
      waiting: agents.waiting.flatMap(({ names }) => names),
    },
    skills: found.flatMap(({ skills }) => skills),
    commands: found.flatMap(({ commands }) => commands),
    instructions: found.flatMap(({ instructions }) => instructions),
  };
}

async function findIn(
  root: string,
): Promise<Omit<FolderCustomizations, 'policies' | 'hooks' | 'mcpServers' | 'agents'>> {
  const gemini = join(root, '.gemini');
  const [skills, commands, instructions] = await Promise.all([
    Promise.all([gemini, join(root, '.agents')].map((folder) => skillsIn(join(folder, 'skills')))),
    namesIn(join(gemini, 'commands'), '.toml'),
    presentOf(root, ['GEMINI.md', 'AGENTS.md']),
  ]);
  return { skills: skills.flat(), commands, instructions };
}

function serversOf({ statuses }: Pick<McpServers, 'statuses'>, waits: boolean): string[] {
  const ofProject = statuses.filter(({ definition }) => definition.origin.scope === 'project');
  return ofProject.filter(({ definition }) => definition.waits === waits).map(({ name }) => name);
}

/** More than a real project has, and still quick to read. */
const MAX_FOLDERS = 200;
const MAX_NAMES = 500;

/** Names in a folder and its subfolders. Does not follow links to folders, because they may form a cycle. */
async function namesIn(folder: string, ending: string): Promise<string[]> {
  const names: string[] = [];
  const folders = (await isRealFolder(folder)) ? [''] : [];
  for (let looked = 0; looked < folders.length && looked < MAX_FOLDERS; looked++) {
    const inside = folders[looked] ?? '';
    const items = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
    for (const item of items) {
      const name = join(inside, item.name);
      if (item.isDirectory()) folders.push(name);
      else if (name.endsWith(ending)) names.push(name.slice(0, -ending.length));
    }
  }
  return names.slice(0, MAX_NAMES);
}

async function isRealFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

async function skillsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.map((name) => presentOf(join(folder, name), ['SKILL.md'])));
  return names.filter((_, index) => found[index]?.length === 1);
}

async function presentOf(folder: string, names: readonly string[]): Promise<string[]> {
  const present = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (file) => file.isFile(),
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => present[index]);
}
