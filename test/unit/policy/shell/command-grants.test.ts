import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Verdict } from '../../../../extension/policy/policy-types.ts';
import { coversExactly, exactCommandPattern } from '../../../../extension/policy/rules/exact-patterns.ts';
import { commandGrants, whyNotRemembered } from '../../../../extension/policy/shell/command-grants.ts';
import type { ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { judge, ROOT, rule, shellParser } from '../../../support/shell-judging.ts';

describe('what can be remembered of a command', () => {
  let parser: ShellParser;
  before(async () => {
    parser = await shellParser();
  });
  const labels = (command: string): string[] =>
    commandGrants(parser.parse(command), command, [ROOT]).map(({ label }) => label);

  const cases: readonly [command: string, ...labels: readonly string[]][] = [
    ['git log -5', 'git log -5', 'git log'],
    ['npm run build -- --x', 'npm run build -- --x'],
    ['npm run build', 'npm run build', 'npm run build'],
    ['npm test', 'npm test', 'npm test'],
    ['cargo test a', 'cargo test a', 'cargo test'],
    ['make test', 'make test', 'make test'],
    ['tsc --noEmit', 'tsc --noEmit', 'tsc --noEmit'],
    ['cd /work/app && npm test', 'cd /work/app && npm test', 'cd, npm test'],
    ['cd /tmp && npm test', 'cd /tmp && npm test'],
    ['npm test && git log -1', 'npm test && git log -1', 'npm test, git log'],
    ['npm test && rm x', 'npm test && rm x'],
    ['npm test > log', 'npm test > log'],
    ['npm test 2>&1', 'npm test 2>&1'],
    ['npm test | cat > /dev/null', 'npm test | cat > /dev/null'],
    ['git push', 'git push'],
    ['git log --output=x', 'git log --output=x'],
    ['rm -rf dist', 'rm -rf dist'],
    ['python build.py', 'python build.py'],
    ['npx tsc', 'npx tsc'],
    ["bash -c 'npm test'", "bash -c 'npm test'"],
    ['curl https://a.example', 'curl https://a.example'],
    ['git  log', 'git  log'],
    ['A=1 npm test'],
    ['npm test | sh'],
    ['echo $(ls)'],
    ["echo 'a"],
    [`echo ${'x'.repeat(3000)}`],
  ];
  for (const [command, ...expected] of cases) {
    it(`is ${expected.length === 0 ? 'nothing' : expected.join(' or ')} for ${command.slice(0, 40)}`, () => {
      assert.deepEqual(labels(command), expected);
      assert.equal(whyNotRemembered(parser.parse(command), command) === undefined, expected.length > 0);
    });
  }

  it('says what it covers', () => {
    const [exact, prefix] = commandGrants(parser.parse('git log -5'), 'git log -5', [ROOT]);
    assert.equal(exact?.covers, 'Exactly this command, and no other, in any folder of the workspace.');
    assert.equal(
      prefix?.covers,
      'Every command that begins with `git log`, in any folder of the workspace. Options that could make it run or write something else still require approval.',
    );
  });

  for (const command of [
    'npm test -5',
    'rm -rf "a b" && npm test',
    'echo a/b > x',
    "timeout 5 bash -c 'npm test'",
    'ls\nmake',
  ]) {
    it(`is enough not to be asked again about ${JSON.stringify(command)}`, async () => {
      const [exact] = commandGrants(parser.parse(command), command, [ROOT]);
      const match = (text: string): Verdict => {
        const found = exact?.rules.find(({ argsPattern }) => new RegExp(argsPattern ?? '').test(canonical(text)));
        if (!found) return { decision: 'ask_user', why: 'No rule.' };
        const { argsPattern = '', allowRedirection } = found;
        return {
          decision: 'allow',
          rule: rule('allow', {
            argsPattern: new RegExp(argsPattern),
            ...(allowRedirection ? { allowRedirection } : {}),
          }),
          why: 'Remembered.',
        };
      };
      assert.equal((await judge(parser, command, match)).decision, 'allow');
      assert.equal((await judge(parser, `${command} x`, match)).decision, 'ask_user');
    });
  }
});

describe('a pattern for exactly one command', () => {
  for (const command of ['ls', 'a "b" \\ c', 'x\ty\n[z]*.{1}$^|(?)', 'a/b-c', 'ü 💥 \u0001', 'C:\\dir']) {
    it(`finds ${JSON.stringify(command)} and nothing longer`, () => {
      const pattern = new RegExp(exactCommandPattern(command));
      assert.ok(pattern.test(canonical(command)));
      assert.ok(!pattern.test(canonical(`${command} `)));
      assert.ok(!pattern.test(canonical(` ${command}`)));
      assert.ok(coversExactly(rule('allow', { argsPattern: pattern }), command));
      assert.ok(!coversExactly(rule('allow', { argsPattern: /ls/ }), command));
    });
  }
});

/** The arguments as rules see them, with another pair on each side. */
function canonical(command: string): string {
  return `{\0"a":1\0,\0"command":${JSON.stringify(command)}\0,\0"z":"\\"command\\":"\0}`;
}
