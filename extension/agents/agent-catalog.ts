import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../base/emitter.ts';
import { News } from '../base/news.ts';
import { AcceptedFiles } from '../files/accepted.ts';
import { DiskView } from '../files/disk-view.ts';
import { canonicalFolder, isInProject } from '../files/real-path.ts';
import type { PolicyRule } from '../policy/policy-types.ts';
import {
  type ExtensionFolder,
  type ExtensionsInUse,
  expandForExtension,
  isOfExtension,
} from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { type FileRange, firstLine } from '../text/text-range.ts';
import type { AgentDefinition, AgentProblem, AgentSource, LocalAgent } from './agent-definition.ts';
import { type AgentFile, findAgentFiles } from './agent-files.ts';
import type { AgentSettings } from './agent-settings.ts';
import { CODEBASE_INVESTIGATOR, GENERALIST } from './built-in-agents.ts';
import { readAgents } from './read-agent.ts';

export interface AgentCatalogPorts {
  readonly workspace: WorkspacePort;
  /** The absolute path of the folder that contains the user's `.gemini`. */
  readonly home: string;
  /** The absolute path of the file with the accepted agents of projects. If undefined, acceptance isn't stored. */
  readonly acceptedFile: string | undefined;
  readonly extensions?: ExtensionsInUse;
  /** The settings of Gemini CLI for agents. */
  readonly settings?: AgentSettings;
}

/** An agent in the list for users. */
export interface ListedAgent {
  readonly definition: AgentDefinition;
  readonly source: AgentSource;
  /** Undefined for built-in agents. */
  readonly file?: string;
  /** The name of the extension that provides it. */
  readonly extension?: string;
  /** Why the agent can't be used now; undefined if it can. */
  readonly unusable?: {
    readonly reason: 'waiting' | 'shadowed' | 'restricted' | 'off';
    readonly text: string;
    /** The file that causes this. */
    readonly file?: string;
  };
}

/** A definition file of a project or an extension that requires approval. */
export interface WaitingAgents extends AgentFile {
  readonly extension?: string;
  readonly names: readonly string[];
}

interface Read {
  readonly listed: readonly ListedAgent[];
  readonly waiting: readonly WaitingAgents[];
  readonly problems: readonly AgentProblem[];
}

/** The agents for the trust that the workspace has. */
interface InForce {
  readonly read: Read;
  readonly isTrusted: boolean;
  readonly listed: readonly ListedAgent[];
  readonly agents: readonly AgentDefinition[];
  readonly localAgents: readonly LocalAgent[];
}

function inForce(read: Read, isTrusted: boolean): InForce {
  const isOwn = ({ source }: ListedAgent): boolean => source === 'built-in' || source === 'user';
  const listed = isTrusted ? read.listed : read.listed.filter(isOwn).map(restricted);
  const agents = listed.flatMap(({ definition, unusable }) => (unusable ? [] : definition));
  return { read, isTrusted, listed, agents, localAgents: agents.filter((agent) => agent.kind === 'local') };
}

const SHIPPED: readonly ListedAgent[] = [CODEBASE_INVESTIGATOR, GENERALIST].map((definition) => ({
  definition,
  source: 'built-in',
}));

/**
 * All agents: built-in ones, those of the open folders, the user's own and those of extensions. If several have the
 * same name, the first in this order is used. Agents of a folder or an extension are used if the folder is trusted and
 * the user accepted their file as it is.
 */
