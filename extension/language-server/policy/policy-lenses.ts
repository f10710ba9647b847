import * as l10n from '@vscode/l10n';
import type { CodeLens, Command, Range } from 'vscode-languageserver-types';
import type { RuleLine, RuleUse } from '../../policy/audit/rule-uses.ts';
import type { Tier } from '../../policy/policy-types.ts';
import type { LoadedPolicyFile } from '../../policy/rules/load-policies.ts';
import { readRules } from '../../policy/rules/read-rules.ts';
import { ruleHash } from '../../policy/rules/rule-hash.ts';
import { timeAgo } from '../../protocol/words/numbers.ts';
import { inFile } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { auditKnowledge } from './audit-knowledge.ts';
import { type WrittenTable, writtenTables } from './policy-syntax.ts';
import { knownPolicies, type SavedPolicy } from './rules-in-order.ts';

/** Tries a call against the rules. Its arguments are the path of the policy file and the line of the rule. */
const TRY_RULE = 'gantry.tryRule';
/** Asks for approval of a policy file of this folder. Its argument is the path. */
const ACCEPT_POLICY_FILE = 'gantry.acceptPolicyFile';

/** Above each rule, how often it decided and a way to try it; above the file, a way to approve it. */
export async function policyLenses(
  file: ConfigDocument,
  tier: Tier,
  workspace: Workspace,
): Promise<readonly CodeLens[]> {
  if (writtenTables(file).length === 0) return [];
  const { loaded, saved } = await knownPolicies(workspace).file(file, tier);
  const approval = approvalOf(file, loaded, saved, workspace);
  const counts = await countsOf(file, loaded, saved, workspace);
  return [
    ...(approval ? [{ range: START, command: approval }] : []),
    ...writtenTables(file).flatMap((table) => {
      if (table.kind !== 'rule') return [];
      const range = file.rangeOf(inFile(table, table.header));
      const count = counts?.(table);
      return [
        ...(count === undefined ? [] : [lens(range, count, '')]),
        ...(canDo(TRY_RULE, workspace)
          ? [lens(range, l10n.t('Try a command…'), TRY_RULE, [file.path, table.line])]
          : []),
      ];
    }),
  ];
}

/** The way to approve a file, as long as the editor shows what the user would approve: the file on the disk. */
export function approvalOf(
  { path, text }: ConfigDocument,
  { file }: LoadedPolicyFile,
  saved: SavedPolicy | undefined,
  workspace: Workspace,
): Command | undefined {
  if (file.waiting.length === 0 || saved?.text !== text || !canDo(ACCEPT_POLICY_FILE, workspace)) return undefined;
  return { title: l10n.t('Approve this file…'), command: ACCEPT_POLICY_FILE, arguments: [path] };
}

function canDo(command: string, { options }: Workspace): boolean {
  return options.commands.includes(command);
}

const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function lens(range: Range, title: string, command: string, args?: Command['arguments']): CodeLens {
  return { range, command: { title, command, ...(args && { arguments: args }) } };
}

/** Undefined if the audit log says nothing about the last days. */
async function countsOf(
  file: ConfigDocument,
  { read, file: { waiting } }: LoadedPolicyFile,
  saved: SavedPolicy | undefined,
  workspace: Workspace,
): Promise<((table: WrittenTable) => string | undefined) | undefined> {
  const knowledge = auditKnowledge(workspace);
  knowledge.look();
  const now = Date.now();
  const { uses } = knowledge;
  const days = uses.daysUntil(now);
  if (days === undefined) return undefined;
  const places = saved && uses.namesLinesOf(file.path) ? placesOf(saved) : new Map<string, RuleLine>();
  const byLine = new Map<number, RuleUse>();
  const counted = new Set<string>();
  for (const rule of read.rules) {
    const { line = 1 } = rule.source;
    const hash = ruleHash(rule);
    // Of two rules that say the same, only the first one can decide.
    const use = counted.has(hash) ? NO_USE : uses.of(rule, file.path, now, places.get(hash));
    counted.add(hash);
    byLine.set(line, sum(byLine.get(line), use));
  }
  const unapproved = new Set(waiting.map(({ source }) => source.line));
  return ({ line }) => {
    const use = byLine.get(line);
    return use && !unapproved.has(line) ? countText(use, days, now) : undefined;
  };
}

const NO_USE: RuleUse = { count: 0, last: 0 };

function sum(one: RuleUse = NO_USE, other: RuleUse): RuleUse {
  return { count: one.count + other.count, last: Math.max(one.last, other.last) };
}

/** Where the rules are in the file on the disk, by their hashes. Entries of older versions name only lines. */
function placesOf({ text, path, tier, extension, writtenAt }: SavedPolicy): ReadonlyMap<string, RuleLine> {
  const { rules } = readRules(text, path, tier, extension);
  const places = new Map<string, RuleLine>();
  const taken = new Set<number>();
  for (const rule of rules) {
    const { line = 1 } = rule.source;
    // The line of an entry is about one rule only, whatever rules the table makes.
    if (!taken.has(line)) places.set(ruleHash(rule), { line, writtenAt });
    taken.add(line);
  }
  return places;
}

function countText({ count, last }: RuleUse, days: number, now: number): string {
  const ago = timeAgo(last, now);
  if (days === 1) {
    if (count === 0) return l10n.t('no matches in the last day');
    return count === 1
      ? l10n.t('matched once in the last day, {0}', ago)
      : l10n.t('matched {0} times in the last day, last {1}', count, ago);
  }
  if (count === 0) return l10n.t('no matches in {0} days', days);
  return count === 1
    ? l10n.t('matched once in {0} days, {1}', days, ago)
    : l10n.t('matched {0} times in {1} days, last {2}', count, days, ago);
}
