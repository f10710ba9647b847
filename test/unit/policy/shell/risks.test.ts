import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { destructionOf } from '../../../../extension/policy/shell/destructive.ts';
import { isKnownSafe } from '../../../../extension/policy/shell/known-safe.ts';
import { riskOf } from '../../../../extension/policy/shell/risky-options.ts';
import type { ReadableShell, ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { targetsIn, unknownWrites, writesOf } from '../../../../extension/policy/shell/shell-writes.ts';
import { growthOf, LINEAR } from '../../../support/processor-time.ts';
import { shellParser } from '../../../support/shell-judging.ts';

let parser: ShellParser;
before(async () => {
  parser = await shellParser();
});

function read(line: string): ReadableShell {
  const parsed = parser.parse(line);
  assert.ok(parsed.parsed, line);
  return parsed;
}

function first(line: string): ReadableShell['commands'][number] {
  const [command] = read(line).commands;
  assert.ok(command);
  return command;
}

describe('options that run or write', () => {
  for (const line of [
    'git -c a=b log',
    'git --config-env=a=b log',
    'git -C /x log',
    'git log --ext-diff',
    'git show --textconv',
    'git grep -nO less x',
    'git archive -o x HEAD',
    'git clone ext::x',
    'git fetch --upload-pack=x',
    'git fetch ext::sh',
    'git log $x',
    'git $x',
    'find . -okdir a \\;',
    'find $x',
    'sort -ruo x y',
    'sort --compress-program x y',
    'tar -cIx f',
    'tar czIf x y',
    'tar --use-compress-prog=x',
    'tar *',
    'rg --pre=x y',
    'rg -nz x',
    'sed -n -i p x',
    "sed -e p -e '1w x' y",
    'sed -f x y',
    'sed -s p x',
    "sed 's/a/b/;w x' y",
    'awk -f x',
    'awk \'{print | "x"}\'',
    "gawk -i inplace '{print}' x",
    'printf -v x y',
    'curl -sSo x y',
    "curl -w '%output{x}y' z",
    "curl -sw'%output{>>x}y' z",
    'curl -sw @x y',
    'curl -w "$x" y',
    'curl --unix-socket x y',
    'curl --expand-output x y',
    "less --lesskey-content='x' y",
    'diff3 --diff-program=x a b c',
    'sdiff -o x a b',
    "dc -e '!x'",
    'dc x',
    "view -c ':!x' y",
    'wget -qO x y',
    'rsync -e x a b',
    'ssh -oProxyCommand=x h',
    'docker run x',
    'python -c x',
    'node -e x',
    'perl -pi -e x',
    'npm exec x',
    'npm config set x y',
    'make CC=x',
    'make -f x',
    'go test -exec x',
    'man -P x y',
    'less +!x',
    'vim -c x',
    'eval x',
    'source x',
    'trap x EXIT',
    'npx x',
    'crontab x',
  ]) {
    it(`are noticed in ${line}`, () => assert.notEqual(riskOf(first(line)), undefined));
  }

  for (const line of [
    'git log -S x --stat',
    "git commit -m 'a --output'",
    'git log -- $x',
    'sort -k1,1 x',
    'tar -tf x',
    'rg -n x src/*',
    'curl -s x',
  ]) {
    it(`are not seen in ${line}`, () => assert.equal(riskOf(first(line)), undefined));
  }
});

describe('commands that run unasked', () => {
  // CVE-2025-55284: a list of commands that were thought to be harmless held some that reach the network.
  const TOO_MUCH = `ping curl wget nslookup dig host nc ssh scp rsync ftp telnet whois traceroute openssl npm npx yarn pnpm pip cargo
    make go node python bash sh env xargs tee cp mv rm ln dd touch mkdir chmod awk tar sort date man less vim rg test printf
    git_fetch git_pull git_push git_clone git_remote git_ls-remote git_config git_grep git_blame git_stash git_tag`;
  for (const name of TOO_MUCH.split(/\s+/)) {
    it(`do not include ${name.replace('_', ' ')}`, () => {
      for (const rest of ['', ' x', ' -v', ' --version']) {
        assert.equal(isKnownSafe(first(`${name.replace('_', ' ')}${rest}`)), false);
      }
    });
  }

  for (const line of [
    'ls > x',
    'cat $x',
    'cat *.md',
    './ls',
    '/tmp/cat x',
    'cat id_rsa',
    'ls /',
    'find . -delete',
    'find . -unknown',
    'base64 -o x',
    'git log --output=x',
    'git diff --ext-diff',
    'git branch x',
    'git branch -d x',
    'git -P log',
    "sed -n 'w x'",
    "sed -n '1p;w x' y",
    'uniq a b',
    'grep --unknown x',
    'tail -f x',
    'git show HEAD:.env',
    'git diff --no-index /etc/passwd x',
  ]) {
    it(`do not include ${line}`, () => assert.equal(isKnownSafe(first(line)), false));
  }
});

describe('what a line writes', () => {
  const cases: readonly [line: string, ...paths: readonly string[]][] = [
    ['a > b 2>> c &> d', 'b', 'c', 'd'],
    ['a 2>&1 >/dev/null'],
    ['{ a; b; } > c', 'c'],
    ['a | tee -a b c', 'b', 'c'],
    ['cp -r a b c', 'c', 'c/a', 'c/b'],
    ['cp -t a b', 'b', 'a', 'a/b', 'b/a'],
    ['cp x/.npmrc .', '.', './.npmrc'],
    ['cp -r x/.vscode/ d', 'd', 'd/.vscode'],
    ['cp a b -S x', 'a', 'b', 'x', 'b/a', 'b/x', 'x/a', 'x/b'],
    ['rsync --exclude x a b', 'a', 'b', 'x', 'a/x', 'a/b', 'b/a', 'b/x'],
    ['ln -s x/.envrc .', 'x/.envrc', '.', './.envrc'],
    ['mv a b', 'a', 'b', 'b/a', 'a/b'],
    ['git -C . config a b', '.git/config', './.git/config'],
    ['git --git-dir x config a b', '.git/config'],
    ['git --no-pager -c a=b mv a .vscode/x', 'a', '.vscode/x'],
    ['cd a; cd /b; touch c', 'c', 'a/c', '/b/c'],
    ['dd if=a of=b', 'b'],
    ['sed -i.bak s/a/b/ c', 's/a/b/', 'c'],
    ['sort -ob a', 'b'],
    ['curl -so b u', 'b'],
    ['curl --output=b u', 'b'],
    ['cd a && touch b', 'b', 'a/b'],
    ['echo x > ~/a', '~/a'],
    ['echo x > "$HOME/a"', '~/a'],
    ['rm .git/*', '.git/'],
    ["bash -c 'a > b'", 'b'],
    ['sudo tee a', 'a'],
    ['git config a b', '.git/config'],
    ['cat <<EOF > a\nx\nEOF', 'a'],
    ['cat a b'],
  ];
  for (const [line, ...paths] of cases) {
    it(`is ${paths.join(', ') || 'nothing'} in ${JSON.stringify(line)}`, () => {
      assert.deepEqual([...writesOf(read(line))].sort(), [...paths].sort());
    });
  }

  it('is said to be unknown where it is', () => {
    assert.deepEqual(unknownWrites(targetsIn(read('a > $x; rm *; cp a "$y"; echo b > "$HOME/c"'))), [
      '$x',
      '*',
      '"$y"',
    ]);
  });
});

describe('a function that calls itself without end', () => {
  const places = { home: '/home/u', roots: ['/w'] };
  const bombs = [':(){ :|:& };:', 'b () { b | b & } ; b', 'x(){ echo; x|x& };x', 'bomb(){\nbomb|bomb &\n};bomb'];
  const others = ['f() { ls | wc & }; f', 'a(){ a|b& };a', 'a(){ ls; }; a|a&', 'echo "()"', ''];
  it('is found, and nothing else is taken for one', () => {
    const found = [...bombs, ...others].filter((line) => destructionOf(line, undefined, places) !== undefined);
    assert.deepEqual(found, bombs);
  });

  for (const piece of ['a', 'a()', 'a(){', 'a(){a|', '() ', ' ', ':|:']) {
    it(`is looked for in time that grows with the command: ${piece}`, () => {
      const look = (length: number): void =>
        void destructionOf(`${piece.repeat(length / piece.length)}()`, undefined, places);
      const growth = growthOf(look, 8000);
      assert.ok(growth < LINEAR, `${growth} times`);
    });
  }
});
