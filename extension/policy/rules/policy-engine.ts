import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { errorText } from '../../base/errors.ts';
import { once } from '../../base/once.ts';
import { guardPath } from '../../files/path-guard.ts';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import type { Circumstances, Decision, PolicyCall, PolicyRule, Verdict } from '../policy-types.ts';
import type { CandidateList } from './candidate-list.ts';
import { rulePlace, shownRefusal, whyByDefault, whyByRule } from './decision-text.ts';
import { Explained, type Explanation, type RuleStep } from './explanation.ts';
import { isShellTool } from './known-tools.ts';
import { RuleIndex } from './rule-index.ts';
import { isAbout, matches, type Subject, subjectOf, whyNoMatch, whyNotAbout, withArguments } from './rule-match.ts';
import type { CheckerRule, RuleSet } from './rule-set.ts';
import { runChecker } from './safety-checkers.ts';
import { blindJudge, isForLackOfAnswer, isForPlans, type RunFolder, type ShellJudge } from './shell-judge.ts';

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask_user: 1, deny: 2 };

/** A call with the rules that may apply to it. */
interface Look {
  readonly call: PolicyCall;
  readonly subject: Subject;
  readonly candidates: CandidateList<PolicyRule>;
  readonly ofSession: readonly PolicyRule[];
  readonly circumstances: Circumstances;
}

/** Decides about calls by the rules. An engine holds one state of the rules; a change creates a new engine. */
export class PolicyEngine {
  private readonly rules: RuleIndex<PolicyRule>;
  private readonly checkers: RuleIndex<CheckerRule>;
  /** By rule and tool name. Wording a decision takes longer than making it. */
  private readonly verdicts = new WeakMap<PolicyRule, Map<string, Verdict>>();

  constructor(
    { rules, checkers }: RuleSet,
    private readonly judgeShell: ShellJudge = blindJudge,
  ) {
    this.rules = new RuleIndex(rules);
    this.checkers = new RuleIndex(checkers);
  }

  /** Decides by the rules alone, without parsing commands or running safety checkers. Not enough to run anything. */
  check(call: PolicyCall, circumstances: Circumstances): Verdict {
    return failingClosed(call, () => this.byRules(this.look(call, circumstances)));
  }

  async decide(call: PolicyCall, circumstances: Circumstances): Promise<Verdict> {
    return this.decideWith(call, circumstances);
  }

  /** Decides in the same way, and says how each rule about the tool took part. */
  async explain(call: PolicyCall, circumstances: Circumstances): Promise<Explanation> {
    const explained = new Explained();
    return explained.with(await this.decideWith(call, circumstances, explained));
  }

  private async decideWith(call: PolicyCall, circumstances: Circumstances, explained?: Explained): Promise<Verdict> {
    try {
      const looked = this.look(call, circumstances);
      const matched = this.byRules(looked, explained?.rules);
      const isCommand = isShellTool(call.name);
      const verdict = isCommand ? await this.judge(looked, matched, explained) : matched;
      if (isCommand) explained?.judgedAs(verdict);
      return await this.afterChecks(looked, await withoutExtras(call, verdict, circumstances), explained);
    } catch (error) {
      return unchecked(call, error);
    }
  }

  private look(call: PolicyCall, circumstances: Circumstances): Look {
    const subject = subjectOf(call);
    const candidates = this.rules.candidates(subject, circumstances);
    const ofSession = circumstances.sessionRules.filter((rule) => isAbout(rule, subject, circumstances));
    return { call, subject, candidates, ofSession, circumstances };
  }

