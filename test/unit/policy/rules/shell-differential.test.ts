import assert from 'node:assert/strict';
import { join } from 'node:path';
import { initializeShellParsers } from '@google/gemini-cli-core/dist/src/utils/shell-utils.js';
import { after, before, describe, it } from 'mocha';
import { PolicyEngine } from '../../../../extension/policy/rules/policy-engine.ts';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import type { ShellJudge } from '../../../../extension/policy/rules/shell-judge.ts';
import { createShellJudge } from '../../../../extension/policy/shell/shell-judge.ts';
import { seededRandom } from '../../../support/crash/random.ts';
import { explanationOf, INTENDED_SHELL_DIFFERENCES } from '../../../support/policy-differences.ts';
import { oracleFor, type PolicyText } from '../../../support/policy-oracle.ts';
import { HOME, ROOT, shellParser } from '../../../support/shell-judging.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { runs } from '../../../support/test-size.ts';
import { wildShellCall, wildShellCircumstances, wildShellPolicies } from '../../../support/wild-commands.ts';

const RULE_SETS = runs(50, 260);
const CALLS_PER_SET = 20;

describe('Decisions about commands, compared with Gemini CLI', () => {
  let folder: TempFolder;
  let judge: ShellJudge;

  before(async () => {
    folder = await tempFolder('shell-oracle');
    judge = createShellJudge(await shellParser(), { home: HOME, runsBash: true });
    await initializeShellParsers();
  });
  after(() => folder.dispose());

  const engineFor = (files: readonly PolicyText[]): PolicyEngine => {
    const read = files.map(({ name, tier, text }) => readRules(text, join(folder.path, name), tier));
    const rules = read.flatMap((one) => one.rules);
    return new PolicyEngine({ rules, checkers: read.flatMap((one) => one.checkers) }, judge);
  };

  it(`are the same for ${RULE_SETS * CALLS_PER_SET} random calls, or differ as intended`, async function () {
    this.timeout(120_000);
    const random = seededRandom(21);
    const seen = new Set<string>();
    for (let set = 0; set < RULE_SETS; set++) {
      const files = wildShellPolicies(random);
      const [oracle, engine] = [await oracleFor(files, folder.path), engineFor(files)];
      for (let count = 0; count < CALLS_PER_SET; count++) {
        const [call, circumstances] = [wildShellCall(random), wildShellCircumstances(random, [ROOT])];
        const theirs = await oracle.check(call, circumstances);
        const ours = await engine.decide(call, circumstances);
        if (ours.decision === theirs.decision) continue;
        const disagreement = { files, call, circumstances, ours, theirs };
        const explanation = explanationOf(disagreement, INTENDED_SHELL_DIFFERENCES);
        assert.ok(explanation, JSON.stringify(disagreement, undefined, 2));
        seen.add(explanation.what);
      }
    }
    assert.ok(seen.size > INTENDED_SHELL_DIFFERENCES.length / 2, 'most of the intended differences were seen');
  });
});
