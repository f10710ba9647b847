import { join } from 'node:path';
import { AgentCatalog, type ListedAgent } from '../agents/agent-catalog.ts';
import { AgentSettings } from '../agents/agent-settings.ts';
import { onceEach } from '../base/once.ts';
import { CommandLibrary } from '../commands/command-library.ts';
import type { LoadedMemory } from '../context/memory/loaded-memory.ts';
import { MemoryFiles } from '../context/memory/memory-files.ts';
import { SessionMemory } from '../context/memory/session-memory.ts';
import { DiskView } from '../files/disk-view.ts';
import { FilesRead } from '../files/from-files.ts';
import { foldersWith } from '../files/regular-file.ts';
import type { GeminiSettings } from '../gemini-config/gemini-settings.ts';
import { SettingsReader } from '../gemini-config/settings-reader.ts';
import { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import type { ExtensionProblem } from '../gemini-extensions/gemini-extension.ts';
import { HookCatalog } from '../hooks/hook-catalog.ts';
import type { WaitingHook } from '../hooks/hooks-in-force.ts';
import { type ConfiguredServer, ServerCatalog } from '../mcp/server-catalog.ts';
import type { McpProblem } from '../mcp/server-definition.ts';
import { readGenerationConfig } from '../model/catalog/generation-settings.ts';
import type { ExtensionFolder, ExtensionsInUse } from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { SkillLibrary } from '../skills/skill-library.ts';
import { Workspace } from './workspace.ts';

/** What the files of a workspace define together, as the runtime reads them. */
export interface DefinedTogether {
  readonly servers: readonly ConfiguredServer[];
  /** The names of all servers, also of those that no list allows. */
  readonly serverNames: readonly string[];
  readonly serverProblems: readonly McpProblem[];
  readonly waitingHooks: readonly WaitingHook[];
  readonly agents: readonly ListedAgent[];
  readonly settings: GeminiSettings;
  readonly extensionProblems: readonly ExtensionProblem[];
}

/** The catalogs of the runtime. They read only the files that have changed. */
class ConfigCatalogs {
  private readonly port: WorkspacePort;
  readonly extensions: ExtensionCatalog;
  readonly agents: AgentCatalog;
  private readonly skills: SkillLibrary;
  private readonly commands: CommandLibrary;
  private readonly memory: MemoryFiles;
  private readonly servers: ServerCatalog;
  private readonly hooks: HookCatalog;
  private readonly settings: SettingsReader;

  constructor(private readonly of: Workspace) {
    const { home, gantryHome, roots, contextFileNames } = of.options;
    const workspace: WorkspacePort = { roots: () => roots, isTrusted: () => of.isTrusted };
    this.port = workspace;
    // The readers of Gemini CLI's files find the user's home by this variable.
    const environment = { ...process.env, GEMINI_CLI_HOME: home };
    const places = { workspace, environment, home };
    this.extensions = new ExtensionCatalog(places);
    const extensions: ExtensionsInUse = (view) => this.extensions.current(view);
    this.servers = new ServerCatalog({
      ...places,
      acceptedFile: join(gantryHome, 'accepted-mcp-servers.json'),
      extensions,
    });
    this.hooks = new HookCatalog({ ...places, trustFile: join(gantryHome, 'trusted-hooks.json'), extensions });
    this.settings = new SettingsReader(places);
    this.agents = new AgentCatalog({
      ...places,
      acceptedFile: join(gantryHome, 'accepted-agents.json'),
      extensions,
      settings: new AgentSettings({ ...places, readGeneration: readGenerationConfig }),
    });
    const ofGemini = { workspace, geminiHome: home, extensions };
    this.skills = new SkillLibrary({ ...ofGemini, acceptedFile: join(gantryHome, 'accepted-skills.json') });
    this.commands = new CommandLibrary(ofGemini);
    this.memory = new MemoryFiles({ home, geminiHome: home, fileNames: () => contextFileNames, extensions });
  }

  /** The disk as it is now, with open documents instead of their files. */
  private view(): DiskView {
    return new DiskView({ open: this.of.open });
  }

  async agentCatalog(): Promise<AgentCatalog> {
    await this.agents.refresh(this.view());
    return this.agents;
  }

  async skillLibrary(): Promise<SkillLibrary> {
    await this.skills.refresh(this.view());
    return this.skills;
  }

  async commandLibrary(): Promise<CommandLibrary> {
    await this.commands.refresh(this.view());
    return this.commands;
  }

  /** The instructions of a session whose tools have accessed this file. */
  async memoryWith(touched: string): Promise<readonly LoadedMemory[]> {
    const session = new SessionMemory(this.memory, () => this.port);
    session.touch(touched);
    return session.refresh(this.view());
  }

  /** The names of files with instructions. */
  async memoryNames(): Promise<readonly string[]> {
    return this.memory.names(this.port, new FilesRead(this.view()));
  }

  async current(): Promise<DefinedTogether> {
    const view = this.view();
    const { extensions, servers, hooks, agents, settings } = this;
    await Promise.all([servers.refresh(view), hooks.refresh(view), agents.refresh(view), settings.refresh(view)]);
    return {
      servers: servers.servers,
      serverNames: servers.definedNames,
      serverProblems: servers.problems,
      waitingHooks: hooks.waiting,
      agents: agents.listed(),
      settings: settings.settings,
      extensionProblems: extensions.problems,
    };
  }
}

const catalogsOf = onceEach((workspace: Workspace) => new ConfigCatalogs(workspace));

/** The catalogs of a trusted workspace. Undefined in Restricted Mode, where no file is read. */
export function configCatalogs(workspace: Workspace): ConfigCatalogs | undefined {
  return workspace.isTrusted ? catalogsOf(workspace) : undefined;
}

/** What all files define, with open documents as they are now. Undefined in Restricted Mode. */
export async function definedTogether(workspace: Workspace): Promise<DefinedTogether | undefined> {
  return configCatalogs(workspace)?.current();
}

// What follows is for other kinds of files, so it may be as old as the last change of a file.

/** The extensions whose content is used. In Restricted Mode, there are none. */
export const extensionsInUse = Workspace.once(async (workspace): Promise<readonly ExtensionFolder[]> => {
  const view = new DiskView({ open: workspace.open });
  return workspace.isTrusted ? catalogsOf(workspace).extensions.current(view) : [];
});

/**
 * The folders of extensions that are not in `.gemini`: those that are open, and those that their authors have linked. In
 * Restricted Mode, there are none.
 */
export const extensionPlaces = Workspace.once(async (workspace): Promise<readonly string[]> => {
  if (!workspace.isTrusted) return [];
  const used = (await extensionsInUse(workspace)).map(({ folder }) => folder);
  const linked = used.filter((folder) => !isInstalled(folder));
  return [...new Set([...linked, ...(await foldersWith('gemini-extension.json', workspace.options.roots))])];
});

/** Whether a file or folder is where extensions are installed, so that it belongs to others. */
export function isInstalled(path: string): boolean {
  return /[\\/]\.gemini[\\/]extensions[\\/]/.test(path);
}

/** The MCP servers that files define. In Restricted Mode, there are none. */
export const configuredServers = Workspace.once(async (workspace): Promise<readonly ConfiguredServer[]> => {
  return (await definedTogether(workspace))?.servers ?? [];
});

/** The agents that files define, and those that come with Gantry. In Restricted Mode, only the latter. */
export const listedAgents = Workspace.once(async (workspace): Promise<readonly ListedAgent[]> => {
  return (await definedTogether(workspace))?.agents ?? catalogsOf(workspace).agents.listed();
});
