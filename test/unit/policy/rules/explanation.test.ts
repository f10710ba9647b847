import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { stringify } from 'smol-toml';
import type { Circumstances, PolicyCall } from '../../../../extension/policy/policy-types.ts';
import type { PolicyEngine } from '../../../../extension/policy/rules/policy-engine.ts';
import type { ShellJudge } from '../../../../extension/policy/rules/shell-judge.ts';
import { createShellJudge } from '../../../../extension/policy/shell/shell-judge.ts';
import { seededRandom } from '../../../support/crash/random.ts';
import { decided, engineOf } from '../../../support/explained-decisions.ts';
import type { PolicyText } from '../../../support/policy-oracle.ts';
import { shellCorpus } from '../../../support/shell-corpus.ts';
import { circumstances, HOME, ROOT, shellParser } from '../../../support/shell-judging.ts';
import { runs } from '../../../support/test-size.ts';
import { wildShellCall, wildShellCircumstances, wildShellPolicies } from '../../../support/wild-commands.ts';
import { wildCall, wildCircumstances, wildPolicies } from '../../../support/wild-policies.ts';

const RULE_SETS = runs(15, 500);
const CALLS_PER_SET = 20;

describe('The explanation of a decision', () => {
  let judge: ShellJudge;
  before(async () => {
    judge = createShellJudge(await shellParser(), { home: HOME, runsBash: true });
  });

  const engineFor = (files: readonly PolicyText[]): PolicyEngine => engineOf(files, '/p', judge);
  const explain = async (
    text: string,
    call: PolicyCall,
    change: Partial<Circumstances> = {},
  ): Promise<readonly string[]> => {
    const { rules, parts, checks, verdict } = await engineFor([{ name: 'my.toml', tier: 'user', text }]).explain(
      call,
      circumstances(change),
    );
    const steps = (of: typeof rules): string =>
      of.map(({ rule, mismatch, decides }) => `${rule.source.line} ${decides ? 'decides' : mismatch}`).join(', ');
    return [
      steps(rules),
      ...parts.map((part) => `${part.command}: ${steps(part.rules)}`),
      ...checks.map(({ decision, reason }) => `${decision}: ${reason}`),
      verdict.decision,
    ];
  };

  const kinds = {
    'any tool': [wildPolicies, wildCall, wildCircumstances],
    commands: [wildShellPolicies, wildShellCall, (random) => wildShellCircumstances(random, [ROOT])],
  } satisfies Record<
    string,
    [
      (random: ReturnType<typeof seededRandom>) => PolicyText[],
      (random: ReturnType<typeof seededRandom>) => PolicyCall,
      (random: ReturnType<typeof seededRandom>) => Circumstances,
    ]
  >;
  for (const [what, [policies, callOf, circumstancesOf]] of Object.entries(kinds)) {
    it(`ends with the decision, for ${RULE_SETS * CALLS_PER_SET} random calls of ${what}`, async function () {
      this.timeout(60_000);
      const random = seededRandom(26);
      for (let set = 0; set < RULE_SETS; set++) {
        const files = policies(random);
        const engine = engineFor(files);
        for (let count = 0; count < CALLS_PER_SET; count++) {
          const [call, at] = [callOf(random), circumstancesOf(random)];
          await decided(engine, call, at);
        }
      }
    });
  }

  it('ends with the decision about every command of the corpus of attacks', async () => {
    const shell = { toolName: 'run_shell_command', decision: 'allow', priority: 100 };
    for (const { command, rules, allow, mode = 'default' } of shellCorpus()) {
      const prefixes = rules.length === 0 ? [] : [{ ...shell, commandPrefix: rules }];
      const all = allow ? [{ ...shell, toolName: '*', allowRedirection: true }] : prefixes;
      const engine = engineFor([{ name: 'corpus.toml', tier: 'user', text: stringify({ rule: all }) }]);
      await decided(engine, { name: 'run_shell_command', args: { command } }, circumstances({ mode }));
    }
  });

  const rule = (...lines: readonly string[]): string => ['[[rule]]', ...lines, ''].join('\n');
  const first = (...lines: readonly string[]): string => rule(...lines, 'decision = "deny"', 'priority = 9');
  const last = rule('toolName = "*"', 'decision = "allow"', 'priority = 1');
  const call = { name: 'look', args: { file_path: 'a.ts' }, server: 'srv', annotations: { readOnlyHint: true } };
  const mismatches: readonly [rule: string, mismatch: string, change?: Partial<Circumstances>][] = [
    [first('toolName = "look_*"'), 'tool'],
    [first('toolName = "*"', 'mcpName = "other"'), 'server'],
    [first('toolName = "*"', 'subagent = "helper"'), 'subagent'],
    [first('toolName = "*"', 'modes = ["plan"]'), 'mode'],
    [first('toolName = "*"', 'interactive = false'), 'interactive'],
    [first('toolName = "*"', 'toolAnnotations = { readOnlyHint = false }'), 'annotations'],
    [first('toolName = "*"', 'argsPattern = "b.ts"'), 'arguments'],
    [first('toolName = "*"').replace('9', '950'), 'saved answer', { ignoresAnswers: true }],
  ];
  for (const [text, mismatch, change] of mismatches) {
    it(`names what of a rule does not match: ${mismatch}`, async () => {
      const lines = text.split('\n').length;
      assert.deepEqual(await explain(text + last, call, change), [`1 ${mismatch}, ${lines} decides`, 'allow']);
    });
  }

  it('ends at the rule that decides, without rules of other tools', async () => {
    const text = [first('toolName = "replace"'), first('toolName = "look"'), last].join('');
    assert.deepEqual(await explain(text, call), ['5 decides', 'deny']);
  });

  it('has each command of a line', async () => {
    const command = (prefix: string, decision: string): string =>
      rule('toolName = "run_shell_command"', `commandPrefix = "${prefix}"`, `decision = "${decision}"`, 'priority = 5');
    const line = { name: 'run_shell_command', args: { command: 'npm test && git push' } };
    assert.deepEqual(await explain(command('npm test', 'allow') + command('git push', 'deny'), line), [
      '1 decides',
      'npm test: 1 decides',
      'git push: 1 arguments, 6 decides',
      'deny',
    ]);
  });

  it('has the safety checks', async () => {
    const checker = [
      '[[safety_checker]]',
      'toolName = "look"',
      'priority = 5',
      '[safety_checker.checker]',
      'type = "in-process"',
      'name = "allowed-path"',
    ].join('\n');
    const outside = { ...call, args: { file_path: '/elsewhere/a.ts' } };
    assert.deepEqual(await explain(`${last}\n${checker}`, outside), [
      '1 decides',
      'deny: "/elsewhere/a.ts" is outside the workspace',
      'deny',
    ]);
  });
});