export class AgentCatalog {
  private readonly accepted: AcceptedFiles;
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;
  private read: Read = { listed: SHIPPED, waiting: [], problems: [] };
  private readonly news = new News<AgentProblem>();
  private known = '';
  private inForce: InForce | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly ports: AgentCatalogPorts) {
    this.accepted = new AcceptedFiles(ports.acceptedFile, 'agent');
  }

  /** The agents that can be started now. */
  agents(): readonly AgentDefinition[] {
    return this.now.agents;
  }

  /** Those that Gantry runs itself. */
  localAgents(): readonly LocalAgent[] {
    return this.now.localAgents;
  }

  agent(name: string): AgentDefinition | undefined {
    return this.agents().find((agent) => agent.name === name);
  }

  /**
   * All agents, with the reason if one can't be used. Checks trust again, because it may have changed since the last
   * read.
   */
  listed(): readonly ListedAgent[] {
    return this.now.listed;
  }

  /** Kept until something changes, because each step asks for it several times. */
  private get now(): InForce {
    const isTrusted = this.ports.workspace.isTrusted();
    if (this.inForce?.read !== this.read || this.inForce.isTrusted !== isTrusted) {
      this.inForce = inForce(this.read, isTrusted);
    }
    return this.inForce;
  }

  /** Rules that ask before a task is handed to a remote agent: what is in it leaves this machine. */
  get rules(): readonly PolicyRule[] {
    return this.agents().flatMap(({ kind, name }) => (kind === 'remote' ? askFirst(name) : []));
  }

  /** Definitions of the open folders and of extensions that the user has not approved. */
  get waiting(): readonly WaitingAgents[] {
    return this.ports.workspace.isTrusted() ? this.read.waiting : [];
  }

  get problems(): readonly AgentProblem[] {
    return this.read.problems;
  }

  /** Problems and pending approvals that were not reported before. */
  takeNews(): readonly AgentProblem[] {
    const waiting = this.waiting.map((file) => ({ file: file.path, line: 1, text: newAgents(file), waits: true }));
    return this.news.take([...this.problems, ...waiting]);
  }

  /** Accepts a definition with the text that the user has reviewed. */
  async accept({ path, text }: AgentFile): Promise<void> {
    await this.accepted.accept(path, text);
    await this.reading;
    await this.refresh();
  }

  /** Reads the files again. Sessions share this: a call during a read gets the result of that read. */
  refresh(view = new DiskView()): Promise<void> {
    this.reading ??= this.readAll(view).finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readAll(view: DiskView): Promise<void> {
    const { workspace, home } = this.ports;
    const user = agentsIn(home);
    const { open } = view;
    const [acceptance, ofUser] = [await this.accepted.read(), await findAgentFiles(user, () => true, open)];
    const listed = new Listing();
    const problems: AgentProblem[] = acceptance.problems.map(({ file = '', reason }) => ({
      file,
      line: 1,
      text: reason,
    }));
    for (const root of this.projects(user)) {
      const { files, problems: wrong } = await findAgentFiles(agentsIn(root), (real) => isInProject(root, real), open);
      problems.push(...wrong);
      for (const file of files) listed.add(file, 'project', acceptance.isAccepted(file.path, file.text));
    }
    problems.push(...ofUser.problems);
    for (const file of ofUser.files) listed.add(file, 'user', true);
    for (const extension of (await this.ports.extensions?.(view)) ?? []) {
      const accepts = (real: string): boolean => isOfExtension(extension, real);
      const found = await findAgentFiles(join(extension.folder, 'agents'), accepts, open);
      problems.push(...found.problems);
      const isAccepted = (file: AgentFile): boolean => acceptance.isAccepted(file.path, file.text);
      for (const file of found.files) {
        listed.add(file, 'extension', isAccepted(file), { ...extension, root: workspace.roots()[0] });
      }
    }
    const agents = await this.asSet(listed.agents, view);
    problems.push(...(this.ports.settings?.problems ?? []));
    const known = JSON.stringify([agents, listed.waiting, problems, listed.problems, workspace.isTrusted()]);
    this.read = { listed: agents, waiting: listed.waiting, problems: [...problems, ...listed.problems] };
    if (known === this.known) return;
    this.known = known;
    this.changes.fire();
  }

  /** Applies the settings to the agents. */
  private async asSet(listed: readonly ListedAgent[], view: DiskView): Promise<readonly ListedAgent[]> {
    const { settings } = this.ports;
    if (!settings) return listed;
    await settings.refresh(view);
    return listed.map((agent) => {
      const { definition, offBy } = settings.adjusted(agent.definition);
      const unusable = agent.unusable ?? (offBy === undefined ? undefined : switchedOff(offBy));
      return { ...agent, definition, ...(unusable && { unusable }) };
    });
  }

  /** The open folders with agents. In the home folder, the agents are the user's and not those of a project. */
  private projects(user: string): string[] {
    const { workspace } = this.ports;
    if (!workspace.isTrusted()) return [];
    const roots = new Set(workspace.roots().map((root) => resolve(root)));
    return [...roots].filter((root) => canonicalFolder(agentsIn(root)) !== canonicalFolder(user));
  }
}

