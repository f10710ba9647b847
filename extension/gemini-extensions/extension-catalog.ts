import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Emitter } from '../base/emitter.ts';
import { News } from '../base/news.ts';
import { DiskView } from '../files/disk-view.ts';
import { type FilesRead, FromFiles } from '../files/from-files.ts';
import { canonicalFolder } from '../files/real-path.ts';
import { geminiHome, settingsFiles } from '../gemini-config/settings-files.ts';
import type { PolicyRule } from '../policy/policy-types.ts';
import { SHELL_TOOL } from '../policy/rules/known-tools.ts';
import { patternsOf } from '../policy/rules/read-match.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { type BroughtAlong, broughtAlong } from './brought-along.ts';
import { type Enablement, EnablementFile } from './enablement.ts';
import { type ExtensionLimits, readLimits } from './extension-limits.ts';
import type { ExtensionProblem, GeminiExtension } from './gemini-extension.ts';
import { readExtension } from './read-extension.ts';

export interface ExtensionCatalogPorts {
  readonly workspace: WorkspacePort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly platform?: NodeJS.Platform;
}

/** An extension as listed for people. */
export interface ListedExtension extends GeminiExtension {
  /** Whether it is enabled for the open folder. */
  readonly isEnabled: boolean;
}

/** For all of the user's folders, or for the open folder. */
export type EnablementScope = 'user' | 'workspace';

/** More than anybody has. */
const MAX_EXTENSIONS = 200;

const NONE: readonly ListedExtension[] = [];

/**
 * The extensions that Gemini CLI installed for the user, shared by all sessions. A project has no extensions of its
 * own.
 */
export class ExtensionCatalog {
  private readonly folder: string;
  private readonly enablementFile: EnablementFile;
  private readonly fromFiles = new FromFiles<void>();
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;
  private readonly news = new News<ExtensionProblem>();
  private listed: readonly ListedExtension[] = [];
  private turnedOn: readonly ListedExtension[] = NONE;
  private denying: readonly PolicyRule[] = [];
  private found: readonly ExtensionProblem[] = [];
  private enablement: Enablement | undefined;
  private limits: ExtensionLimits | undefined;
  private before = '';

  constructor(private readonly ports: ExtensionCatalogPorts) {
    this.folder = join(this.userFolder, '.gemini', 'extensions');
    this.enablementFile = new EnablementFile(this.folder);
  }

  /** All permitted extensions by name, enabled or not. */
  extensions(): readonly ListedExtension[] {
    return this.listed;
  }

  /** The extensions that are enabled for the open folder. */
  enabled(): readonly ListedExtension[] {
    return this.turnedOn;
  }

  /**
   * The extensions whose content is used now. In Restricted Mode there are none; rules, which only restrict, apply from
   * all enabled extensions.
   */
  inUse(): readonly ListedExtension[] {
    return this.ports.workspace.isTrusted() ? this.enabled() : NONE;
  }

  /** Counts the content of a listed extension. */
  async broughtBy(name: string): Promise<BroughtAlong> {
    return broughtAlong(this.require(name));
  }

  get problems(): readonly ExtensionProblem[] {
    return this.found;
  }

  /** The problems that were not reported before. */
  takeNews(): readonly ExtensionProblem[] {
    return this.news.take(this.found);
  }

  /** Rules that deny the tools which extensions exclude. */
  get rules(): readonly PolicyRule[] {
    return this.denying;
  }

  /** Reads the files again if one of them changed on disk. */
  refresh(view = new DiskView()): Promise<void> {
    const [root] = this.ports.workspace.roots();
    return this.fromFiles.current(view, [root], (files) => this.read(files));
  }

  /** Refreshes and returns the extensions in use, for code that loads their content. */
  async current(view?: DiskView): Promise<readonly ListedExtension[]> {
    await this.refresh(view);
    return this.inUse();
  }

  /**
   * Writes the file that Gemini CLI reads too. Throws if it cannot be written, or if there is no such extension or
   * folder.
   */
  async setEnabled(name: string, scope: EnablementScope, isOn: boolean): Promise<void> {
    this.require(name);
    const folder = scope === 'user' ? this.userFolder : this.root;
    if (folder === undefined) throw new Error(l10n.t('No folder is open.'));
    await this.enablementFile.set(name, canonicalFolder(folder), isOn);
    await this.refresh();
  }

  private require(name: string): ListedExtension {
    const extension = this.listed.find((each) => each.name === name);
    if (!extension) throw new Error(l10n.t('There is no extension "{0}".', name));
    return extension;
  }

  private get userFolder(): string {
    const { environment, home = homedir() } = this.ports;
    return geminiHome(environment, home);
  }

  private get root(): string | undefined {
    const [root] = this.ports.workspace.roots();
    return root === undefined ? undefined : canonicalFolder(root);
  }

