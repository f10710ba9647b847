import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import { loadShellParser } from '../../../../extension/policy/shell/parse-shell.ts';
import type { ReadableShell, ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { runs } from '../../../support/test-size.ts';

let parser: ShellParser;
before(async () => {
  parser = await loadShellParser(resolve('out/assets'));
});

function read(command: string): ReadableShell {
  const parsed = parser.parse(command);
  assert.ok(parsed.parsed, parsed.parsed ? '' : parsed.reason);
  return parsed;
}

describe('the commands of a line', () => {
  const cases: readonly [line: string, ...commands: readonly string[]][] = [
    ['cat a | grep b && ls; pwd & true', 'cat a', 'grep b', 'ls', 'pwd', 'true'],
    ['ls\nrm x', 'ls', 'rm x'],
    ['(ls; { pwd; })', 'ls', 'pwd'],
    ['if a; then b; elif c; then d; else e; fi', 'a', 'b', 'c', 'd', 'e'],
    ['for i in $(a); do b; done', 'a', 'b'],
    ['while a; do b; done', 'a', 'b'],
    ['until a; do b; done', 'a', 'b'],
    ['case $(a) in x) b;; *) c;; esac', 'a', 'b', 'c'],
    ['f() { a; }; f', 'a', 'f'],
    ['! a', 'a'],
    ['echo "$(a "$(b)")"', 'echo "$(a "$(b)")"', 'a "$(b)"', 'b'],
    ['echo `a`', 'echo `a`', 'a'],
    ['cat <(a) > >(b)', 'cat <(a)', 'a', 'b'],
    ['cat <<EOF && c\n$(a)\nEOF', 'cat', 'c', 'a'],
    ['a > b', 'a'],
    ['A=1 a', 'A=1 a'],
    ["bash -c 'a && b'", "bash -c 'a && b'", 'a', 'b'],
    ['sh -ec "bash -c \'a\'"', 'sh -ec "bash -c \'a\'"', "bash -c 'a'", 'a'],
    [
      'timeout -k 5 --signal=KILL 10 nice -n 5 a b',
      'timeout -k 5 --signal=KILL 10 nice -n 5 a b',
      'nice -n 5 a b',
      'a b',
    ],
    ['sudo -u root env a', 'sudo -u root env a', 'env a', 'a'],
    ["find . -exec a {} \\; -execdir b 'c d' +", "find . -exec a {} \\; -execdir b 'c d' +", 'a {}', "b 'c d' +"],
    ["flock lock -c 'a; b'", "flock lock -c 'a; b'", 'a', 'b'],
    ['watch -n 2 a b', 'watch -n 2 a b', 'a b'],
    ['xargs -0 -n 1 a -b', 'xargs -0 -n 1 a -b', 'a -b'],
    ['command -v a', 'command -v a'],
    ['nohup a & setsid b', 'nohup a', 'setsid b', 'a', 'b'],
  ];
  for (const [line, ...commands] of cases) {
    it(`are found in ${JSON.stringify(line)}`, () => {
      assert.deepEqual(
        read(line)
          .commands.map(({ text }) => text)
          .sort(),
        [...commands].sort(),
      );
    });
  }
});

describe('the words of a command', () => {
  const cases: readonly [line: string, ...words: readonly (string | undefined)[]][] = [
    [`find -e"x"ec 'a b'c`, 'find', '-exec', 'a bc'],
    ['echo a\\ b \\$x "\\$y \\n"', 'echo', 'a b', '$x', '$y \\n'],
    ['echo *.js a? [x] {a,b} {1..3}', 'echo', undefined, undefined, undefined, 'a', 'b', '1', '2', '3'],
    [`echo '*' "?" \\* {} stash@{0}`, 'echo', '*', '?', '*', '{}', 'stash@{0}'],
    ['echo $x "${y}" ~/a x=~/b $\'a\'', 'echo', undefined, undefined, '~/a', undefined, undefined],
    ['grep foo$ 1 a=b', 'grep', 'foo$', '1', 'a=b'],
    ['$x y', undefined, 'y'],
  ];
  for (const [line, ...words] of cases) {
    it(`are known, or known to be unknown, in ${line}`, () => {
      assert.deepEqual(
        read(line).commands[0]?.words.map(({ value }) => value),
        words,
      );
    });
  }

  it('have a beginning that is certain', () => {
    const [command] = read('a src/*.js --out="$x" $y').commands;
    assert.deepEqual(
      command?.words.map(({ beginning }) => beginning),
      ['a', 'src/', '--out=', ''],
    );
  });
});

describe('what commands do not show', () => {
  const concerning: readonly [line: string, concern: RegExp][] = [
    ['echo $(a)', /substitution/],
    ['echo `a`', /substitution/],
    ['cat <(a)', /process substitution/],
    ['A=1 a', /assignment/],
    ['a && B=1', /assignment/],
    ['f() { a; }', /function/],
    ['echo $((1))', /arithmetic/],
    ['((a))', /arithmetic/],
    ['echo ${x:-y}', /variable that is changed/],
    ['echo ${!x}', /variable that is changed/],
    ['$x', /only known at run time/],
    ['export A', /`export`/],
    ['unset a', /`unset`/],
    ['[[ a -eq b ]]', /evaluates/],
    ['for PATH in a; do b; done', /sets PATH/],
    ['coproc a', /`coproc`/],
    ['a > b -c', /after a redirection/],
    ['>b a', /before a command/],
    ['cat < /dev/tcp/h/1', /connection/],
    ['a\rb', /U\+000D/],
    ['a \u202eb', /U\+202E/],
    ['a \u2028b', /U\+2028/],
    ['a \u0000b', /U\+0000/],
    ['a\\\nb c', /next line/],
    ['a | sh', /Gantry can't see/],
    ['bash -c "$x"', /only known at run time/],
    ["bash -c 'if'", /inner script/],
    ["zsh -c 'a'", /zsh/],
    ['pwsh -c a', /pwsh/],
    ['cmd /c a', /cmd/],
    ['env A=1 b', /assignment/],
    ["env -S 'a b'", /option -S/],
    ['timeout $x a', /only known at run time/],
    ['parallel a', /parallel/],
    ['exec > b', /`exec`/],
    ['find . -exec a \\;', /find/],
    ['a (b)', /parentheses/],
    ['echo 10#$(a)', /substitution/],
    ['[[ x =~ $(a) ]]', /substitution|pattern/],
    ['[[ x == a*$(b) ]]', /substitution|pattern/],
    ['case x in a*$(b)) c;; esac', /substitution|pattern/],
    ['for i in {1..$(a)}; do b; done', /substitution/],
  ];
  for (const [line, concern] of concerning) {
    it(`is a concern in ${JSON.stringify(line)}`, () => {
      const parsed = parser.parse(line);
      const said = parsed.parsed ? parsed.concerns.join('; ') : parsed.reason;
      assert.match(said, parsed.parsed ? concern : /./);
    });
  }

  for (const line of ["echo 'a", 'if a', 'a |', '', '# a', 'A=1', '> a', 'echo ${x@P}', 'a <> b', 'x'.repeat(20_001)]) {
    it(`makes ${JSON.stringify(line.slice(0, 30))} unreadable`, () => {
      assert.equal(parser.parse(line).parsed, false);
    });
  }

  it('is nothing in ordinary lines', () => {
    for (const line of [
      'ls -la | grep "a b" && pwd',
      'cat a > b 2>&1',
      'for f in a b; do echo "$f"; done',
      'a \\\n  --b',
    ]) {
      assert.deepEqual(read(line).concerns, [], line);
    }
  });
});

describe('a line written anew', () => {
  const cases: readonly [line: string, written: string][] = [
    ['ls -la src', 'ls -la src'],
    ['echo "a b" it\\\'s', "echo 'a b' 'it'\\''s'"],
    ['echo "\\$x \\\\" \\* ""', "echo '$x \\' '*' ''"],
    ['cat a|grep b&&ls;pwd & true', 'cat a | grep b && ls; pwd & true'],
    ['ls # all\n\npwd\n', 'ls; pwd'],
    ['a \\\n  --b', 'a --b'],
    ['ls src/*.ts "a b"?', "ls src/*.ts 'a b'?"],
    ['echo "$x y" $x ${x}z $?', 'echo "${x}"\' y\' ${x} ${x}z $?'],
    ['echo ~/a "~/b" ~ a~', "echo ~/a '~/b' ~ 'a~'"],
    ['a > b 2>&1 < c >> d', 'a > b 2>&1 < c >> d'],
    ['a &> b', 'a > b 2>&1'],
    ['a 2>/dev/null', 'a 2> /dev/null'],
    ['(a; b)', '( a; b )'],
    ['{ a; b\n}', '{ a; b; }'],
    ['! a | b', '! a | b'],
    ['if a\nthen b; elif c; then d\nelse e; fi > f', 'if a; then b; elif c; then d; else e; fi > f'],
    ['while a; do b & done', 'while a; do b & done'],
    ['until a; do b; done', 'until a; do b; done'],
    ['for f in a \'b c\' *.ts\ndo echo "$f"; done', 'for f in a \'b c\' *.ts; do echo "${f}"; done'],
    ['bash -c \'a  "b c"\'', "bash -c 'a '\\''b c'\\'''"],
    ["timeout 5 sh -c 'a;b'", "timeout 5 sh -c 'a; b'"],
    ['git commit -m "a\nb"', "git commit -m 'a\nb'"],
    ['echo {} a=b =c HEAD^ ü !', "echo '{}' a=b '=c' 'HEAD^' 'ü' '!'"],
    ["'[' -f x ]", "'[' -f x ']'"],
    ['A=b C="d e" a', "A=b C='d e' a"],
    ['A=~/x B= C+=$d a', 'A=~/x B= C+=${d} a'],
    ['A={a,b} B=*.js a', "A='{a,b}' B='*.js' a"],
    ['A=b; echo $A', 'A=b; echo ${A}'],
    ['export A="$x y" B', 'export A="${x}"\' y\' B'],
    ['echo $(a | b) "c $(d "$e")"', 'echo $(a | b) \'c \'"$(d "${e}")"'],
    ['echo $( (a) ) `b c`', 'echo $( ( a ) ) $(b c)'],
    ["cat <<'E' | b > f\nx  $y\n'z'\nE\nls", "cat <<< 'x  $y\n'\\''z'\\''' | b > f; ls"],
    ['cat <<E > f && ls\n$x "\\$y" $(a)\nE\npwd', 'cat <<< "${x}"\' "$y" \'"$(a)" > f && ls; pwd'],
    ['cat <<-E\n\tx\n\tE', 'cat <<< x'],
    ['cat <<E\nE', 'cat < /dev/null'],
    ["python3 - <<'E'\nimport a\nE", "python3 - <<< 'import a'"],
    ['git commit -m "$(cat <<\'E\'\na (b\n\nE\n)"', 'git commit -m "$(cat <<< \'a (b\n\')"'],
    ['cat <<< "a $x"', 'cat <<< \'a \'"${x}"'],
    ['while read -r l; do b; done <<E\nx y\nE', "while read -r l; do b; done <<< 'x y'"],
    ['echo ${x:-y} "${x:-a b}" ${x%.*} ${#x} ${a[0]}', 'echo ${x:-y} "${x:-a b}" ${x%.*} ${#x} ${a[0]}'],
    ['echo $1 "$@" $# $$ $!', 'echo $1 "$@" $# $$ $!'],
    ['echo [a-z]* a[!b] x', 'echo [a-z]* a[!b] x'],
    ['echo {a,b}.ts {1..3} x{,y} {}', "echo a.ts b.ts 1 2 3 x xy '{}'"],
    ["echo $'a\\tb\\'' $'\\x41'", "echo 'a\tb'\\''' A"],
    [
      'case $x in a|"b c") ls;; (*.ts) ;; [0-9]) a; b; esac',
      "case ${x} in ( a | 'b c' ) ls ;; ( *.ts ) ;; ( [0-9] ) a; b ;; esac",
    ],
    ['[[ -f "a b" && ! $x == a* || ( $# -gt 1 ) ]] && b', "[[ -f 'a b' && ! ${x} == a* || ( $# -gt 1 ) ]] && b"],
    ["[[ '-f' = x ]]; b", "[[ '-f' = x ]]; b"],
    ['echo $((1 + 2*3)) $(( (1)/2 ))', 'echo $(( 1 + 2*3 )) $(( (1)/2 ))'],
    ['i=0; while a; do i=$((i+1)); done', 'i=0; while a; do i=$(( i+1 )); done'],
    ["bash -c 'cat <<< x'", "bash -c 'cat <<< x'"],
    ["trap 'a  \"b\"' EXIT; eval 'c  d'; trap - INT", "trap 'a b' EXIT; eval 'c d'; trap - INT"],
  ];
  for (const [line, written] of cases) {
    it(`is ${JSON.stringify(written)} for ${JSON.stringify(line)}`, () => {
      assert.equal(read(line).written, written);
      assert.equal(read(written).written, written, 'and stays as it is');
    });
  }

  for (const line of [
    'echo ~user',
    "''$x a",
    'a |& b',
    'a 22>&1',
    'a > b c',
    'watch a b',
    'select i in a; do b; done',
    'cat <<E\n$(a\nE',
    'cat <<E <<F\nE\nF',
    'cat <<E "a\nb"\nE',
    'cat < f <<E\nx\nE',
    'echo "$(cat <<E\nEOF)\nE\n)"',
    'echo $(cat <<E\nx\nE\na; b\n)',
    'echo $(cat <<E\n\\\\\nE\n)',
    'cat > f <<E\n$(a)\nE',
    "$'ls' a",
    'time | a',
    'time if a',
    'time $x a',
    't\\ime a',
    'time x=1 a',
    'time -p x=1 a',
    // Zsh runs the rest of these.
    'noglob a',
    '- a',
    // The grammar sees no command in it.
    'cat <<E\n`a`\nE',
    'echo <(a)',
    'echo ${!x} ${x@Q}',
    'echo "${x:-$(a)}"',
    'echo ${x:-a b}',
    'echo $x{a,b}',
    'echo {1..1000}',
    'echo {01..10}',
    'echo {a,b',
    'echo a[b',
    "echo $'\\u0041'",
    "echo $'\\xe9'",
    'case x in a) b;& c) d;; esac',
    '[[ a =~ b ]]; c',
    '[[ -v a ]]; c',
    '[[ $x -eq 1 ]]; c',
    '[[ a < b ]]; c',
    'echo $((x))',
    'x=$(a); echo $((x))',
    'x=1; read x; echo $((x + 1))',
    'echo $((010)) $((x++))',
    'echo `a \\`b\\``',
    'a[0]=1 b',
    'PS4=x; set -x; a',
    'eval "$x"',
    'trap "$x" EXIT; b',
    'read "a[$(b)]"',
    'declare -i n; a',
    "printf -v 'a[$(b)]' x",
    '. /dev/stdin <<< a',
    'jobs -x a',
    'hash -p a b',
  ]) {
    it(`is nothing for ${JSON.stringify(line)}`, () => {
      const parsed = parser.parse(line);
      assert.ok(!parsed.parsed || parsed.written === undefined, parsed.parsed ? parsed.written : '');
    });
  }

  for (const line of ['echo \\ #; touch PWN', 'echo == ; touch PWN ]]', 'ls \n\\touch PWN']) {
    it(`is a concern where it is read in two ways, as ${JSON.stringify(line)}`, () => {
      assert.deepEqual(read(line).concerns, ['words that can be read in more than one way']);
    });
  }
});

describe('reading a line', () => {
  it('ends for any text, without throwing', function () {
    this.timeout(30_000);
    const wild = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.constantFrom(...'$ ( ) { } ` \' " ; & | < > \\ \n a [ ] * = << EOF ! # bash -c'.split(' ')), {
          maxLength: 40,
        })
        .map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(wild, (line) => {
        assert.equal(typeof parser.parse(line).parsed, 'boolean');
      }),
      { numRuns: runs(500, 5000) },
    );
  });

  it('gives up on text that would keep it busy', () => {
    for (const line of [
      '('.repeat(19_000),
      '$('.repeat(9_000),
      'a|'.repeat(999),
      '"$'.repeat(9_999),
      '{a,'.repeat(6_000),
      'bash -c '.repeat(2_000),
    ]) {
      const parsed = parser.parse(line);
      assert.ok(!parsed.parsed || parsed.concerns.length > 0, line.slice(0, 20));
    }
    for (const line of ['a'.repeat(20_001), 'a|'.repeat(1000), 'a|\n'.repeat(5000)])
      assert.deepEqual(parser.parse(line), { parsed: false, reason: 'it is too long to check' });
  });
});