/** Collects agents from files, in order of precedence. */
class Listing {
  readonly agents: ListedAgent[] = [...SHIPPED];
  readonly waiting: WaitingAgents[] = [];
  readonly problems: AgentProblem[] = [];
  /** The places that define the names, or undefined for those that come with Gantry. */
  private readonly owners = new Map<string, FileRange | undefined>(
    SHIPPED.map(({ definition }) => [definition.name, undefined]),
  );

  add(file: AgentFile, source: AgentSource, isAccepted: boolean, from?: ExtensionPlace): void {
    const { agents, names, problems } = readAgents(file.text, file.path);
    const extension = from && { extension: from.name };
    this.problems.push(...problems);
    if (!isAccepted && agents.length > 0)
      this.waiting.push({ ...file, ...extension, names: agents.map(({ name }) => name) });
    for (const [at, agent] of agents.entries()) {
      const definition = from ? expanded(agent, from) : agent;
      const unusable = isAccepted
        ? this.take(definition, { file: file.path, range: names[at] ?? firstLine(file.text) })
        : waits(from?.name);
      this.agents.push({ definition, source, file: file.path, ...extension, ...(unusable && { unusable }) });
    }
  }

  private take({ name }: AgentDefinition, place: FileRange): ListedAgent['unusable'] {
    if (!this.owners.has(name)) {
      this.owners.set(name, place);
      return undefined;
    }
    const owner = this.owners.get(name);
    const text = owner
      ? l10n.t('"{0}" is already defined in {1}. That definition is used.', name, owner.file)
      : ownName(name);
    const { file, range } = place;
    this.problems.push({ file, line: range.line, range, key: 'name', text, ...(owner && { other: owner }) });
    return { reason: 'shadowed', text };
  }
}

function agentsIn(folder: string): string {
  return join(folder, '.gemini', 'agents');
}

interface ExtensionPlace extends ExtensionFolder {
  /** The open folder. */
  readonly root: string | undefined;
}

/** Adds the extension's name, and replaces variables in the texts. */
function expanded(agent: AgentDefinition, from: ExtensionPlace): AgentDefinition {
  const expand = (text: string): string => expandForExtension(text, from, from.root);
  const about = { description: expand(agent.description), extension: from.name };
  if (agent.kind === 'remote' || agent.prompt === 'main') return { ...agent, ...about };
  return { ...agent, ...about, prompt: { text: expand(agent.prompt.text) } };
}

/** Above the shipped rule that lets all agents start, and below everything that people write. */
const PRIORITY = 1.06;

function askFirst(name: string): PolicyRule {
  return {
    toolName: name,
    decision: 'ask_user',
    priority: PRIORITY,
    modes: ['default', 'autoEdit'],
    source: { tier: 'default', label: `"kind: remote" of the agent "${name}"` },
  };
}

function restricted(agent: ListedAgent): ListedAgent {
  if (agent.definition.kind !== 'remote' || agent.unusable) return agent;
  return { ...agent, unusable: { reason: 'restricted', text: notTrusted() } };
}

function waits(extension: string | undefined): NonNullable<ListedAgent['unusable']> {
  const text =
    extension === undefined
      ? l10n.t('It comes with this folder and requires approval.')
      : l10n.t('It comes with the extension {0} and requires approval.', extension);
  return { reason: 'waiting', text };
}

function switchedOff(file: string): NonNullable<ListedAgent['unusable']> {
  return { reason: 'off', text: l10n.t('It is turned off in {0}.', file), file };
}

function newAgents({ names, extension }: WaitingAgents): string {
  const listed = names.join(', ');
  return extension === undefined
    ? l10n.t('This project has an agent that requires approval: {0}.', listed)
    : l10n.t('The extension {0} has an agent that requires approval: {1}.', extension, listed);
}
const ownName = (name: string): string => l10n.t('"{0}" is the name of an agent that comes with Gantry.', name);
const notTrusted = (): string => l10n.t('Remote agents are not available in Restricted Mode.');