  private byRules(look: Look, steps?: RuleStep[]): Verdict {
    const { call, subject, circumstances } = look;
    let floor: PolicyRule | undefined;
    for (const rule of steps ? this.namedRules(look) : applicable(look)) {
      // Without steps, only rules about such calls are here.
      const mismatch =
        (steps && whyNotAbout(rule, subject, circumstances)) ??
        whyNoMatch(rule, subject) ??
        (circumstances.isReadOnly && isForPlans(rule) ? 'sandbox' : undefined);
      steps?.push({ rule, mismatch, decides: mismatch === undefined && !rule.onlyTightens });
      if (mismatch !== undefined) continue;
      if (!rule.onlyTightens) return this.stricter(this.verdictOf(call, rule), floor, call);
      if (floor === undefined || STRICTNESS[rule.decision] > STRICTNESS[floor.decision]) floor = rule;
    }
    return this.stricter(byDefault(call, circumstances), floor, call);
  }

  private namedRules({ subject, circumstances }: Look): readonly PolicyRule[] {
    const isNamed = (rule: PolicyRule): boolean => whyNotAbout(rule, subject, circumstances) !== 'tool';
    return byPriority(this.rules.naming(subject), circumstances.sessionRules.filter(isNamed));
  }

  private async judge(looked: Look, matched: Verdict, explained?: Explained): Promise<Verdict> {
    const { call, subject, circumstances } = looked;
    const command = call.args['command'];
    if (matched.decision === 'deny' && !(isForLackOfAnswer(matched.rule) && typeof command === 'string'))
      return matched;
    if (typeof command !== 'string') {
      return {
        ...matched,
        decision: 'ask_user',
        why: l10n.t('"{0}" requires approval: it has no command to check.', call.name),
      };
    }
    // Only the command differs, so the same candidate rules apply.
    const recheck = (part: string): Verdict => {
      const steps: RuleStep[] | undefined = explained && [];
      const verdict = failingClosed(call, () =>
        this.byRules({ ...looked, subject: withArguments(subject, { command: part }) }, steps),
      );
      if (steps) explained?.addPart({ command: part, verdict, rules: steps });
      return verdict;
    };
    const { rule } = matched;
    const folder = await folderOf(call, circumstances);
    const restricting = restrictingRule(looked);
    const judged = await this.judgeShell(command, { ...matched, restricting }, recheck, circumstances, folder);
    // The text of the matched rule says best what would allow the call.
    if (matched.decision === 'deny' && judged.decision !== 'allow') return matched;
    return this.stricter(judged, rule?.onlyTightens ? rule : undefined, call);
  }

  private async afterChecks(
    { call, subject, circumstances }: Look,
    verdict: Verdict,
    explained?: Explained,
  ): Promise<Verdict> {
    if (verdict.decision === 'deny') return verdict;
    let result = verdict;
    for (const rule of this.checkers.candidates(subject, circumstances).for(subject.text)) {
      if (!matches(rule, subject)) continue;
      const { decision, reason } = await runChecker(rule.checker, call, circumstances);
      explained?.checks.push({ rule, decision, reason });
      if (STRICTNESS[decision] <= STRICTNESS[result.decision]) continue;
      const { rule: by } = verdict;
      result = { decision, ...(by && { rule: by }), why: whyChecked(call, decision, rule, reason) };
      if (decision === 'deny') return result;
    }
    return result;
  }

  private verdictOf({ name }: PolicyCall, rule: PolicyRule): Verdict {
    const known = this.verdicts.get(rule) ?? new Map<string, Verdict>();
    this.verdicts.set(rule, known);
    const { decision } = rule;
    const verdict = known.get(name) ?? {
      decision,
      rule,
      why: whyByRule(name, rule),
      ...(decision === 'deny' && { shown: shownRefusal(name, rule) }),
    };
    known.set(name, verdict);
    return verdict;
  }

  /** If both are equally strict, the verdict names the floor, so that no later step relaxes it. */
  private stricter(verdict: Verdict, floor: PolicyRule | undefined, call: PolicyCall): Verdict {
    // A call refused only because nobody can answer would otherwise ask, so a floor that asks is as strict and stays in
    // force.
    const decision = isForLackOfAnswer(verdict.rule) && verdict.decision === 'deny' ? 'ask_user' : verdict.decision;
    return floor && STRICTNESS[floor.decision] >= STRICTNESS[decision] ? this.verdictOf(call, floor) : verdict;
  }
}

