import { join, resolve } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { InOrder } from '../../base/in-order.ts';
import { AcceptedFiles } from '../../files/accepted.ts';
import { failureReason } from '../../files/file-failure.ts';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import { FolderWatch } from '../../files/watch-folders.ts';
import type { ExtensionFolder } from '../../ports/extension-folder.ts';
import type { PolicyRule, RuleDraft, RuleSource } from '../policy-types.ts';
import { inForce, isTaken, type LoadedFile, type LoadedPolicies, loadPolicies } from './load-policies.ts';
import { PolicyEngine } from './policy-engine.ts';
import { adminFolder, type PolicyPlaces, policiesIn, policiesOf, workspaceFolders } from './policy-folders.ts';
import { readRules } from './read-rules.ts';
import type { PolicyProblem } from './rule-set.ts';
import { saveRule, sessionRule } from './saved-rules.ts';
import type { ShellJudge } from './shell-judge.ts';

export interface PolicyStoreOptions {
  /** Absolute. The folder of the shipped assets; its rules are in `policies`. */
  readonly assets: string;
  /** Absolute. The folder that contains `.gemini`. */
  readonly home: string;
  /** Absolute. The file that records which policy files of workspaces were accepted. */
  readonly acceptedFile: string | undefined;
  readonly roots: () => readonly string[];
  readonly isTrusted: () => boolean;
  /** Additional files or folders, absolute. */
  readonly extraPaths: () => readonly string[];
  /** Enabled extensions, as last read. */
  readonly extensions?: () => readonly ExtensionFolder[];
  readonly judgeShell?: ShellJudge;
  /** The system's folder by default. */
  readonly admin?: string;
}

export type Remembered =
  /** The rule also applies for the rest of the session, because the saved rule's file may still require approval. */
  { readonly rule: PolicyRule; readonly file: string; readonly notice?: string } | { readonly problem: string };

/** The text of a policy file as it is in an editor. */
export interface UnsavedFile {
  /** Absolute. */
  readonly path: string;
  readonly tier: 'user' | 'workspace';
  readonly text: string;
}

interface State {
  readonly engine: PolicyEngine;
  readonly loaded: LoadedPolicies;
}

/** All policy rules. They are read on first use and again after a change. */
export class PolicyStore {
  private state: Promise<State> | undefined;
  private latest: State | undefined;
  /** The places when the state was read. */
  private readFrom: PolicyPlaces | undefined;
  private readonly saving = new InOrder();
  private watching: FolderWatch | undefined;
  private readonly accepted: AcceptedFiles;
  private readonly shipped: string;
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;

  constructor(private readonly options: PolicyStoreOptions) {
    this.accepted = new AcceptedFiles(options.acceptedFile, 'policy file');
    this.shipped = join(options.assets, 'policies');
  }

  async engine(): Promise<PolicyEngine> {
    return (await this.current()).engine;
  }

  /** The problems of the last read. Empty before the first use. */
  get problems(): readonly PolicyProblem[] {
    return this.latest?.loaded.problems ?? [];
  }

  /** The rules of all files, in any order. */
  async rules(): Promise<readonly PolicyRule[]> {
    return (await this.current()).loaded.rules;
  }

  /** All policy files, in any state. */
  async files(): Promise<readonly LoadedFile[]> {
    return (await this.current()).loaded.files;
  }

  /** Decides with a text of a file that isn't saved. What requires approval stays so. */
  async trial({ path, tier, text }: UnsavedFile): Promise<PolicyEngine> {
    const { loaded } = await this.current();
    const file = resolve(path);
    const isAccepted = isTaken({ tier, path: file, text }, await this.accepted.read());
    const { rules, checkers } = inForce(readRules(text, file, tier), file, tier, isAccepted);
    const others = <Item extends { readonly source: RuleSource }>(items: readonly Item[]): readonly Item[] =>
      items.filter(({ source }) => source.file !== file);
    const all = { rules: [...others(loaded.rules), ...rules], checkers: [...others(loaded.checkers), ...checkers] };
    return new PolicyEngine(all, this.options.judgeShell);
  }

  /** The same rules as in a folder that is not trusted. */
  asUntrusted(): PolicyStore {
    return new PolicyStore({ ...this.options, isTrusted: () => false });
  }

  /** The rules of one table of a file, whether they are in force or not. `text` replaces what is saved. */
  async rulesAt(path: string, line: number, text?: string): Promise<readonly PolicyRule[]> {
    const file = (await this.files()).find((one) => one.path === resolve(path));
    if (!file) return [];
    const { rules } = readRules(text ?? file.text, file.path, file.tier, file.extension);
    return rules.filter(({ source }) => source.line === line);
  }

  async reload(): Promise<void> {
    const before = this.latest;
    // Watches before reading, so that a change in between is noticed.
    await this.watching?.arm();
    await this.read();
    this.announce(before);
  }

  /** Keeps the rules up to date with their files until the store is disposed. */
  async watch(): Promise<void> {
    if (this.watching) return;
    this.watching = new FolderWatch(
      () => this.watchedPaths(),
      () => void this.reload(),
    );
    await this.watching.arm();
    // Changes since the first read were not noticed.
    if (this.state) await this.reload();
  }

