import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { InOrder } from '../base/in-order.ts';
import { AcceptedHashes } from '../files/accepted.ts';
import { DiskView } from '../files/disk-view.ts';
import type { OpenTexts } from '../files/read-beginning.ts';
import { canonicalFolder } from '../files/real-path.ts';
import { readSettings, settingsFiles } from '../gemini-config/settings-files.ts';
import { StartedFiles } from '../policy/started-files.ts';
import type { ExtensionFolder, ExtensionsInUse } from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { expandVariables } from './expand-variables.ts';
import { NO_SERVERS, type ReadServers, readServerSetting, type ServerFile, serversIn } from './read-servers.ts';
import {
  isOwnServer,
  type McpProblem,
  type McpServerDefinition,
  type ServerReach,
  serverHash,
} from './server-definition.ts';
import { inToolNames } from './tool-names.ts';

export interface ServerCatalogPorts {
  readonly workspace: WorkspacePort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  /** Absolute. The file that records which project servers the user accepted. Without it, that isn't saved. */
  readonly acceptedFile: string | undefined;
  /** The user's setting with servers by name, not validated. */
  readonly setting?: () => unknown;
  /** Absolute. Additional files of the user in VS Code's format. */
  readonly userFiles?: () => readonly string[];
  readonly extensions?: ExtensionsInUse;
}

export interface ConfiguredServer extends McpServerDefinition {
  readonly hash: string;
  /** It comes from the folder or an extension, and the user hasn't approved it as it is. */
  readonly waits: boolean;
}

/** Provides the configured servers. */
export interface ServerSource {
  /** Without trust, there are no servers. */
  readonly isTrusted: boolean;
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly McpProblem[];
  /** The names of all configured servers, even where none is used. */
  names(): Promise<readonly string[]>;
  /** Reads changes. */
  refresh(view?: DiskView): Promise<void>;
  /** Records that the user approved these servers. */
  accept(hashes: readonly string[]): Promise<void>;
  /** The reason why an agent can't define its own server of this name. Undefined if it can. */
  whyNotNamed(name: string): string | undefined;
  /** Whether everything that a server starts is still as approved. */
  isAsApproved(server: ConfiguredServer): Promise<boolean>;
}

interface KnownFile {
  readonly stamp: string;
  readonly read: ReadServers;
}

export const SERVERS_SETTING = 'gantry.mcp.servers';

/** All configured servers. In Restricted Mode there are none, not even the user's own. */
export class ServerCatalog implements ServerSource {
  private readonly files = new Map<string, KnownFile>();
  private readonly accepted: AcceptedHashes;
  private readonly started = new StartedFiles();
  private merged: readonly ConfiguredServer[] = [];
  private found: readonly McpProblem[] = [];
  private defined: readonly string[] = [];
  private mayBeUsed = (_name: string): boolean => true;
  private settingText = '';
  private extensions: readonly ExtensionFolder[] = [];
  private readonly refreshing = new InOrder();

  constructor(private readonly ports: ServerCatalogPorts) {
    const [root = ''] = ports.workspace.roots();
    this.accepted = new AcceptedHashes(ports.acceptedFile, root === '' ? '' : canonicalFolder(root));
  }

  get isTrusted(): boolean {
    return this.ports.workspace.isTrusted();
  }

  get servers(): readonly ConfiguredServer[] {
    return this.isTrusted ? this.merged : [];
  }

  /** The names that any file defines, also those that no list allows. */
  get definedNames(): readonly string[] {
    return this.isTrusted ? this.defined : [];
  }

  /** The names of all configured servers, even in an untrusted folder, where none is used. */
  async names(): Promise<readonly string[]> {
    const files = await Promise.all(this.filesNow().map((file) => readFileServers(file)));
    const setting = readServerSetting(this.ports.setting?.() ?? {}, SETTING);
    return mergeServers([setting, ...files]).servers.map(({ name }) => name);
  }

  /** Problems of the files, and servers in them that require approval. */
  get problems(): readonly McpProblem[] {
    return this.ports.workspace.isTrusted() ? this.found : [];
  }

