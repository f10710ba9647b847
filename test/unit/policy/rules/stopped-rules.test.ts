import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { PolicyRule } from '../../../../extension/policy/policy-types.ts';
import { inForce } from '../../../../extension/policy/rules/load-policies.ts';
import { PolicyEngine } from '../../../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import type { CheckerRule } from '../../../../extension/policy/rules/rule-set.ts';
import type { ShellJudge } from '../../../../extension/policy/rules/shell-judge.ts';
import { type RuleGroup, StoppedRules } from '../../../../extension/policy/rules/stopped-rules.ts';
import { createShellJudge } from '../../../../extension/policy/shell/shell-judge.ts';
import { type Random, seededRandom } from '../../../support/crash/random.ts';
import type { PolicyText } from '../../../support/policy-oracle.ts';
import { HOME, ROOT, shellParser } from '../../../support/shell-judging.ts';
import { isFullRun, runs } from '../../../support/test-size.ts';
import { wildShellCall, wildShellCircumstances, wildShellPolicies } from '../../../support/wild-commands.ts';
import { wildCall, wildCircumstances, wildPolicies } from '../../../support/wild-policies.ts';
import { mutated } from '../../../support/wild-policy-text.ts';

const RULE_SETS = runs(24, 100);
const CALLS = runs(60, 10_000);
/** Looking into a command takes a hundred times as long as comparing rules. */
const SHELL_EVERY = runs(2, 10);

/** A file as it is in force now, and as it would be if it were approved. */
interface Loaded {
  readonly now: readonly PolicyRule[];
  readonly later: readonly PolicyRule[];
  readonly checkers: readonly CheckerRule[];
  readonly waits: boolean;
}

describe('A rule that is said to never decide', () => {
  let judge: ShellJudge;
  before(async () => {
    judge = createShellJudge(await shellParser(), { home: HOME, runsBash: true });
  });

  it(`decides none of ${RULE_SETS * CALLS} random calls, and nothing changes without it`, async function () {
    this.timeout(runs(60_000, 1_800_000));
    const random = seededRandom(5);
    let stoppedCount = 0;
    for (let set = 0; set < RULE_SETS; set++) {
      const isShell = random.below(SHELL_EVERY) === 0;
      const files = wildFiles(random, isShell);
      const stopped = stoppedIn(files);
      stoppedCount += files.flatMap(({ later }) => later.filter((rule) => stopped.has(rule))).length;
      if (stopped.size === 0) continue;
      const isStopped = (rule: PolicyRule | undefined): boolean => rule !== undefined && stopped.has(rule);
      const states = files.some(({ waits }) => waits) ? (['now', 'later'] as const) : (['later'] as const);
      const engines = states.map((state) => {
        const all = files.flatMap((file) => file[state]);
        const checkers = files.flatMap((file) => file.checkers);
        const some = all.filter((rule) => !isStopped(rule));
        return [
          { rules: all, checkers },
          { rules: some, checkers },
        ].map((rules) => new PolicyEngine(rules, judge));
      });
      for (let count = 0; count < (isShell && !isFullRun ? Math.ceil(CALLS / 10) : CALLS); count++) {
        const call = isShell ? wildShellCall(random) : wildCall(random);
        const circumstances = {
          ...(isShell ? wildShellCircumstances(random, [ROOT]) : wildCircumstances(random)),
          ignoresAnswers: random.below(4) === 0,
          isReadOnly: random.below(4) === 0,
        };
        for (const [all, some] of engines) {
          const verdict = await all?.decide(call, circumstances);
          assert.ok(verdict && !isStopped(verdict.rule), JSON.stringify({ call, circumstances, verdict }));
          const other = await some?.decide(call, circumstances);
          assert.deepEqual(
            [verdict.decision, verdict.why],
            [other?.decision, other?.why],
            JSON.stringify({ call, circumstances }),
          );
        }
      }
    }
    assert.ok(stoppedCount > RULE_SETS, `there are such rules: ${stoppedCount}`);
  });

  it('is the same after any edit as if all files were compared anew', function () {
    this.timeout(runs(60_000, 1_800_000));
    const random = seededRandom(6);
    for (let count = 0; count < runs(8, 600); count++) {
      const changing = new StoppedRules();
      let groups = groupsOf(wildFiles(random, random.below(2) === 0));
      for (let edit = 0; edit < 6; edit++) {
        const update = changing.update(groups);
        // Some are left unfinished.
        if (random.below(4) === 0) update.next();
        else {
          for (const _ of update);
          const anew = new StoppedRules();
          for (const _ of anew.update([...groups, ...filler])) _;
          assert.deepEqual(
            groups.map((group) => changing.stoppersOf(group)),
            groups.map((group) => anew.stoppersOf(group)),
          );
        }
        const others = groupsOf(wildFiles(random, random.below(2) === 0)).slice(0, random.below(4));
        const [at, removed] = [random.below(groups.length + 1), random.below(4)];
        groups = [...groups.slice(0, at), ...others, ...groups.slice(at + removed)];
      }
    }
  });
});

/** Rules that stop nothing: with so many, all are compared by their index. */
const filler: readonly RuleGroup[] = Array.from({ length: 60 }, (_, at) => ({
  rules: [{ toolName: `filler_${at}`, decision: 'deny', priority: 0, source: { tier: 'default', label: '' } }],
}));

function wildFiles(random: Random, isShell: boolean): readonly Loaded[] {
  const texts = (): PolicyText[] => (isShell ? wildShellPolicies(random) : wildPolicies(random));
  const files = [...texts(), ...texts(), ...texts()];
  return files.map(({ tier, text }, at) => {
    const path = `/policies/${at}.toml`;
    const written = random.below(4) === 0 ? mutated(random, text) : text;
    const read = readRules(written, path, tier);
    const waits = tier === 'workspace' && random.below(2) === 0;
    const later = inForce(read, path, tier, true);
    const { rules, checkers } = waits ? inForce(read, path, tier, false) : later;
    return { now: rules, later: later.rules, checkers, waits };
  });
}

function groupsOf(files: readonly Loaded[]): readonly RuleGroup[] {
  return files.flatMap(({ later, waits }) => {
    const waitsWith = waits ? {} : undefined;
    return later.map((rule) => ({ rules: [rule], waitsWith }));
  });
}

function stoppedIn(files: readonly Loaded[]): ReadonlySet<PolicyRule> {
  const stopped = new StoppedRules();
  const groups = groupsOf(files);
  for (const _ of stopped.update(groups));
  const found = new Set(
    groups.filter((group) => stopped.stoppersOf(group).some(Boolean)).flatMap(({ rules }) => rules),
  );
  for (const { now, later } of files) {
    // A rule has another object until its file is approved.
    const same = now.length === later.length ? later : later.filter(({ decision }) => decision !== 'allow');
    for (const [at, rule] of same.entries())
      if (found.has(rule)) for (const one of now.slice(at, at + 1)) found.add(one);
  }
  return found;
}