  /** Saves an answer as a rule. */
  remember(draft: RuleDraft, scope: 'workspace' | 'user', root = this.options.roots()[0]): Promise<Remembered> {
    return this.saving.run(() => this.save(draft, scope, root));
  }

  /** Approves a workspace's policy file as last read. Returns false if the file is not one of the workspace's. */
  async accept(file: string): Promise<boolean> {
    const known = (await this.files()).find(({ path, tier }) => path === resolve(file) && tier === 'workspace');
    if (!known) return false;
    await this.accepted.accept(known.path, known.text);
    await this.reload();
    return true;
  }

  dispose(): void {
    this.watching?.dispose();
    this.changes.clear();
  }

  /** Trust, folders and settings may have changed since the last read without an event. */
  private async current(): Promise<State> {
    if (!this.state) return this.read();
    if (this.readFrom && isSamePlaces(this.readFrom, this.places())) return this.state;
    const before = this.latest;
    // Starts at once, so that only the first of several calls reads.
    const reading = this.read();
    await this.watching?.arm();
    const state = await reading;
    this.announce(before);
    return state;
  }

  private announce(before: State | undefined): void {
    if (before && !isSame(before.loaded, this.latest?.loaded)) this.changes.fire();
  }

  private async read(): Promise<State> {
    this.readFrom = this.places();
    const reading = this.load();
    this.state = reading;
    const state = await reading;
    // An earlier read may finish later.
    if (this.state === reading) this.latest = state;
    return state;
  }

  private async load(): Promise<State> {
    const loaded = await loadPolicies(this.places(), await this.accepted.read());
    return { loaded, engine: new PolicyEngine(loaded, this.options.judgeShell) };
  }

  private places(): PolicyPlaces {
    const { shipped } = this;
    const { home, roots, isTrusted, extraPaths, admin = adminFolder() } = this.options;
    const extensions = (this.options.extensions?.() ?? []).map(({ name, folder }) => ({ name, folder }));
    // Copies, because they are compared later, and a caller may change its own lists.
    return { shipped, home, roots: [...roots()], trusted: isTrusted(), extra: [...extraPaths()], admin, extensions };
  }

  private async watchedPaths(): Promise<readonly string[]> {
    const places = this.places();
    const brought = [...(places.extensions ?? []).map(policiesOf), ...(await workspaceFolders(places))];
    const own = [places.admin, policiesIn(places.home), ...places.extra, ...brought];
    // Another window may have accepted a file.
    const { acceptedFile } = this.options;
    return acceptedFile === undefined ? own : [...own, acceptedFile];
  }

  private async save(draft: RuleDraft, scope: 'workspace' | 'user', root: string | undefined): Promise<Remembered> {
    const outcome = sessionRule(draft);
    if ('problem' in outcome) return outcome;
    try {
      const folder = scope === 'user' ? policiesIn(this.options.home) : await this.workspaceFolder(root);
      const { isAccepted } = await this.accepted.read();
      const { file, text, before, notice } = await saveRule(folder, draft);
      // Saving an answer must not approve rules that were in the file before and still require approval.
      const isOurs = before === undefined || isAccepted(file, before);
      if (scope === 'workspace' && isOurs) await this.accepted.accept(file, text);
      await this.reload();
      const waits = scope === 'workspace' && !isOurs ? `${file} has other rules that require approval.` : undefined;
      const told = notice ?? waits;
      return { ...outcome, file, ...(told !== undefined && { notice: told }) };
    } catch (error) {
      return { problem: `The rule was not saved: ${failureReason(error)}.` };
    }
  }

  /** Follows links and stays inside the workspace: a repository must not choose where an answer is saved. */
  private async workspaceFolder(root: string | undefined): Promise<string> {
    if (root === undefined || !this.options.isTrusted()) throw new Error('there is no trusted workspace.');
    const folder = policiesIn(resolve(root));
    const [real, realRoot] = await Promise.all([resolveRealPath(folder), resolveRealPath(root)]);
    if (!contains(realRoot.path, real.path)) throw new Error(`${folder} leads out of the workspace.`);
    return folder;
  }
}

/** Compared for every call. The other places never change. */
function isSamePlaces(one: PolicyPlaces, other: PolicyPlaces): boolean {
  const extensionsOf = ({ extensions = [] }: PolicyPlaces): readonly string[] =>
    extensions.flatMap(({ name, folder }) => [name, folder]);
  return (
    one.trusted === other.trusted &&
    isSameList(one.roots, other.roots) &&
    isSameList(one.extra, other.extra) &&
    isSameList(extensionsOf(one), extensionsOf(other))
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

function isSame(one: LoadedPolicies, other: LoadedPolicies | undefined): boolean {
  return other !== undefined && fingerprint(one) === fingerprint(other);
}

function fingerprint({ files, problems }: LoadedPolicies): string {
  return JSON.stringify([files, problems]);
}
