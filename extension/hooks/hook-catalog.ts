import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { News } from '../base/news.ts';
import { AcceptedHashes } from '../files/accepted.ts';
import { DiskView } from '../files/disk-view.ts';
import type { OpenTexts } from '../files/read-beginning.ts';
import { canonicalFolder } from '../files/real-path.ts';
import { readSettings, settingsFiles } from '../gemini-config/settings-files.ts';
import { StartedFiles } from '../policy/started-files.ts';
import { type ExtensionsInUse, isOfExtension } from '../ports/extension-folder.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { inProjectFolder } from './hook-environment.ts';
import type { CommandHook, HookEvent, HookGroup, RuntimeHook } from './hook-types.ts';
import { type HooksInForce, hooksInForce, isOwnHook, type WaitingHook } from './hooks-in-force.ts';
import { type HookFile, type HookFileProblem, hooksIn, NO_HOOKS, type ReadHooks } from './read-hooks.ts';

export interface HookCatalogPorts {
  readonly workspace: WorkspacePort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  /** The absolute path of the file with the accepted hooks. If undefined, acceptance isn't stored. */
  readonly trustFile: string | undefined;
  readonly extensions?: ExtensionsInUse;
}

interface KnownFile {
  /** Changes whenever the file does; empty if there is no file. */
  readonly stamp: string;
  readonly read: ReadHooks;
}

/**
 * All hooks: those of settings files, of extensions and of Gantry's own code. In Restricted Mode only Gantry's own
 * hooks run, because every other hook is a process.
 */
export class HookCatalog {
  private readonly registered: HookGroup[] = [];
  private readonly files = new Map<string, KnownFile>();
  private readonly trusted: AcceptedHashes;
  private readonly news = new News<{ readonly key: string; readonly problem: HookFileProblem }>(({ key }) => key);
  private readonly started = new StartedFiles();
  /** The contents of the files that hooks start, at the last check. */
  private contents: ReadonlyMap<string, string> = new Map();
  private inForce: HooksInForce = { groups: [], waiting: [] };
  private reading: Promise<unknown> | undefined;
  private fromExtensions: readonly HookFile[] = [];

  constructor(private readonly ports: HookCatalogPorts) {
    const [root = ''] = ports.workspace.roots();
    this.trusted = new AcceptedHashes(ports.trustFile, root === '' ? '' : canonicalFolder(root));
  }

  get groups(): readonly HookGroup[] {
    if (!this.ports.workspace.isTrusted() || this.inForce.groups.length === 0) return this.registered;
    return [...this.registered, ...this.inForce.groups];
  }

  /** Hooks of the project and of extensions that require approval. */
  get waiting(): readonly WaitingHook[] {
    return this.ports.workspace.isTrusted() ? this.inForce.waiting : [];
  }

  /** Registers a hook of Gantry's own code. It stays when files change. */
  register(event: HookEvent, hook: Omit<RuntimeHook, 'type' | 'source'>, matcher?: string): void {
    const own: RuntimeHook = { ...hook, type: 'runtime', source: 'runtime' };
    this.registered.push({ event, ...(matcher !== undefined && { matcher }), sequential: false, hooks: [own] });
  }

  /** Reads files that changed on disk. Returns new problems for the user. */
  async refresh(view = new DiskView()): Promise<readonly HookFileProblem[]> {
    if (!this.ports.workspace.isTrusted()) return [];
    // Sessions share this: a call during a read gets the result of that read.
    if (this.reading) await this.reading;
    const reading = this.read(view);
    this.reading = reading.finally(() => {
      this.reading = undefined;
    });
    return reading;
  }

  /** Reads files that changed on disk, without reporting problems. */
  async look(): Promise<void> {
    if (!this.ports.workspace.isTrusted()) return;
    await this.reading;
    await this.readChanged(new DiskView());
  }

  /** Accepts hooks that the user has reviewed. */
  async accept(hashes: readonly string[]): Promise<void> {
    await this.trusted.accept(hashes);
    this.arrange();
  }

  /** Whether the files that a hook starts are unchanged since the accepted hooks were read. */
  async isAsApproved(hook: CommandHook): Promise<boolean> {
    return isOwnHook(hook) || (await this.contentsOf(hook)) === this.contents.get(keyOf(hook));
  }

  private async read(view: DiskView): Promise<readonly HookFileProblem[]> {
    await this.readChanged(view);
    return this.untold(this.filesNow());
  }

