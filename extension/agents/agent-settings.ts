import { DiskView } from '../files/disk-view.ts';
import { isInProject } from '../files/real-path.ts';
import { readSettings, type SettingsFile, settingsFiles } from '../gemini-config/settings-files.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import type { AgentDefinition, AgentProblem, LocalAgent } from './agent-definition.ts';
import {
  type AgentOverride,
  NO_OVERRIDES,
  type ReadGeneration,
  type ReadOverrides,
  readOverrides,
} from './read-overrides.ts';

export interface AgentSettingsPorts {
  readonly workspace: WorkspacePort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The absolute path of the user's home folder. */
  readonly home: string;
  readonly readGeneration: ReadGeneration;
  readonly platform?: NodeJS.Platform;
}

interface FileOfSettings extends SettingsFile {
  /** The folder that contains the file, if it is a project's. */
  readonly root?: string;
}

/** An agent with the settings applied. */
export interface AdjustedAgent {
  readonly definition: AgentDefinition;
  /** The file that turns the agent off. */
  readonly offBy?: string;
}

/**
 * Settings for agents in the files of Gemini CLI: the user's, those of trusted folders, and the system's, which have
 * the highest precedence.
 */
export class AgentSettings {
  private readonly known = new Map<string, { readonly stamp: string; readonly read: Promise<ReadOverrides> }>();
  private inForce: readonly (ReadOverrides & FileOfSettings)[] = [];

  constructor(private readonly ports: AgentSettingsPorts) {}

  get problems(): readonly AgentProblem[] {
    return this.inForce.flatMap(({ problems }) => problems);
  }

  /** Reads files again that changed on disk. */
  async refresh(view = new DiskView()): Promise<void> {
    this.inForce = await Promise.all(this.files().map(async (file) => ({ ...(await this.read(file, view)), ...file })));
  }

  adjusted(definition: AgentDefinition): AdjustedAgent {
    const said = this.inForce.flatMap(({ overrides, path, source }) => {
      const override = overrides.get(definition.name);
      return override ? { ...override, path, source } : [];
    });
    // Any file can turn an agent off, and no other file can turn it on again.
    const offBy = said.find(({ enabled }) => enabled === false)?.path;
    const adjusted = definition.kind === 'local' ? said.reduce(withOverride, definition) : definition;
    return { definition: adjusted, ...(offBy !== undefined && { offBy }) };
  }

  /** Later files take precedence. Of several folders, the first one does. */
  private files(): FileOfSettings[] {
    const { workspace, environment, home, platform = process.platform } = this.ports;
    const places = (root: string | undefined): SettingsFile[] => settingsFiles({ environment, home, root, platform });
    const ofFolders = (workspace.isTrusted() ? workspace.roots() : []).flatMap((root) =>
      places(root).flatMap((file) => (file.source === 'project' ? { ...file, root } : [])),
    );
    const [own, system] = (['user', 'system'] as const).map((of) =>
      places(undefined).filter(({ source }) => source === of),
    );
    return [...(own ?? []), ...ofFolders.reverse(), ...(system ?? [])];
  }

  private async read({ path, root }: FileOfSettings, view: DiskView): Promise<ReadOverrides> {
    const stamp = await view.stamp(path);
    if (stamp === '') return NO_OVERRIDES;
    const known = this.known.get(path);
    if (known?.stamp === stamp) return known.read;
    const accepts = (real: string): boolean | Promise<boolean> => root === undefined || isInProject(root, real);
    const read = readSettings(path, accepts, view.open).then((content) =>
      content && 'text' in content ? readOverrides(content.text, path, this.ports.readGeneration) : NO_OVERRIDES,
    );
    this.known.set(path, { stamp, read });
    return read;
  }
}

/** A folder can only restrict an agent and choose its model; the user and the system can change everything. */
function withOverride(agent: LocalAgent, override: AgentOverride & Pick<SettingsFile, 'source'>): LocalAgent {
  const {
    model = agent.model,
    generation,
    maxTurns = agent.maxTurns,
    timeoutMins = agent.timeoutMins,
    tools,
  } = override;
  const changed = { ...agent, model, ...(generation && { generation: merged(agent.generation, generation) }) };
  if (override.source !== 'project') return { ...changed, maxTurns, timeoutMins, ...(tools && { tools }) };
  return {
    ...changed,
    maxTurns: Math.min(agent.maxTurns, maxTurns),
    timeoutMins: Math.min(agent.timeoutMins, timeoutMins),
    ...(tools && { within: [...(agent.within ?? []), tools] }),
  };
}

type Generation = NonNullable<LocalAgent['generation']>;

function merged(base: Generation = {}, above: Generation): Generation {
  const thinkingConfig = { ...base.thinkingConfig, ...above.thinkingConfig };
  return { ...base, ...above, ...(Object.keys(thinkingConfig).length > 0 && { thinkingConfig }) };
}
