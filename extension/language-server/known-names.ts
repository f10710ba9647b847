import { join } from 'node:path';
import { AgentCatalog, type ListedAgent } from '../agents/agent-catalog.ts';
import { DiskView } from '../files/disk-view.ts';
import { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import { type ConfiguredServer, ServerCatalog } from '../mcp/server-catalog.ts';
import type { ExtensionsInUse } from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { Workspace } from './workspace.ts';

function portOf({ options, isTrusted }: Workspace): WorkspacePort {
  return { roots: () => options.roots, isTrusted: () => isTrusted };
}

/** The readers of Gemini CLI's files find the user's home by this variable. */
function environmentOf({ options }: Workspace): Readonly<Record<string, string>> {
  return { GEMINI_CLI_HOME: options.home };
}

/** The extensions whose content is used. In Restricted Mode, there are none. */
export const extensionsInUse = Workspace.once((workspace): ExtensionsInUse => {
  const catalog = new ExtensionCatalog({ workspace: portOf(workspace), environment: environmentOf(workspace) });
  return async (view) => (workspace.isTrusted ? catalog.current(view) : []);
});

/** The MCP servers that files define. In Restricted Mode, there are none. */
export const configuredServers = Workspace.once(async (workspace): Promise<readonly ConfiguredServer[]> => {
  if (!workspace.isTrusted) return [];
  const { gantryHome, home } = workspace.options;
  const catalog = new ServerCatalog({
    workspace: portOf(workspace),
    environment: environmentOf(workspace),
    home,
    acceptedFile: join(gantryHome, 'accepted-mcp-servers.json'),
    extensions: extensionsInUse(workspace),
  });
  await catalog.refresh(new DiskView());
  return catalog.servers;
});

/** The agents that files define, and those that come with Gantry. In Restricted Mode, only the latter. */
export const listedAgents = Workspace.once(async (workspace): Promise<readonly ListedAgent[]> => {
  const { gantryHome, home } = workspace.options;
  const catalog = new AgentCatalog({
    workspace: portOf(workspace),
    home,
    acceptedFile: join(gantryHome, 'accepted-agents.json'),
    extensions: extensionsInUse(workspace),
  });
  if (workspace.isTrusted) await catalog.refresh(new DiskView());
  return catalog.listed();
});
