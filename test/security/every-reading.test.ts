import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Verdict } from '../../extension/policy/policy-types.ts';
import type { MatchedRule } from '../../extension/policy/rules/shell-judge.ts';
import type { ShellParser } from '../../extension/policy/shell/shell-types.ts';
import type { ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';
import { processorTimeOf } from '../support/processor-time.ts';
import { judge, rule, shellParser } from '../support/shell-judging.ts';
import { KNOWN } from '../support/wild-lines.ts';

/** `git push` is refused by its beginning, `rm` asks, and everything else is allowed. */
function match(command: string): Verdict {
  const pattern = (text: RegExp): Pick<Verdict, 'rule'> | undefined =>
    text.test(command) ? { rule: rule('deny', { argsPattern: text }) } : undefined;
  const denied = pattern(/^git push(?:\s|$)/) ?? pattern(/^touch(?:\s|$)/);
  if (denied) return { decision: 'deny', why: 'A rule refuses it.', ...denied };
  const asked = pattern(/^rm(?:\s|$)/);
  if (asked) return { decision: 'ask_user', why: 'A rule asks.', ...asked };
  return { decision: 'allow', rule: rule('allow', { allowRedirection: true }), why: 'Everything is allowed.' };
}

/** Ways to write `git push` so that a rule for its beginning does not see it. */
const REFUSED = [
  'git push',
  'git  push',
  'git\tpush origin',
  'git "push"',
  "'git' push",
  'g\\it push',
  '\\git push',
  'git pu""sh',
  '/usr/bin/git push',
  './git push',
  'git -C . push',
  'git --no-pager push',
  'git -c a=b push origin',
  'ls && git push',
  'ls; "git" "push"',
  'ls | /usr/bin/git push',
  '(git push)',
  '{ git push; }',
  'if true; then git push; fi',
  'for i in a; do git push; done',
  'while git push; do ls; done',
  'env A=b git push',
  'timeout 5 git "push"',
  "bash -c 'git push'",
  'bash -c "git \'push\'"',
  'eval git push',
  "eval 'git push'",
  'eval "git"" push"',
  'echo $(git push)',
  'echo `git push`',
  'cat <(git push)',
  'A=1 git push',
  'f() { git push; }; f',
  'case x in x) git push;; esac',
  '[[ a ]] && git push',
  '! git push',
  'git push > x 2>&1',
  'echo x | xargs git push',
  'cat <<EOF\nx\nEOF\ngit push',
  "cat <<'EOF' | sh\ngit push\nEOF",
  "bash -c -- 'git push'",
  "sh -c -e 'git push'",
  "script -c 'git push' /dev/null",
  'awk \'BEGIN { system("git push") }\'',
  "sed -n '1e git push' a",
  'perl -e \'system("git push")\'',
  "git -c alias.x='!git push' x",
  "git grep -O'git push' x",
  'x=push; git $x origin',
  "read PS4 <<< '$(git push)'; set -x; ls",
  "read RANDOM <<< 'a[$(git push)]'",
  'git \\\npush',
  'gi\\\nt push',
  "git push '",
  'ls "\ngit push',
  "ls '\ngit push",
  'ls #\ngit push',
  'ls \\ #; git push',
  "echo $'\\\\'; git push #'",
  'echo == ; git push ]]',
  'ls \n\\git push',
  'ls\rgit push',
  'ls\u00a0; git push',
  'ls\u2028git push',
  'alias x=y; git push',
  'coproc git push',
  'time git push',
  'git push &',
  'exec git push',
  'command git push',
  'sudo git push',
  'ls =(git push)',
  'echo {git,push}; git push',
];

/** Lines that start a program whose name only the run shows. */
const UNKNOWN = [
  '$(echo tou)ch x',
  '"$x" y',
  'x=touch; $x y',
  'env $(echo tou)ch x',
  'env A=b $x y',
  'env -S "$x"',
  'nohup "$x"',
  'timeout --unknown $x y',
  'sudo $x',
  'xargs $x',
  'xargs -I{} $x',
  'find . -exec {} x \\;',
  'bash -c "tou$a x"',
  'bash -c "$x"',
  'bash $x',
  'eval "tou$a x"',
  'trap "$x" EXIT',
  'watch tou$a x',
  'flock lock -c "$x"',
  'su -c "tou$a x"',
  "printf 'tou%s' 'ch x' | sh",
  "base64 -d <<< 'dG91Y2ggeA==' | bash -s",
  'source /dev/stdin',
  // Neither of these can be written again.
  'f() { "$x"; }; f y',
  'ls <<EOF; "$x" y',
];

/** That `git push` is part of a text does not make it a command where the line can be read. */
const NOT_REFUSED = [
  "echo 'git push'",
  'echo git push',
  'git log --grep "git push"',
  'git commit -m "then git push"',
  'gitx push',
  'git pushx',
];

describe('a refusal, however the command is written', () => {
  let parser: ShellParser;
  before(async () => {
    parser = await shellParser();
  });
  const decide = async (command: string, mode: ApprovalMode): Promise<string> =>
    (await judge(parser, command, match, { mode })).decision;

  for (const mode of ['default', 'autoEdit', 'yolo'] as const) {
    it(`holds (${mode})`, async () => {
      for (const command of REFUSED) assert.deepEqual([command, await decide(command, mode)], [command, 'deny']);
    });
  }

  it('asks if only the run shows which program starts, in the sandbox too', async () => {
    const restricting = rule('deny', { argsPattern: /^touch/ });
    const withRule = (command: string): Verdict & MatchedRule => ({ ...match(command), restricting });
    for (const isConfined of [false, true]) {
      for (const command of UNKNOWN) {
        const verdict = await judge(parser, command, withRule, { mode: 'yolo', isConfined });
        assert.deepEqual([command, verdict.decision], [command, 'ask_user']);
        // Without the rule, the sandbox would let it run.
        if (isConfined && !verdict.isGate) assert.equal(verdict.rule, restricting, command);
      }
      for (const command of ['ls "$x"', 'bash -c "ls"', 'xargs -n1 ls', 'bash script.sh', 'npm run "$x"'])
        assert.equal((await judge(parser, command, withRule, { mode: 'yolo', isConfined })).decision, 'allow', command);
    }
  });

  it('holds for lines that grammars and shells read differently', async () => {
    for (const command of KNOWN.filter((line) => /touch['"]* PWN/.test(line) && !/#b; touch|\\\n\\\ntouch/.test(line)))
      assert.deepEqual([command, await decide(command, 'yolo')], [command, 'deny']);
  });

  it('is not one of words that are no command', async () => {
    for (const command of NOT_REFUSED) assert.deepEqual([command, await decide(command, 'yolo')], [command, 'allow']);
  });

  it('asks where a rule asks, in yolo mode too', async () => {
    for (const command of ['"rm" x', '/bin/rm x', "ls '; rm x", 'A=1 rm x', "echo $'\\\\'; rm x #'"])
      assert.deepEqual([command, await decide(command, 'yolo')], [command, 'ask_user']);
  });

  it('is looked for in time, or the line asks', async () => {
    const took = await processorTimeOf(async () => {
      const decideConfined = async (command: string): Promise<string> =>
        (await judge(parser, command, match, { mode: 'yolo', isConfined: true })).decision;
      assert.equal(await decideConfined(`echo 'a ${'b c '.repeat(4000)}`), 'allow');
      const many = Array.from({ length: 6000 }, (_, index) => index).join(' ');
      assert.equal(await decideConfined(`echo 'a ${many}`), 'ask_user');
    });
    assert.ok(took < 5000);
  });
});