  private async readChanged(view: DiskView): Promise<void> {
    const before = JSON.stringify(this.fromExtensions);
    this.fromExtensions = await this.filesOfExtensions(view);
    const isOther = before !== JSON.stringify(this.fromExtensions);
    const changed = await Promise.all(this.filesNow().map((file) => this.readIfChanged(file, view)));
    const isStartedOther = await this.readContents();
    // A waiting hook may have been accepted in another window.
    if (isOther || isStartedOther || changed.some(Boolean) || this.inForce.waiting.length > 0) {
      await this.trusted.load();
      this.arrange();
    }
  }

  private async readContents(): Promise<boolean> {
    const hooks = this.filesNow()
      .flatMap(({ path }) => this.files.get(path)?.read.groups ?? [])
      .flatMap((group) => group.hooks)
      .filter((hook): hook is CommandHook => hook.type === 'command' && !isOwnHook(hook));
    const before = JSON.stringify([...this.contents]);
    this.contents = new Map(
      await Promise.all(hooks.map(async (hook) => [keyOf(hook), await this.contentsOf(hook)] as const)),
    );
    return before !== JSON.stringify([...this.contents]);
  }

  private async contentsOf({ command, env = {}, extension }: CommandHook): Promise<string> {
    const [root] = this.ports.workspace.roots();
    const folder = root ?? this.ports.home;
    const own = this.fromExtensions.flatMap(({ extension: one }) =>
      one?.name === extension ? (one?.folder ?? []) : [],
    );
    const texts = [command, ...Object.values(env)].map((text) => inProjectFolder(text, folder));
    return this.started.contents({ texts, folder, within: [...(root === undefined ? [] : [root]), ...own] });
  }

  private filesNow(): HookFile[] {
    const { environment, home, workspace, platform = process.platform } = this.ports;
    return [...settingsFiles({ environment, home, root: workspace.roots()[0], platform }), ...this.fromExtensions];
  }

  private async filesOfExtensions(view: DiskView): Promise<HookFile[]> {
    const { extensions, workspace } = this.ports;
    return ((await extensions?.(view)) ?? []).map((extension) => {
      const path = join(extension.folder, 'hooks', 'hooks.json');
      return { path, source: 'extension', extension: { ...extension, root: workspace.roots()[0] } };
    });
  }

  private async readIfChanged(file: HookFile, view: DiskView): Promise<boolean> {
    const stamp = await view.stamp(file.path);
    const known = this.files.get(file.path);
    if ((known?.stamp ?? '') === stamp) return false;
    const read = stamp === '' ? NO_HOOKS : await readFileHooks(file, view.open);
    // A temporarily invalid file must not remove the user's guards.
    const kept = read.unreadable && known ? { ...known.read, problems: read.problems } : read;
    this.files.set(file.path, { stamp, read: kept });
    return true;
  }

  private arrange(): void {
    const files = this.filesNow().map(({ path, source }) => ({ ...(this.files.get(path)?.read ?? NO_HOOKS), source }));
    this.inForce = hooksInForce(
      files,
      (hash) => this.trusted.has(hash),
      (hook) => this.contents.get(keyOf(hook)) ?? '',
    );
  }

  private untold(files: readonly HookFile[]): readonly HookFileProblem[] {
    const wrong = files.flatMap(({ path }) => this.files.get(path)?.read.problems ?? []);
    const found = [
      ...wrong.map((problem) => ({ key: `${problem.file}:${problem.line}:${problem.text}`, problem })),
      ...this.inForce.waiting.map((waiting) => ({ key: waiting.hash, problem: waitingHookProblem(waiting) })),
    ];
    return this.news.take(found).map(({ problem }) => problem);
  }
}

function keyOf({ file, command, env }: CommandHook): string {
  return JSON.stringify([file, command, env]);
}

async function readFileHooks(file: HookFile, open: OpenTexts | undefined): Promise<ReadHooks> {
  const { extension } = file;
  return hooksIn(await readSettings(file.path, (real) => !extension || isOfExtension(extension, real), open), file);
}

/** Says that a hook requires approval. */
export function waitingHookProblem({ event, hook: { command, file, line, extension } }: WaitingHook): HookFileProblem {
  const text =
    extension === undefined
      ? l10n.t('This project wants to run a command at {0}, which requires approval: {1}', event, command)
      : l10n.t(
          'The extension {0} wants to run a command at {1}, which requires approval: {2}',
          extension,
          event,
          command,
        );
  return { file, line, text, waits: true };
}
