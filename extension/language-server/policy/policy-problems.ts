import * as l10n from '@vscode/l10n';
import type { CodeAction, Diagnostic, Range } from 'vscode-languageserver-types';
import { CodeActionKind } from 'vscode-languageserver-types';
import { joinLists } from '../../base/changed-list.ts';
import { Slices } from '../../base/slices.ts';
import type { Tier } from '../../policy/policy-types.ts';
import { inForce, isTaken } from '../../policy/rules/load-policies.ts';
import type { PolicyFile } from '../../policy/rules/policy-folders.ts';
import { scanPolicyPart } from '../../policy/rules/policy-part.ts';
import { lengthProblem } from '../../policy/rules/read-policy-file.ts';
import type { ReadFile } from '../../policy/rules/read-rules.ts';
import { ruleSentence } from '../../policy/rules/rule-sentence.ts';
import type { ConfigDocument } from '../config-document.ts';
import { toDiagnostic } from '../diagnostics.ts';
import { Workspace } from '../workspace.ts';
import { comparedRules } from './compared-rules.ts';
import { diagnosticOf, type FoundProblem, MOST_RELATED } from './found-problem.ts';
import { changedBy, changesOnly, policyFixes } from './policy-fixes.ts';
import { approvalOf } from './policy-lenses.ts';
import { knownPolicies, policiesOnDisk } from './rules-in-order.ts';
import { namesInReach } from './unknown-names.ts';

interface Found {
  readonly asked: PolicyFile;
  readonly read: ReadFile;
  readonly problems: readonly FoundProblem[];
}

/** What is found about a version of a document, until another file changes. */
const findings = Workspace.once((workspace) => {
  const found = new WeakMap<ConfigDocument, Promise<Found | undefined>>();
  return (file: ConfigDocument, tier: Tier): Promise<Found | undefined> => {
    const finding = found.get(file) ?? find(file, tier, workspace);
    found.set(file, finding);
    return finding;
  };
});

/** The problems that the runtime reports about a policy file, and what a comparison with all other rules shows. */
export async function policyProblems(
  file: ConfigDocument,
  tier: Tier,
  workspace: Workspace,
): Promise<readonly Diagnostic[]> {
  const found = await findings(workspace)(file, tier);
  return (found?.problems ?? []).map((problem) => diagnosticOf(problem, file, workspace));
}

/** The problems of policy files that are not open, by path. Nobody can repair the shipped ones. */
export async function problemsOfSaved(workspace: Workspace): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const { files, problems, acceptance } = await policiesOnDisk(workspace);
  const saved = files.filter(({ tier }) => tier !== 'default');
  const read = saved.flatMap((file) => knownPolicies(workspace).load(file, acceptance).read.problems);
  const found = new Map<string, Diagnostic[]>();
  for (const problem of [...acceptance.problems, ...problems, ...read]) {
    const { file, reason } = problem;
    if (workspace.open.textOf(file) !== undefined) continue;
    found.set(file, [...(found.get(file) ?? []), toDiagnostic({ ...problem, text: reason })]);
  }
  return found;
}

/** More actions than anybody looks through. */
const MOST_ACTIONS = 50;

/** The quick fixes of the problems in a range. Each is tried before it is offered: it changes nothing else. */
export async function policyActions(
  file: ConfigDocument,
  range: Range,
  tier: Tier,
  workspace: Workspace,
): Promise<readonly CodeAction[]> {
  const found = await findings(workspace)(file, tier);
  if (!found) return [];
  const actions: CodeAction[] = [];
  for (const problem of found.problems) {
    if (actions.length >= MOST_ACTIONS) break;
    const diagnostic = diagnosticOf(problem, file, workspace);
    if (!meets(diagnostic.range, range)) continue;
    if (problem.kind === 'not_accepted') actions.push(...(await approvals(file, tier, diagnostic, workspace)));
    else actions.push(...fixesOf(problem, diagnostic, file, found, workspace));
  }
  return actions;
}

async function approvals(
  file: ConfigDocument,
  tier: Tier,
  diagnostic: Diagnostic,
  workspace: Workspace,
): Promise<readonly CodeAction[]> {
  const { loaded, saved } = await knownPolicies(workspace).file(file, tier);
  const command = approvalOf(file, loaded, saved, workspace);
  return command ? [{ title: command.title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], command }] : [];
}

