import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Circumstances, PolicyCall, Verdict } from '../../extension/policy/policy-types.ts';
import type { Explanation } from '../../extension/policy/rules/explanation.ts';
import { PolicyEngine } from '../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../extension/policy/rules/read-rules.ts';
import type { ShellJudge } from '../../extension/policy/rules/shell-judge.ts';
import type { PolicyText } from './policy-oracle.ts';

/** The engine that decides by these files, which are in one folder. */
export function engineOf(files: readonly PolicyText[], folder: string, judge?: ShellJudge): PolicyEngine {
  const read = files.map(({ name, tier, text }) => readRules(text, join(folder, name), tier));
  const rules = read.flatMap((one) => one.rules);
  return new PolicyEngine({ rules, checkers: read.flatMap((one) => one.checkers) }, judge);
}

/** Decides about a call, and checks that an explanation ends with the same verdict and names its rule. */
export async function decided(
  engine: PolicyEngine,
  call: PolicyCall,
  at: Circumstances,
): Promise<{ readonly verdict: Verdict; readonly explained: Explanation }> {
  const [explained, verdict] = [await engine.explain(call, at), await engine.decide(call, at)];
  const shown = JSON.stringify({ call, at });
  assert.deepEqual(explained.verdict, verdict, shown);
  const deciding = explained.rules.filter(({ decides }) => decides);
  const byRules = engine.check(call, at);
  // A rule that only tightens can win over the one that decides.
  if (byRules.rule && !byRules.rule.onlyTightens) assert.deepEqual(deciding.at(-1)?.rule, byRules.rule, shown);
  assert.deepEqual(deciding, explained.rules.slice(explained.rules.length - deciding.length), shown);
  assert.ok(deciding.length <= 1, shown);
  return { verdict, explained };
}