  /** Rules and the lists of files refer to servers by their names, so names must be unique. */
  whyNotNamed(name: string): string | undefined {
    const known = this.merged.find((server) => inToolNames(server.name) === inToolNames(name));
    if (known) return l10n.t('{0} has a server with the same name', `${known.origin.file}:${known.origin.line}`);
    return this.mayBeUsed(name) ? undefined : l10n.t('the settings do not allow this server');
  }

  /** Reads changes on disk. */
  refresh(view = new DiskView()): Promise<void> {
    return this.refreshing.run(() => this.read(view));
  }

  async accept(hashes: readonly string[]): Promise<void> {
    await this.accepted.accept(hashes);
    await this.arrange();
  }

  async isAsApproved(server: ConfiguredServer): Promise<boolean> {
    return isOwnServer(server.origin) || (await this.hashOf(server)) === server.hash;
  }

  private async read(view: DiskView): Promise<void> {
    if (!this.ports.workspace.isTrusted()) return;
    const before = this.extensions;
    this.extensions = (await this.ports.extensions?.(view)) ?? [];
    const changed = await Promise.all(this.filesNow().map((file) => this.readIfChanged(file, view)));
    const setting = JSON.stringify(this.ports.setting?.() ?? {});
    const isOther = setting !== this.settingText || foldersOf(before) !== foldersOf(this.extensions);
    this.settingText = setting;
    // A server may have been accepted in another window, and files that servers start may have changed.
    if (!isOther && !changed.some(Boolean) && this.merged.every(({ origin }) => isOwnServer(origin))) return;
    await this.accepted.load();
    await this.arrange();
  }

  private async readIfChanged(file: ServerFile, view: DiskView): Promise<boolean> {
    const stamp = await view.stamp(file.path);
    const known = this.files.get(file.path);
    if ((known?.stamp ?? '') === stamp) return false;
    const read = stamp === '' ? NO_SERVERS : await readFileServers(file, view.open);
    // A file that is invalid for the moment, because the user is editing it, doesn't stop running servers.
    const kept = read.unreadable && known ? { ...known.read, problems: read.problems } : read;
    this.files.set(file.path, { stamp, read: kept });
    return true;
  }

  private async arrange(): Promise<void> {
    const setting = readServerSetting(this.ports.setting?.() ?? {}, SETTING);
    const files = this.filesNow().map(({ path }) => this.files.get(path)?.read ?? NO_SERVERS);
    const read = [setting, ...files];
    const { servers, mayBeUsed, problems } = mergeServers(read);
    this.mayBeUsed = mayBeUsed;
    this.defined = read.flatMap((file) => [...file.servers.map(({ name }) => name), ...(file.disabled ?? [])]);
    const hashes = await Promise.all(servers.map((server) => this.hashOf(server)));
    this.merged = servers.map((server, at) => {
      const hash = hashes[at] ?? '';
      return { ...server, hash, waits: !isOwnServer(server.origin) && !this.accepted.has(hash) };
    });
    this.found = [
      ...read.flatMap((file) => file.problems),
      ...problems,
      ...this.merged.filter(({ waits }) => waits).map(waitingProblem),
    ];
  }

  private async hashOf(server: McpServerDefinition): Promise<string> {
    const { reach, origin } = server;
    if (isOwnServer(origin) || reach.kind !== 'stdio') return serverHash(server);
    const { workspace, environment, home } = this.ports;
    const root = origin.root ?? workspace.roots()[0];
    const expand = (text: string): string => expandVariables(text, { environment, home, root });
    const folder = resolve(root ?? home, expand(reach.cwd ?? ''));
    const own = this.extensions.flatMap(({ name, folder: one }) => (name === origin.extension ? one : []));
    const texts = [reach.command, ...reach.args, ...Object.values(reach.env)].map(expand);
    const within = [...(root === undefined ? [] : [root]), ...own];
    return serverHash(server, await this.started.contents({ texts, folder, within }));
  }

