import { join } from 'node:path';
import { AgentCatalog } from '../agents/agent-catalog.ts';
import { AgentSettings } from '../agents/agent-settings.ts';
import { onceEach } from '../base/once.ts';
import { CommandLibrary } from '../commands/command-library.ts';
import type { LoadedMemory } from '../context/memory/loaded-memory.ts';
import { MemoryFiles } from '../context/memory/memory-files.ts';
import { SessionMemory } from '../context/memory/session-memory.ts';
import { DiskView } from '../files/disk-view.ts';
import { FilesRead } from '../files/from-files.ts';
import { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import { readGenerationConfig } from '../model/catalog/generation-settings.ts';
import type { ExtensionsInUse } from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { SkillLibrary } from '../skills/skill-library.ts';
import type { Workspace } from './workspace.ts';

/**
 * The agents, skills, commands and instructions of a trusted workspace, with the runtime's own catalogs. They read only
 * what has changed, and open documents as they are now.
 */
export class Customizations {
  private readonly port: WorkspacePort;
  private readonly extensionCatalog: ExtensionCatalog;
  private readonly agentCatalog: AgentCatalog;
  private readonly skillLibrary: SkillLibrary;
  private readonly commandLibrary: CommandLibrary;
  private readonly memoryFiles: MemoryFiles;

  constructor(private readonly workspace: Workspace) {
    const { home, gantryHome, roots, contextFileNames } = workspace.options;
    this.port = { roots: () => roots, isTrusted: () => true };
    // The readers of Gemini CLI's files find the user's home by this variable.
    const places = { workspace: this.port, environment: { ...process.env, GEMINI_CLI_HOME: home }, home };
    this.extensionCatalog = new ExtensionCatalog(places);
    const extensions: ExtensionsInUse = (view) => this.extensionCatalog.current(view);
    this.agentCatalog = new AgentCatalog({
      ...places,
      acceptedFile: join(gantryHome, 'accepted-agents.json'),
      extensions,
      settings: new AgentSettings({ ...places, readGeneration: readGenerationConfig }),
    });
    this.skillLibrary = new SkillLibrary({
      workspace: this.port,
      geminiHome: home,
      acceptedFile: join(gantryHome, 'accepted-skills.json'),
      extensions,
    });
    this.commandLibrary = new CommandLibrary({ workspace: this.port, geminiHome: home, extensions });
    this.memoryFiles = new MemoryFiles({ home, geminiHome: home, fileNames: () => contextFileNames, extensions });
  }

  async extensions(): ReturnType<ExtensionCatalog['current']> {
    return this.extensionCatalog.current(this.view());
  }

  private view(): DiskView {
    return new DiskView({ open: this.workspace.open });
  }

  async agents(): Promise<AgentCatalog> {
    await this.agentCatalog.refresh(this.view());
    return this.agentCatalog;
  }

  async skills(): Promise<SkillLibrary> {
    await this.skillLibrary.refresh(this.view());
    return this.skillLibrary;
  }

  async commands(): Promise<CommandLibrary> {
    await this.commandLibrary.refresh(this.view());
    return this.commandLibrary;
  }

  /** The instructions of a session whose tools have accessed this file. */
  async memoryWith(touched: string): Promise<readonly LoadedMemory[]> {
    const session = new SessionMemory(this.memoryFiles, () => this.port);
    session.touch(touched);
    return session.refresh(this.view());
  }

  /** The names of files with instructions. */
  async memoryNames(): Promise<readonly string[]> {
    return this.memoryFiles.names(this.port, new FilesRead(this.view()));
  }
}

const ofWorkspace = onceEach((workspace: Workspace) => new Customizations(workspace));

/** Undefined in Restricted Mode, where no file is read. */
export function customizations(workspace: Workspace): Customizations | undefined {
  return workspace.isTrusted ? ofWorkspace(workspace) : undefined;
}
