import type { Acceptance } from '../../files/accepted.ts';
import type { PolicyRule, Tier } from '../policy-types.ts';
import { type PolicyFile, type PolicyPlaces, readPolicyFiles } from './policy-folders.ts';
import { type ReadRules, readRules } from './read-rules.ts';
import type { PolicyProblem, RuleSet } from './rule-set.ts';
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
  const loaded = files.map((file) => loadFile(file, acceptance));
  return {
    rules: loaded.flatMap(({ read }) => read.rules),
    checkers: loaded.flatMap(({ read }) => read.checkers),
    files: loaded.map(({ file }) => file),
    problems: [...acceptance.problems, ...problems, ...loaded.flatMap(({ read }) => read.problems)],
  };
}

function loadFile(
  { path, tier, text, extension }: PolicyFile,
  acceptance: Acceptance,
): { read: ReadRules; file: LoadedFile } {
  const found = (tier === 'default' && shippedRules(text, path)) || readRules(text, path, tier, extension);
  const usable = tier === 'workspace' || tier === 'extension' ? withoutUnknownCheckers(found, path) : found;
  const written = tier === 'extension' ? withinExtension(usable, path) : usable;
  const isTaken = tier !== 'workspace' || acceptance.isAccepted(path, text);
  const read = isTaken ? written : onlyTightening(written, path);
  const waiting = isTaken ? [] : written.rules.filter(isAllowing);
  const isWaiting = waiting.length > 0;
  const isDamaged = read.problems.some(({ severity }) => severity === 'error');
  return {
    read,
    file: {
      path,
      tier,
      ...(extension !== undefined && { extension }),
      text,
      waiting,
      state: isWaiting ? 'waiting' : isDamaged ? 'damaged' : 'in_force',
    },
  };
}

/**
 * An unknown checker refuses the calls that it should check. Only users and administrators may use one, because a
 * project could refuse every tool with it. The same file's allowing rules relied on that check, so they are ignored
 * too.
 */
function withoutUnknownCheckers(found: ReadRules, file: string): ReadRules {
  const unknown = found.checkers.filter(({ checker }) => checker.kind === 'unusable');
  if (unknown.length === 0) return found;
  const reason = 'The checker is ignored, and the rules of this file that allow something are not in force.';
  const lines = [...new Set(unknown.map(({ source: { line } }) => line ?? 1))];
  const isOfUnknown = ({ kind, line }: PolicyProblem): boolean => kind === 'not_supported' && lines.includes(line ?? 1);
  return {
    rules: found.rules.filter((rule) => !isAllowing(rule)),
    checkers: found.checkers.filter(({ checker }) => checker.kind !== 'unusable'),
    problems: found.problems.map((problem) =>
      isOfUnknown(problem) ? { ...problem, file, reason: `${problem.reason.split('. ')[0]}. ${reason}` } : problem,
    ),
  };
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

/**
 * As in Gemini CLI, an extension can't allow anything or have rules for yolo mode. In addition, its `ask` rules can't
 * override a refusal.
 */
function withinExtension(written: ReadRules, file: string): ReadRules {
  const isIgnored = (rule: Pick<PolicyRule, 'modes'> & Partial<Pick<PolicyRule, 'decision'>>): boolean =>
    rule.decision === 'allow' || rule.modes?.includes('yolo') === true;
  const ignored = [...written.rules, ...written.checkers].filter(isIgnored);
  const lines = [...new Set(ignored.map(({ source: { line } }) => line ?? 1))];
  return {
    rules: written.rules.filter((rule) => !isIgnored(rule)).map((rule) => ({ ...rule, onlyTightens: true })),
    checkers: written.checkers.filter((checker) => !isIgnored(checker)),
    problems: [...written.problems, ...lines.map((line) => notForExtensions(file, line))],
  };
}

function notForExtensions(file: string, line: number): PolicyProblem {
  const reason = 'An extension can neither allow something nor say what holds in yolo mode: this is not in force.';
  return { kind: 'not_supported', severity: 'warning', file, line, reason };
}

function isAllowing({ decision }: PolicyRule): boolean {
  return decision === 'allow';
}

function waits(rules: readonly PolicyRule[], file: string): PolicyProblem {
  const reason =
    rules.length === 1
      ? '1 rule that would allow more requires approval.'
      : `${rules.length} rules that would allow more require approval.`;
  const line = rules[0]?.source.line;
  return { kind: 'not_accepted', severity: 'warning', file, ...(line !== undefined && { line }), reason };
}