function applicable({ candidates, ofSession, subject }: Look): readonly PolicyRule[] {
  return byPriority(candidates.for(subject.text), ofSession);
}

function byPriority(sorted: readonly PolicyRule[], more: readonly PolicyRule[]): readonly PolicyRule[] {
  return more.length === 0 ? sorted : [...sorted, ...more].sort((a, b) => b.priority - a.priority);
}

/** The strictest rule for certain arguments only. */
function restrictingRule({ candidates, ofSession }: Look): PolicyRule | undefined {
  const found = [...candidates.all(), ...ofSession].filter(
    ({ decision, argsPattern }) => decision !== 'allow' && argsPattern !== undefined,
  );
  return found.find(({ decision }) => decision === 'deny') ?? found[0];
}

/** Resolves the folder as the tool does, so that both mean the same folder. */
async function folderOf({ args }: PolicyCall, { roots }: Circumstances): Promise<RunFolder | undefined> {
  const path = args['dir_path'];
  const guarded = await guardPath(typeof path === 'string' ? path : (roots[0] ?? ''), roots);
  return guarded.allowed ? { path: guarded.path, root: guarded.realRoot } : undefined;
}

function byDefault(call: PolicyCall, circumstances: Circumstances): Verdict {
  const asked = circumstances.interactive ? 'ask_user' : 'deny';
  return { decision: circumstances.mode === 'yolo' ? 'allow' : asked, why: whyByDefault(call.name, circumstances) };
}

async function withoutExtras(call: PolicyCall, verdict: Verdict, circumstances: Circumstances): Promise<Verdict> {
  if (verdict.decision !== 'allow' || !(await asksForMore(call.args, circumstances.roots))) return verdict;
  return {
    ...verdict,
    decision: 'ask_user',
    why: l10n.t('"{0}" requires approval: it needs access outside the workspace.', call.name),
  };
}

function whyChecked(call: PolicyCall, decision: Decision, { source }: CheckerRule, reason: string): string {
  const verb = decision === 'deny' ? 'is refused' : 'requires approval';
  return `"${call.name}" ${verb} after a safety check: ${reason}. ${rulePlace(source)}.`;
}

function failingClosed(call: PolicyCall, check: () => Verdict): Verdict {
  try {
    return check();
  } catch (error) {
    return unchecked(call, error);
  }
}

function unchecked(call: PolicyCall, error: unknown): Verdict {
  const message = errorText(error);
  return { decision: 'deny', why: `"${call.name}" is refused: it could not be checked (${message}).` };
}

const requested = once(() =>
  z.object({ read: z.array(z.unknown()).optional(), write: z.array(z.unknown()).optional() }),
);

/** Whether a call requests files outside the workspace. An invalid or unresolvable request counts as outside. */
async function asksForMore(args: Readonly<Record<string, unknown>>, roots: readonly string[]): Promise<boolean> {
  const permissions = args['additional_permissions'];
  if (typeof permissions !== 'object' || permissions === null || !('fileSystem' in permissions)) return false;
  const { fileSystem } = permissions;
  if (!fileSystem) return false;
  const parsed = requested().safeParse(fileSystem);
  if (!parsed.success) return true;
  const paths = [...(parsed.data.read ?? []), ...(parsed.data.write ?? [])];
  for (const path of paths) if (!(await isInside(path, roots))) return true;
  return false;
}

async function isInside(path: unknown, roots: readonly string[]): Promise<boolean> {
  const [first] = roots;
  if (typeof path !== 'string' || path.includes('\0') || first === undefined) return false;
  try {
    const real = await resolveRealPath(resolve(first, path));
    const folders = await Promise.all(roots.map((root) => resolveRealPath(root)));
    return folders.some((folder) => contains(folder.path, real.path));
  } catch {
    return false;
  }
}