function fixesOf(
  problem: FoundProblem,
  diagnostic: Diagnostic,
  file: ConfigDocument,
  { asked, read }: Found,
  workspace: Workspace,
): readonly CodeAction[] {
  const index = read.parts.findLastIndex((one) => one.line <= (problem.line ?? 1));
  const part = read.parts[index];
  if (!part || !problem.range) return [];
  const offset = file.offsetAt({ line: part.line - 1, character: 0 });
  const scanned = scanPolicyPart(file.text, offset);
  const mark = offset === 0 && file.text.startsWith('\uFEFF') ? 1 : 0;
  // A table that is continued elsewhere can't be changed in one place.
  if (scanned.length - mark !== part.length) return [];
  const [start, end] = [file.offsetAt(diagnostic.range.start) - offset, file.offsetAt(diagnostic.range.end) - offset];
  return policyFixes({ ...problem, start, end }, scanned).flatMap(({ title, edits, isPreferred }): CodeAction[] => {
    const placed = edits.map((edit) => ({ ...edit, start: edit.start + offset, end: edit.end + offset }));
    const fixed = knownPolicies(workspace).readerOf(asked).read(changedBy(placed, file.text));
    if (!changesOnly(index, read.parts, fixed.parts)) return [];
    const changes = { [file.uri]: placed.map(({ newText, ...span }) => ({ range: file.rangeOf(span), newText })) };
    const kind = CodeActionKind.QuickFix;
    return [{ title, kind, diagnostics: [diagnostic], edit: { changes }, ...(isPreferred && { isPreferred }) }];
  });
}

function meets(one: Range, other: Range): boolean {
  const isBefore = (a: Range['start'], b: Range['start']): boolean =>
    a.line < b.line || (a.line === b.line && a.character < b.character);
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

async function find(file: ConfigDocument, tier: Tier, workspace: Workspace): Promise<Found | undefined> {
  const policies = knownPolicies(workspace);
  const all = await policies.all(file, tier);
  const { asked, acceptance } = all;
  const slices = new Slices();
  const read = await inSlices(policies.readerOf(asked).reading(asked.text), file, slices);
  if (!read) return undefined;
  const isAccepted = !workspace.isTrusted || isTaken(asked, acceptance);
  const problems = isAccepted ? read.problems : problemsOfUnapproved(read, asked);
  const tooLong = lengthProblem(asked.path, asked.text);
  const unread = [...all.problems.filter(({ file: path }) => path === asked.path), ...(tooLong ? [tooLong] : [])];
  const remarks = joinLists(read.parts, (part) => part.remarks);
  // Nothing in the file is in force, so there is nothing to compare.
  if (unread.length > 0) return { asked, read, problems: [...unread, ...problems, ...remarks] };
  const names = workspace.isTrusted ? await namesInReach(workspace) : undefined;
  const compared = await inSlices(comparedRules(workspace).problems(file, read, all, names), file, slices);
  return compared && { asked, read, problems: [...problems, ...remarks, ...compared] };
}

/** A file that requires approval is reported once, with the rules that are not in force until then. */
function problemsOfUnapproved(read: ReadFile, { path, tier }: PolicyFile): readonly FoundProblem[] {
  const { problems, waiting } = inForce(read, path, tier, false);
  const lines = [...new Set(waiting.map(({ source }) => source.line ?? 1))].slice(0, MOST_RELATED);
  const related = lines.map((line) => {
    const rules = waiting.filter(({ source }) => source.line === line);
    return { path, line, text: ruleSentence(rules) ?? l10n.t('This rule is not in force.') };
  });
  return problems.map((problem) => (problem.kind === 'not_accepted' ? { ...problem, related } : problem));
}

/** Returns undefined as soon as the user has typed: the result would be about a text that is gone. */
async function inSlices<T>(
  work: Generator<undefined, T>,
  file: ConfigDocument,
  slices: Slices,
): Promise<T | undefined> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await slices.pause();
    if (file.isStale) return undefined;
  }
}