  private async read(files: FilesRead): Promise<void> {
    const isThere = (await files.stamp(this.folder)) !== '';
    const names = isThere ? (await readdir(this.folder).catch(() => [])).sort().slice(0, MAX_EXTENSIONS) : [];
    await files.place(this.ports.workspace.roots()[0] ?? this.userFolder);
    const root = this.root;
    const [enablement, limits, read] = await Promise.all([
      this.readEnablement(files),
      this.readLimits(files),
      Promise.all(names.map((name) => readExtension(join(this.folder, name), root, files))),
    ]);
    const found = firstOfEachName(read.flatMap(({ extension }) => extension ?? []));
    const refused = found.extensions.map((extension) => limits.refuse(extension.install));
    const listed = found.extensions
      .filter((_, index) => refused[index] === undefined)
      .map((extension) => ({
        ...extension,
        isEnabled: enablement.isEnabled(extension.name, root ?? canonicalFolder(this.userFolder)),
      }));
    const problems = [
      ...read.flatMap(({ problems }) => problems),
      ...found.problems,
      ...found.extensions.flatMap((extension, index) => refusedProblem(extension, refused[index])),
      // Without extensions, problems in these files do not matter.
      ...(found.extensions.length === 0 ? [] : [...enablement.problems, ...limits.problems]),
    ];
    this.take(listed, problems);
  }

  private take(listed: readonly ListedExtension[], problems: readonly ExtensionProblem[]): void {
    const now = JSON.stringify([listed, problems]);
    if (now === this.before) return;
    this.before = now;
    this.listed = listed;
    this.turnedOn = listed.filter(({ isEnabled }) => isEnabled);
    this.denying = excludingRules(this.turnedOn);
    this.found = problems;
    this.changes.fire();
  }

  private async readEnablement(files: FilesRead): Promise<Enablement> {
    await files.stamp(this.enablementFile.path);
    const read = await this.enablementFile.read();
    // A file that is temporarily invalid must not disable extensions, because their rules would be lost too.
    const last = this.enablement;
    this.enablement = read.problems.length > 0 && last ? { ...last, problems: read.problems } : read;
    return this.enablement;
  }

  private async readLimits(files: FilesRead): Promise<ExtensionLimits> {
    const { environment, home = homedir(), platform = process.platform } = this.ports;
    const paths = settingsFiles({ environment, home, root: undefined, platform }).map(({ path }) => path);
    await Promise.all(paths.map((path) => files.stamp(path)));
    const read = await readLimits(paths, files.view.open);
    const last = this.limits;
    this.limits = read.problems.length > 0 && last ? { ...last, problems: read.problems } : read;
    return this.limits;
  }
}

interface Found {
  readonly extensions: readonly GeminiExtension[];
  readonly problems: readonly ExtensionProblem[];
}

/** Rules, approvals and enablement refer to extensions by name, so the first extension of each name wins. */
function firstOfEachName(all: readonly GeminiExtension[]): Found {
  const byName = new Map<string, GeminiExtension>();
  const problems: ExtensionProblem[] = [];
  for (const extension of all) {
    const key = extension.name.toLowerCase();
    const first = byName.get(key);
    if (first) problems.push(nameIsTaken(extension, first));
    else byName.set(key, extension);
  }
  const extensions = [...byName.entries()].sort(([left], [right]) => (left < right ? -1 : 1));
  return { extensions: extensions.map(([, extension]) => extension), problems };
}

function nameIsTaken({ name, manifest }: GeminiExtension, first: GeminiExtension): ExtensionProblem {
  const text = l10n.t('The extension "{0}" is ignored: {1} has an extension with the same name.', name, first.folder);
  return { file: manifest, line: 1, text };
}

function refusedProblem({ name, manifest }: GeminiExtension, why: string | undefined): ExtensionProblem[] {
  if (why === undefined) return [];
  return [{ file: manifest, line: 1, text: l10n.t('The extension "{0}" is ignored: {1}.', name, why) }];
}

/** Gemini CLI's priority for exclusions: a user's rule for the same tool can be stronger. */
const PRIORITY = 4.4;

/** Denies the tools that the extensions exclude, as long as the extensions are enabled. */
function excludingRules(extensions: readonly GeminiExtension[]): readonly PolicyRule[] {
  return extensions.flatMap((extension) =>
    extension.excludeTools.flatMap(({ tool, line }) => {
      const { name, manifest: file } = extension;
      const source = {
        tier: 'extension',
        label: `"excludeTools" of the extension ${name}`,
        line,
        file,
        extension: name,
      } as const;
      return rulesFor(tool).map((rule): PolicyRule => ({ ...rule, decision: 'deny', priority: PRIORITY, source }));
    }),
  );
}

/** `run_shell_command(rm -rf)` applies to commands with that prefix; parentheses after other tools are ignored. */
function rulesFor(written: string): Pick<PolicyRule, 'toolName' | 'argsPattern'>[] {
  const [, tool = '', prefix] = /^([^(]+)(?:\((.*)\))?$/s.exec(written.trim()) ?? [];
  const toolName = tool.trim() === 'ShellTool' ? SHELL_TOOL : tool.trim();
  if (toolName === '') return [];
  if (toolName !== SHELL_TOOL || !prefix) return [{ toolName }];
  const { patterns } = patternsOf({ toolName, commandPrefix: prefix }, 'deny');
  return patterns.map((argsPattern) => ({ toolName, ...(argsPattern && { argsPattern }) }));
}
