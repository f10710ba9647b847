import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { onceEach } from '../../base/once.ts';
import { type Acceptance, AcceptedFiles } from '../../files/accepted.ts';
import type { PolicyRule, Tier } from '../../policy/policy-types.ts';
import { inForce, isTaken } from '../../policy/rules/load-policies.ts';
import { adminFolder, type PolicyFile, type PolicyPlaces, readPolicyFiles } from '../../policy/rules/policy-folders.ts';
import { PolicyReader } from '../../policy/rules/read-rules.ts';
import { shippedRules } from '../../policy/rules/shipped-rules.ts';
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
  readonly acceptance: Acceptance;
}

const NOTHING_ACCEPTED: Acceptance = { isAccepted: () => false, isKnown: () => false, problems: [] };

/** The policy files on the disk. In Restricted Mode, there are none. */
export const policiesOnDisk = Workspace.once(async (workspace): Promise<PoliciesOnDisk> => {
  if (!workspace.isTrusted) return { files: [], acceptance: NOTHING_ACCEPTED };
  const { gantryHome } = workspace.options;
  const accepted = new AcceptedFiles(join(gantryHome, 'accepted-policies.json'), 'policy file');
  const [acceptance, { files }] = await Promise.all([accepted.read(), readPolicyFiles(await placesOf(workspace))]);
  const saved = files.map(async (file) => ({ ...file, writtenAt: await writtenAt(file.path) }));
  return { files: await Promise.all(saved), acceptance };
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

/** What is in force of a file, and what waits for approval. */
export type RulesInForce = ReturnType<typeof inForce>;

interface ReadPolicy {
  /** What the rules depend on. */
  readonly of: readonly unknown[];
  readonly reader: PolicyReader;
  readonly rules: RulesInForce;
}

/** The rules of all policy files of a workspace, read as the runtime reads them. */
export class KnownPolicies {
  private readonly read = new Map<string, ReadPolicy>();
  private last: { readonly of: readonly RulesInForce[]; readonly tables: readonly RulesOfTable[] } | undefined;

  constructor(private readonly workspace: Workspace) {}

  /** The file as it is open, with its saved state if there is one. */
  async file(
    { path, text }: ConfigDocument,
    tier: Tier,
  ): Promise<{ readonly rules: RulesInForce; readonly saved: SavedPolicy | undefined }> {
    const { files, acceptance } = await policiesOnDisk(this.workspace);
    const saved = files.find((one) => one.path === path);
    return { rules: this.load({ path, tier, ...saved, text }, acceptance), saved };
  }

  /** All rules in the order in which they are asked, with the texts of open documents. */
  async inOrder({ path, text }: ConfigDocument, tier: Tier): Promise<readonly RulesOfTable[]> {
    const { isTrusted, open } = this.workspace;
    const { files, acceptance } = await policiesOnDisk(this.workspace);
    const others = files.filter((one) => one.path !== path);
    const asked = { path, tier, ...files.find((one) => one.path === path), text };
    const at = files.findIndex((one) => one.path === path);
    const all = at === -1 ? [...others, asked] : [...others.slice(0, at), asked, ...others.slice(at)];
    const loaded = all.map((one) => {
      const shown = one === asked || !isTrusted ? one.text : (open.textOf(one.path) ?? one.text);
      return this.load({ ...one, text: shown }, acceptance);
    });
    if (this.last?.of.length !== loaded.length || !loaded.every((one, index) => one === this.last?.of[index])) {
      this.last = { of: loaded, tables: tablesOf(loaded.flatMap(({ rules }) => rules)) };
    }
    return this.last.tables;
  }

  /** Only the parts of a file that have changed are read again. */
  private load({ path, text, tier, extension }: PolicyFile, acceptance: Acceptance): RulesInForce {
    const of = [text, tier, extension, acceptance];
    const known = this.read.get(path);
    if (known?.of.every((fact, at) => fact === of[at])) return known.rules;
    const reader =
      known?.of[1] === tier && known.of[2] === extension ? known.reader : new PolicyReader(path, tier, extension);
    const found = (tier === 'default' && shippedRules(text, path)) || reader.read(text);
    const rules = inForce(found, path, tier, isTaken({ tier, path, text }, acceptance));
    this.read.set(path, { of, reader, rules });
    return rules;
  }
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
