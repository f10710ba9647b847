import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Circumstances, PolicyRule, Verdict } from '../../../../extension/policy/policy-types.ts';
import { exactCommandPattern } from '../../../../extension/policy/rules/narrow.ts';
import { createShellJudge } from '../../../../extension/policy/shell/shell-judge.ts';
import type { ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { circumstances, HOME, judge, matchPrefixes, rule, shellParser } from '../../../support/shell-judging.ts';

const everything =
  (decision: PolicyRule['decision'], change: Partial<PolicyRule> = {}) =>
  (): Verdict => ({
    decision,
    rule: rule(decision, change),
    why: 'One rule for everything.',
  });
const exactly =
  (...commands: readonly string[]) =>
  (command: string): Verdict =>
    commands.includes(command)
      ? {
          decision: 'allow',
          rule: rule('allow', { argsPattern: new RegExp(exactCommandPattern(command)) }),
          why: 'It is exactly this.',
        }
      : { decision: 'ask_user', why: 'No rule.' };

describe('the judge of shell commands', () => {
  let parser: ShellParser;
  before(async () => {
    parser = await shellParser();
  });

  type Row = readonly [
    what: string,
    command: string,
    match: (command: string) => Verdict,
    change: Partial<Circumstances>,
    decision: Verdict['decision'],
  ];
  const rows: readonly Row[] = [
    ['keeps a refusal', 'ls', everything('deny'), { mode: 'yolo' }, 'deny'],
    ['lets the refusal of one command win', 'ls && rm x', refusing('rm x'), {}, 'deny'],
    ['lets the refusal of one command win in yolo', 'ls && rm x', refusing('rm x'), { mode: 'yolo' }, 'deny'],
    ['lets the refusal of a wrapped command win', "env bash -c 'rm x'", refusing('rm x'), { mode: 'yolo' }, 'deny'],
    ['asks when one command needs it', 'ls && make', matchPrefixes(['ls']), {}, 'ask_user'],
    ['asks about what it cannot read', "ls 'a", matchPrefixes(['ls']), {}, 'ask_user'],
    [
      'refuses what it cannot read when nobody can be asked',
      "ls 'a",
      matchPrefixes(['ls']),
      { interactive: false },
      'deny',
    ],
    ['runs what it cannot read in yolo', "ls 'a", everything('allow'), { mode: 'yolo' }, 'allow'],
    [
      'refuses what it cannot read in yolo when the rule has a pattern',
      "ls 'a",
      matchPrefixes(['ls']),
      { mode: 'yolo' },
      'deny',
    ],
    [
      'asks about a protected name in what it cannot read, in yolo',
      "> .vscode/x 'a",
      everything('allow'),
      { mode: 'yolo' },
      'ask_user',
    ],
    [
      'asks before git in a folder that is not trusted',
      'ls | git log',
      everything('allow'),
      { trusted: false },
      'ask_user',
    ],
    ['runs git in a trusted folder', 'git log', everything('allow'), {}, 'allow'],
    ['asks before rm -rf though a rule allows everything', 'rm -rf dist', everything('allow'), {}, 'ask_user'],
    ['runs rm -rf in yolo', 'rm -rf dist', everything('allow'), { mode: 'yolo' }, 'allow'],
    ['runs rm -rf when exactly that was allowed', 'rm -rf dist', exactly('rm -rf dist'), {}, 'allow'],
    ['asks about a concern though exactly that was allowed', 'A=1 ls', exactly('A=1 ls'), {}, 'ask_user'],
    ['passes over concerns in yolo', 'A=1 echo $(ls)', everything('allow'), { mode: 'yolo' }, 'allow'],
    ['asks about options that write', 'git log --output=x', matchPrefixes(['git log']), {}, 'ask_user'],
    [
      'runs options that write when exactly that was allowed',
      'git log --output=x',
      exactly('git log --output=x'),
      {},
      'allow',
    ],
    ['asks about a redirection', 'ls > x', matchPrefixes(['ls']), {}, 'ask_user'],
    [
      'takes a redirection that the rule allows',
      'ls > x',
      matchPrefixes(['ls'], { allowRedirection: true }),
      {},
      'allow',
    ],
    ['takes a redirection while edits are accepted', 'ls > x', matchPrefixes(['ls']), { mode: 'autoEdit' }, 'allow'],
    [
      'asks about a redirection to somewhere unknown',
      'ls > $x',
      matchPrefixes(['ls']),
      { mode: 'autoEdit' },
      'ask_user',
    ],
    [
      'asks about a protected file though edits are accepted',
      'ls > .npmrc',
      matchPrefixes(['ls']),
      { mode: 'autoEdit' },
      'ask_user',
    ],
    ['runs what only reads', 'ls -la', matchPrefixes([]), {}, 'allow'],
    ['asks when two commands only read', 'ls && pwd', matchPrefixes([]), {}, 'ask_user'],
    ['does not overrule a rule that somebody wrote', 'ls', everything('ask_user'), {}, 'ask_user'],
    ['rescues nothing when nobody can be asked', 'ls', matchPrefixes([]), { interactive: false }, 'ask_user'],
    [
      'asks before the workspace is deleted, in yolo',
      'rm -r /work/app',
      everything('allow'),
      { mode: 'yolo' },
      'ask_user',
    ],
    [
      'deletes a folder of the workspace in yolo',
      'rm -r /work/app/dist',
      everything('allow'),
      { mode: 'yolo' },
      'allow',
    ],
  ];
  for (const [what, command, match, change, decision] of rows) {
    it(`${what}: ${command}`, async () => {
      const verdict = await judge(parser, command, match, change);
      assert.equal(verdict.decision, decision, verdict.why);
      assert.match(verdict.why, /^\S.*\.$/s);
    });
  }

  it('never guesses at another shell', async () => {
    const judgeOther = createShellJudge(parser, { home: HOME, runsBash: false });
    const verdict = await judgeOther('ls', { decision: 'allow', why: '' }, everything('allow'), circumstances());
    assert.equal(verdict.decision, 'ask_user');
  });

  it('knows a protected file by the folder the command runs in', async () => {
    const inFolder = createShellJudge(parser, { home: HOME, runsBash: true });
    const matched = everything('allow', { allowRedirection: true });
    const ask = (folder: string): Promise<Verdict> | Verdict =>
      inFolder('echo x > settings.json', matched(), matched, circumstances({ mode: 'yolo' }), folder);
    assert.equal((await ask('/work/app/.vscode')).decision, 'ask_user');
    assert.equal((await ask('/work/app/src')).decision, 'allow');
  });

  it('names what made it ask', async () => {
    const { why } = await judge(parser, 'ls && find . -delete', matchPrefixes(['ls', 'find']));
    assert.equal(why, 'No rule can cover this, because of the option -delete of `find` in `find . -delete`.');
  });
});

function refusing(refused: string) {
  return (command: string): Verdict =>
    command === refused
      ? { decision: 'deny', rule: rule('deny'), why: 'A rule refuses it.' }
      : { decision: 'allow', rule: rule('allow'), why: 'Allowed.' };
}
