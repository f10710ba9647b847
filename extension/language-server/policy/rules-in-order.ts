import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { onceEach } from '../../base/once.ts';
import { type Acceptance, AcceptedFiles } from '../../files/accepted.ts';
import type { PolicyRule, Tier } from '../../policy/policy-types.ts';
import { type LoadedPolicyFile, loadPolicyFile } from '../../policy/rules/load-policies.ts';
import { adminFolder, type PolicyFile, type PolicyPlaces, readPolicyFiles } from '../../policy/rules/policy-folders.ts';
import { lengthProblem } from '../../policy/rules/read-policy-file.ts';
import { PolicyReader } from '../../policy/rules/read-rules.ts';
import type { PolicyProblem, RuleSet } from '../../policy/rules/rule-set.ts';
import { extensionsInUse } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import { Workspace } from '../workspace.ts';

/** The rules of one `[[rule]]`. */
export interface RulesOfTable {
  readonly rules: readonly PolicyRule[];
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly priority: number;
}

/** A policy file as it is saved. */
export interface SavedPolicy extends PolicyFile {
  readonly writtenAt: number;
}

interface PoliciesOnDisk {
  readonly files: readonly SavedPolicy[];
  /** Of files that can't be read. */
  readonly problems: readonly PolicyProblem[];
  readonly acceptance: Acceptance;
}

/** All policy files, in the order in which they are read. */
export interface AllPolicies extends Omit<PoliciesOnDisk, 'files'> {
  readonly files: readonly PolicyFile[];
  readonly asked: PolicyFile;
}

const NOTHING_ACCEPTED: Acceptance = { isAccepted: () => false, isKnown: () => false, problems: [] };

/** The policy files on the disk. In Restricted Mode, there are none. */
export const policiesOnDisk = Workspace.once(async (workspace): Promise<PoliciesOnDisk> => {
  if (!workspace.isTrusted) return { files: [], problems: [], acceptance: NOTHING_ACCEPTED };
  const { gantryHome } = workspace.options;
  const accepted = new AcceptedFiles(join(gantryHome, 'accepted-policies.json'), 'policy file');
  const [acceptance, { files, problems }] = await Promise.all([
    accepted.read(),
    readPolicyFiles(await placesOf(workspace), workspace.open),
  ]);
  const saved = files.map(async (file) => ({ ...file, writtenAt: await writtenAt(file.path) }));
  return { files: await Promise.all(saved), problems, acceptance };
});

async function placesOf(workspace: Workspace): Promise<PolicyPlaces> {
  const { home, roots, shippedPolicies, policyPaths } = workspace.options;
  return {
    shipped: shippedPolicies ?? '',
    home,
    roots,
    trusted: true,
    extra: policyPaths,
    admin: adminFolder(),
    extensions: await extensionsInUse(workspace),
  };
}

async function writtenAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
}

/** The rules of all policy files of a workspace, read as the runtime reads them. */
export class KnownPolicies {
  private readonly read = new Map<string, { readonly of: readonly unknown[]; readonly loaded: LoadedPolicyFile }>();
  private readonly readers = new Map<string, PolicyReader>();
  private last: { readonly of: readonly LoadedPolicyFile[]; readonly tables: readonly RulesOfTable[] } | undefined;

  constructor(private readonly workspace: Workspace) {}

  /** The file as it is open, with its saved state if there is one. */
  async file(
    { path, text }: ConfigDocument,
    tier: Tier,
  ): Promise<{ readonly loaded: LoadedPolicyFile; readonly saved: SavedPolicy | undefined }> {
    const { files, acceptance } = await policiesOnDisk(this.workspace);
    const saved = files.find((one) => one.path === path);
    return { loaded: this.load({ path, tier, ...saved, text }, acceptance), saved };
  }

  /** All files, with the texts of open documents. */
  async all({ path, text }: ConfigDocument, tier: Tier): Promise<AllPolicies> {
    const { files, ...rest } = await policiesOnDisk(this.workspace);
    const at = files.findIndex((one) => one.path === path);
    const asked: PolicyFile = { path, tier, ...files[at], text: withMark(text, files[at]) };
    const others = files.filter((one) => one.path !== path).map((one) => this.asOpen(one));
    return { ...rest, asked, files: at === -1 ? [...others, asked] : others.toSpliced(at, 0, asked) };
  }

  /** All rules in the order in which they are asked, with the texts of open documents. */
  async inOrder(file: ConfigDocument, tier: Tier): Promise<readonly RulesOfTable[]> {
    const { files, acceptance } = await this.all(file, tier);
    const loaded = files.map((one) => this.load(one, acceptance));
    if (this.last?.of.length !== loaded.length || !loaded.every((one, index) => one === this.last?.of[index])) {
      this.last = { of: loaded, tables: tablesOf(loaded.flatMap(({ read }) => read.rules)) };
    }
    return this.last.tables;
  }

  /** What is in force, with the texts of open documents. */
  async inForce(): Promise<RuleSet> {
    const { files, acceptance } = await policiesOnDisk(this.workspace);
    const read = files.map((one) => this.load(this.asOpen(one), acceptance).read);
    return { rules: read.flatMap(({ rules }) => rules), checkers: read.flatMap(({ checkers }) => checkers) };
  }

  /** A file is read again when its text has changed, and then only where it has changed. */
  load(file: PolicyFile, acceptance: Acceptance): LoadedPolicyFile {
    const of = [file.text, file.tier, file.extension, acceptance];
    const known = this.read.get(file.path);
    if (known?.of.every((fact, at) => fact === of[at])) return known.loaded;
    const loaded = loadPolicyFile(file, acceptance, (one) => {
      const tooLong = lengthProblem(one.path, one.text);
      return tooLong ? { rules: [], checkers: [], problems: [tooLong] } : this.readerOf(one).read(one.text);
    });
    this.read.set(file.path, { of, loaded });
    return loaded;
  }

  readerOf({ path, tier, extension }: PolicyFile): PolicyReader {
    const key = [path, tier, extension].join('\n');
    const reader = this.readers.get(key) ?? new PolicyReader(path, tier, extension);
    this.readers.set(key, reader);
    return reader;
  }

  private asOpen(file: SavedPolicy): PolicyFile {
    const text = this.workspace.open.textOf(file.path);
    return text === undefined ? file : { ...file, text: withMark(text, file) };
  }
}

/** Editors don't show the byte order mark, but the user approved the file with it. */
function withMark(text: string, saved: PolicyFile | undefined): string {
  return saved?.text === `\uFEFF${text}` ? saved.text : text;
}

export const knownPolicies = onceEach((workspace: Workspace) => new KnownPolicies(workspace));

function tablesOf(rules: readonly PolicyRule[]): readonly RulesOfTable[] {
  const tables = new Map<string, RulesOfTable & { readonly rules: PolicyRule[] }>();
  for (const rule of rules) {
    const { file: path = '', line = 1 } = rule.source;
    const key = `${path}:${line}`;
    const known = tables.get(key);
    if (known) known.rules.push(rule);
    else tables.set(key, { rules: [rule], path, line, priority: rule.priority });
  }
  // The sort is stable, as in the engine: of equal priorities, the rule that was read first is asked first.
  return [...tables.values()].sort((one, other) => other.priority - one.priority);
}
