import * as l10n from '@vscode/l10n';
import type { Acceptance } from '../../files/accepted.ts';
import type { PolicyRule, Tier } from '../policy-types.ts';
import { type PolicyFile, type PolicyPlaces, readPolicyFiles } from './policy-folders.ts';
import { type ReadRules, readRules } from './read-rules.ts';
import { isForExtensions } from './read-table.ts';
import { type PolicyProblem, type RuleSet, writtenRuleCount } from './rule-set.ts';
import { shippedRules } from './shipped-rules.ts';

export interface LoadedFile {
  readonly path: string;
  readonly tier: Tier;
  /** The name of the extension that contains the file. */
  readonly extension?: string;
  /** Damaged: part of the file is not in force as intended. Waiting: part of it requires the user's approval. */
  readonly state: 'in_force' | 'waiting' | 'damaged';
  /** The text of the file when it was read. */
  readonly text: string;
  /** The rules that allow something after approval. */
  readonly waiting: readonly PolicyRule[];
}

export interface LoadedPolicies extends RuleSet {
  readonly files: readonly LoadedFile[];
  readonly problems: readonly PolicyProblem[];
}

/** Loads all policy files. Never rejects: an unreadable file is reported as a problem. */
export async function loadPolicies(places: PolicyPlaces, acceptance: Acceptance): Promise<LoadedPolicies> {
  const { files, problems } = await readPolicyFiles(places);
  const loaded = files.map((file) => loadPolicyFile(file, acceptance));
  return {
    rules: loaded.flatMap(({ read }) => read.rules),
    checkers: loaded.flatMap(({ read }) => read.checkers),
    files: loaded.map(({ file }) => file),
    problems: [...acceptance.problems, ...problems, ...loaded.flatMap(({ read }) => read.problems)],
  };
}

export interface LoadedPolicyFile {
  /** The rules as they are in force. */
  readonly read: ReadRules;
  readonly file: LoadedFile;
}

/** Reads the rules of a file as far as its tier and the user's approval allow. */
export function loadPolicyFile(
  file: PolicyFile,
  acceptance: Acceptance,
  read = ({ text, path, tier, extension }: PolicyFile): ReadRules => readRules(text, path, tier, extension),
): LoadedPolicyFile {
  const { path, tier, text, extension } = file;
  const found = (tier === 'default' && shippedRules(text, path)) || read(file);
  const { waiting, ...rules } = inForce(found, path, tier, isTaken({ tier, path, text }, acceptance));
  const isDamaged = rules.problems.some(({ severity }) => severity === 'error');
  return {
    read: rules,
    file: {
      path,
      tier,
      ...(extension !== undefined && { extension }),
      text,
      waiting,
      state: waiting.length > 0 ? 'waiting' : isDamaged ? 'damaged' : 'in_force',
    },
  };
}

/** Whether all that a file says is in force. Files of a workspace require approval. */
export function isTaken(
  { tier, path, text }: Pick<PolicyFile, 'tier' | 'path' | 'text'>,
  acceptance: Acceptance,
): boolean {
  return tier !== 'workspace' || acceptance.isAccepted(path, text);
}

/** What is in force of the rules of a file, by its tier. */
export function inForce(
  found: ReadRules,
  path: string,
  tier: Tier,
  isAccepted: boolean,
): ReadRules & Pick<LoadedFile, 'waiting'> {
  const usable = hasUnknownChecker(found, tier) ? withoutUnknownCheckers(found) : found;
  const written = tier === 'extension' ? withinExtension(usable) : usable;
  if (isAccepted) return { ...written, waiting: [] };
  return { ...onlyTightening(written, path), waiting: written.rules.filter(isAllowing) };
}

/**
 * An unknown checker refuses the calls that it should check. Only users and administrators may use one, because a
 * project could refuse every tool with it.
 */
export function hasUnknownChecker({ checkers }: Pick<ReadRules, 'checkers'>, tier: Tier): boolean {
  return (tier === 'workspace' || tier === 'extension') && checkers.some(({ checker }) => checker.kind === 'unusable');
}

/** The same file's allowing rules relied on that check, so they are ignored too. */
function withoutUnknownCheckers({ rules, checkers, problems }: ReadRules): ReadRules {
  const usable = checkers.filter(({ checker }) => checker.kind !== 'unusable');
  return { rules: rules.filter((rule) => !isAllowing(rule)), checkers: usable, problems };
}

/**
 * Restrictions of a workspace apply at once, permissions only after approval. Its `ask` rules only tighten, because
 * otherwise they could override a refusal.
 */
function onlyTightening(written: ReadRules, file: string): ReadRules {
  const waiting = written.rules.filter(isAllowing);
  const rest = written.rules.filter((rule) => !isAllowing(rule));
  const rules = rest.map((rule): PolicyRule => ({ ...rule, onlyTightens: true }));
  const problems = waiting.length === 0 ? written.problems : [...written.problems, waits(waiting, file)];
  return { ...written, rules, problems };
}

/** The rules of an extension can't override a refusal. */
function withinExtension(written: ReadRules): ReadRules {
  return {
    rules: written.rules.filter(isForExtensions).map((rule) => ({ ...rule, onlyTightens: true })),
    checkers: written.checkers.filter(isForExtensions),
    problems: written.problems,
  };
}

function isAllowing({ decision }: PolicyRule): boolean {
  return decision === 'allow';
}

function waits(rules: readonly PolicyRule[], file: string): PolicyProblem {
  const count = writtenRuleCount(rules);
  const reason =
    count === 1
      ? l10n.t('1 rule allows calls. It counts only after you approve the file.')
      : l10n.t('{0} rules allow calls. They count only after you approve the file.', count);
  const line = rules[0]?.source.line;
  return { kind: 'not_accepted', severity: 'warning', file, ...(line !== undefined && { line }), reason };
}