  /** The user's files come first: see `mergeServers`. */
  private filesNow(): ServerFile[] {
    const { environment, home, workspace, platform = process.platform, userFiles } = this.ports;
    const roots = workspace.roots();
    const [own, ...projects] = [undefined, ...roots].map((root) =>
      settingsFiles({ environment, home, root, platform }).map(({ path, source }): ServerFile => {
        return { path, scope: source, key: 'mcpServers', ...(source === 'project' && root !== undefined && { root }) };
      }),
    );
    return [
      ...(own ?? []).sort((left) => (left.scope === 'system' ? -1 : 1)),
      ...(userFiles?.() ?? []).map((path): ServerFile => ({ path, scope: 'user', key: 'servers' })),
      ...this.extensions.map((extension): ServerFile => {
        return { path: extension.manifest, scope: 'extension', key: 'mcpServers', extension };
      }),
      ...roots.map((root): ServerFile => {
        return { path: join(root, '.vscode', 'mcp.json'), scope: 'project', key: 'servers', root };
      }),
      ...projects.flat().filter(({ scope }) => scope === 'project'),
    ];
  }
}

function foldersOf(extensions: readonly ExtensionFolder[]): string {
  return JSON.stringify(extensions.map(({ name, folder }) => [name, folder]));
}

const SETTING: ServerFile = { path: SERVERS_SETTING, scope: 'user', key: 'mcpServers' };

async function readFileServers(file: ServerFile, open?: OpenTexts): Promise<ReadServers> {
  return serversIn(await readSettings(file.path, undefined, open), file);
}

function waitingProblem({ name, reach, origin }: McpServerDefinition): McpProblem {
  const { extension } = origin;
  const target = `${placeText(reach)}${givenText(reach)}`;
  const text =
    extension === undefined
      ? l10n.t('This project wants to use the MCP server "{0}", which requires approval: {1}', name, target)
      : l10n.t('The extension {0} has the MCP server "{1}", which requires approval: {2}', extension, name, target);
  return { file: origin.file, line: origin.line, server: name, text, waits: true };
}

function placeText(reach: ServerReach): string {
  return reach.kind === 'stdio' ? [reach.command, ...reach.args].join(' ') : reach.url;
}

/** The environment variables or headers of the server, because they may contain the user's credentials. */
function givenText(reach: ServerReach): string {
  const pairs = Object.entries(reach.kind === 'stdio' ? reach.env : reach.headers);
  if (pairs.length === 0) return '';
  return ` (${l10n.t('with {0}', pairs.map(([name, value]) => `${name}=${value}`).join(', '))})`;
}

interface MergedServers {
  readonly servers: readonly McpServerDefinition[];
  /** Whether the lists of the files allow a server, even if no file defines it. */
  readonly mayBeUsed: (name: string) => boolean;
  readonly problems: readonly McpProblem[];
}

/**
 * Keeps one server per name; the first file that has the name defines it. Rules name servers, so the user's files must
 * come before those of a project: a rule that allows something for the user's server must not apply to another server
 * of the same name.
 */
function mergeServers(files: readonly ReadServers[]): MergedServers {
  const byName = new Map<string, McpServerDefinition>();
  const problems: McpProblem[] = [];
  const excluded = new Set(files.flatMap((file) => file.excluded));
  const mayBeUsed = (name: string): boolean =>
    !excluded.has(name) && files.every(({ allowed }) => allowed?.includes(name) ?? true);
  for (const server of files.flatMap((file) => file.servers)) {
    const first = byName.get(server.name);
    if (!first) byName.set(server.name, server);
    else {
      problems.push(nameIsTaken(server, first));
      // As in Gemini CLI, a tool that either of them omits is omitted.
      if (server.origin.scope === 'extension') byName.set(server.name, narrowed(first, server));
    }
  }
  return { servers: [...byName.values()].filter(({ name }) => mayBeUsed(name)), mayBeUsed, problems };
}

function narrowed(
  first: McpServerDefinition,
  { includeTools, excludeTools }: McpServerDefinition,
): McpServerDefinition {
  const included =
    first.includeTools && includeTools
      ? first.includeTools.filter((tool) => includeTools.includes(tool))
      : (first.includeTools ?? includeTools);
  return {
    ...first,
    ...(included && { includeTools: included }),
    excludeTools: [...new Set([...first.excludeTools, ...excludeTools])],
  };
}

function nameIsTaken({ name, origin }: McpServerDefinition, first: McpServerDefinition): McpProblem {
  const place = `${first.origin.file}:${first.origin.line}`;
  const text = l10n.t('The server "{0}" is ignored: {1} has a server with the same name.', name, place);
  return { file: origin.file, line: origin.line, server: name, text, other: first.origin };
}
