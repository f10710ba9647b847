import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Circumstances, PolicyRule, Verdict } from '../../../../extension/policy/policy-types.ts';
import { exactCommandPattern } from '../../../../extension/policy/rules/exact-patterns.ts';
import { createShellJudge } from '../../../../extension/policy/shell/shell-judge.ts';
import type { ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { circumstances, HOME, judge, matchPrefixes, ROOT, rule, shellParser } from '../../../support/shell-judging.ts';

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
    ['asks about what it cannot read, in yolo', "ls 'a", everything('allow'), { mode: 'yolo' }, 'ask_user'],
    [
      'runs what it cannot read in yolo, in the sandbox',
      "ls 'a",
      everything('allow'),
      { mode: 'yolo', isConfined: true },
      'allow',
    ],
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
    ...['ls <(pwd)', 'x=$(ls); echo $((x))', 'eval "$x"'].flatMap((command): Row[] => [
      ['asks in yolo about what cannot be written again', command, everything('allow'), { mode: 'yolo' }, 'ask_user'],
      ['runs it in the sandbox', command, everything('allow'), { mode: 'yolo', isConfined: true }, 'allow'],
    ]),
    ['runs it in yolo when exactly that was allowed', 'ls ${!x}', exactly('ls ${!x}'), { mode: 'yolo' }, 'allow'],
    ...['ls <<E\na\nE', 'ls <<< a', 'ls [a-c]*', 'ls {a,b}', "ls $'a'", 'ls $1', 'case a in a) ls;; esac'].flatMap(
      (command): Row[] => [
        ['runs what can be written again in yolo', command, everything('allow'), { mode: 'yolo' }, 'allow'],
        [
          'asks though a rule allows its beginning',
          command,
          matchPrefixes(['ls', 'case'], { allowRedirection: true }),
          {},
          'ask_user',
        ],
      ],
    ),
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
    ...['ls > /tmp/x', 'ls > ../x', 'ls > ~/x', 'cd .. && ls > x', 'cd $x && ls > y'].map(
      (command): Row => [
        'asks about a redirection out of the workspace while edits are accepted',
        command,
        matchPrefixes(['ls', 'cd']),
        { mode: 'autoEdit' },
        'ask_user',
      ],
    ),
    ...['ls > /dev/null 2>&1', 'ls > /work/app/x', 'cd src && ls > x'].map(
      (command): Row => [
        'takes a redirection into the workspace while edits are accepted',
        command,
        matchPrefixes(['ls', 'cd']),
        { mode: 'autoEdit' },
        'allow',
      ],
    ),
    [
      'takes a redirection out of the workspace that the rule allows',
      'ls > /tmp/x',
      matchPrefixes(['ls'], { allowRedirection: true }),
      { mode: 'autoEdit' },
      'allow',
    ],
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
    ...[
      'tee $PWD/.vscode/x',
      'tee "$PWD/.vscode/tasks.json"',
      'tee .vscod[e]/x',
      'tee .vscod{e,}/x',
      'tee {.vscode,a}/x',
      'cp evil/.npmrc .',
      'cp -r evil/.vscode .',
      'mv evil/workflows .github',
      'ln -s evil/.envrc .',
      'git -C . mv a .vscode/x',
      'env A=b tee .vscode/tasks.json',
      'env A=b rm -rf ~',
      'bash -ic "echo x > .vscode/tasks.json"',
      'bash -ic "rm -rf /"',
      'eval "echo x > .npmrc"',
      'eval "rm -r -f ~"',
      'sudo -u root -i tee .bashrc',
      'xargs -I{} tee .vscode/{}',
      'echo .vscode/x | xargs tee',
      'busybox tee .vscode/x',
      'busybox rm -rf .',
      'A=1 eval "tee .vsc""ode/x"',
    ].map((command): Row => ['asks in yolo', command, everything('allow'), { mode: 'yolo' }, 'ask_user']),
    ...[
      'tee $PWD/src/x',
      'mkdir -p src/{a,b}',
      'cp -r a/lib dist',
      'env A=b tee src/x',
      'env A=b rm -rf dist',
      'A=1 eval "ls 2>/dev/null"',
      'busybox ls',
    ].map((command): Row => ['runs in yolo', command, everything('allow'), { mode: 'yolo' }, 'allow']),
    ['lets the refusal behind an assignment win', 'env A=b rm x', refusing('rm x'), { mode: 'yolo' }, 'deny'],
    ['runs what only reads', 'ls -la', matchPrefixes([]), {}, 'allow'],
    ...['valueOf', 'constructor x', 'git constructor', '__proto__', 'toString > x', 'git -C . toString'].map(
      (command): Row => ['takes no name for a table entry', command, matchPrefixes([]), {}, 'ask_user'],
    ),
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

  for (const [mode, interactive, command, decision] of [
    ['default', true, "echo 'a b'", 'ask_user'],
    ['default', false, "echo 'a b'", 'deny'],
    ['yolo', true, "echo 'a b'", 'ask_user'],
    ['default', true, "grep -n 'a b' src/a.ts", 'ask_user'],
  ] as const) {
    const nobody = interactive ? '' : ', when nobody can be asked';
    it(`does not allow a line in which the shell itself finds an error: ${command}, ${mode}${nobody}`, async () => {
      const checked = new Set<string>();
      const acceptsSyntax = async (text: string): Promise<boolean> => {
        checked.add(text);
        return false;
      };
      const careful = createShellJudge(parser, { home: HOME, runsBash: true, acceptsSyntax });
      const match = matchPrefixes(['echo']);
      const where = { path: ROOT, root: ROOT };
      const verdict = await careful(command, match(command), match, circumstances({ mode, interactive }), where);
      assert.equal(verdict.decision, decision, verdict.why);
      assert.match(verdict.why, /The shell's own syntax check/);
      assert.equal(verdict.runs, undefined);
      assert.deepEqual([...checked], [command]);
    });
  }

  it('never guesses at another shell', async () => {
    const judgeOther = createShellJudge(parser, { home: HOME, runsBash: false });
    const verdict = await judgeOther('ls', { decision: 'allow', why: '' }, everything('allow'), circumstances());
    assert.equal(verdict.decision, 'ask_user');
  });

  for (const [folder, command, decision] of [
    ['/work/app/.vscode', 'echo x > settings.json', 'ask_user'],
    ['/work/app/src', 'echo x > settings.json', 'allow'],
    ['/work/app', 'echo x > ../../home/u/.config/foo', 'ask_user'],
    ['/work/app/src', 'cd .. && tee ../../etc/cron.d/x', 'ask_user'],
    ['/work/app/src', 'echo x > ../lib/foo', 'allow'],
  ] as const) {
    it(`takes ${command} for where it leads from ${folder}`, async () => {
      const inFolder = createShellJudge(parser, { home: HOME, runsBash: true });
      const matched = everything('allow', { allowRedirection: true });
      const where = { path: folder, root: ROOT };
      const verdict = await inFolder(command, matched(), matched, circumstances({ mode: 'yolo' }), where);
      assert.equal(verdict.decision, decision, verdict.why);
    });
  }

  it('does not count the names above the workspace', async () => {
    const inFolder = createShellJudge(parser, { home: HOME, runsBash: true });
    const matched = everything('allow');
    const root = '/work/.claude/app';
    const verdict = await inFolder('touch x', matched(), matched, circumstances({ mode: 'yolo', roots: [root] }), {
      path: root,
      root,
    });
    assert.equal(verdict.decision, 'allow', verdict.why);
  });

  it('names what made it ask', async () => {
    const { why } = await judge(parser, 'ls && find . -name x -delete', matchPrefixes(['ls', 'find']));
    assert.equal(why, 'No rule can cover this, because of the option -delete of `find` in `find . -name x -delete`.');
  });
});

function refusing(refused: string) {
  return (command: string): Verdict =>
    command === refused
      ? { decision: 'deny', rule: rule('deny'), why: 'A rule refuses it.' }
      : { decision: 'allow', rule: rule('allow'), why: 'Allowed.' };
}
