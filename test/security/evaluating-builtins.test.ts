import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shellParser } from '../support/shell-judging.ts';
import { shellsHere, startedBy } from '../support/stub-shells.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { runs } from '../support/test-size.ts';

/** What bash evaluates if it is taken for the name of a variable. */
const INDEX = 'a[$(touch PWN)]';
/** Commands of the shell that evaluate names, or run what they are told, if they get one of these options. */
const BUILTINS: Readonly<Record<string, string>> = {
  '[': 'vR',
  cd: 'P',
  command: 'pvV',
  declare: 'inpx',
  exec: 'ac',
  export: 'np',
  getopts: '',
  hash: 'pt',
  jobs: 'xl',
  kill: 'sn',
  local: 'in',
  mapfile: 'Ctn',
  printf: 'v',
  pushd: 'n',
  read: 'apr',
  readarray: 'Ct',
  readonly: 'ap',
  set: 'ok',
  shopt: 's',
  test: 'vR',
  trap: 'p',
  type: 'ap',
  typeset: 'in',
  ulimit: 'n',
  unset: 'vfn',
  wait: 'np',
};

/** An option as it is, in parts that are known only at run time, and wholly unknown. */
function* optionWords(letters: string): Generator<readonly [setup: string, word: string]> {
  yield ['', ''];
  for (const letter of letters) {
    yield ['', `-${letter}`];
    yield ['', `-\${x}${letter}`];
    yield ['', `"-$x"${letter}`];
    yield ['', `-\${x:-${letter}}`];
    yield ['', `\${x:--${letter}}`];
    yield [`x=${letter}; `, '-$x'];
    yield [`x=-${letter}; `, '$x'];
    yield [`x=-${letter}; `, '"$x"'];
    for (const other of letters) if (other !== letter) yield ['', `-${other}${letter}`];
  }
}

/** Arguments that bash evaluates as the name of a variable, or runs, in the same forms. */
const ARGUMENTS: readonly (readonly [setup: string, words: string])[] = [
  ['', `'${INDEX}'`],
  ['', `'${INDEX}' x`],
  ['', `'${INDEX}=1'`],
  ['', 'touch PWN'],
  ['', 'b touch PWN'],
  ['', "'touch PWN'"],
  ['', `b='${INDEX}'`],
  [`y='${INDEX}'; `, '"$y"'],
  [`y='${INDEX}'; `, '$y x'],
  [`y='${INDEX}'; `, '"$y"=1'],
  [`y='${INDEX}'; `, 'b="$y"'],
  [`y='-v ${INDEX}'; `, '$y'],
  [`y='x -o -v ${INDEX}'; `, '-n $y'],
  [`set -- -v '${INDEX}'; `, '"$@"'],
  [`set -- -v '${INDEX}'; `, `"\${@}"`],
  [`set -- -v '${INDEX}'; `, `"\${@:1}"`],
  ['', `$(printf %s '-v ${INDEX}')`],
  [`y='$(touch PWN)'; `, '"a[$y]"'],
  [`y='$(touch PWN)]'; `, 'a"[$y"'],
];

/** Other places where bash evaluates the value of `y`. */
const EXPRESSIONS: readonly string[] = [
  '[[ $y -eq 1 ]]',
  '[[ 1 -lt "$y" ]]',
  '[[ -v $y ]]',
  '[[ -v "$y" ]]',
  '[[ -R $y ]]',
  '[[ ! -v $y ]]',
  '[[ y -eq 1 ]]',
  'echo $((y))',
  'echo $(( $y + 1 ))',
  'echo $[y]',
  `echo "\${PATH:y}"`,
  `echo "\${PATH:0:y}"`,
  `echo "\${PATH:$y}"`,
  `echo "\${y@P}"`,
  `echo "\${!y}"`,
  `echo "\${a[$y]}"`,
  `echo "\${a[y]}"`,
  '((y))',
  '(( $y ))',
  'for ((i = y; i < 1; i++)); do :; done',
  'declare -i z=$y',
  'declare -i z; z=$y',
  'declare -n z=$y; echo $z',
  'let z=y',
  'let "$y"',
  'a[$y]=1',
  'a[y]=1',
  'a=([y]=1)',
  'printf %d "$y"',
  'read -t "$y"; read -n "$y"; read -u "$y"',
  'exec {y}>x',
  'echo x {y}>x',
  'wait -p "$y"',
  'getopts a "$y"',
  'trap "$y" EXIT',
  'PS4=$y; set -x; echo',
  'RANDOM=$y',
  'SECONDS=y',
  'OPTIND=$y',
  'shift "$y"',
  'ulimit -n "$y"',
  'kill "$y"',
  'mapfile -O "$y" z <<< x',
  'mapfile -t "$y" <<< x',
  'read "$y" <<< x',
  'read -a "$y" <<< x',
  'read z $y <<< x',
  'unset "$y"',
  'export "$y"; export "$y"=1',
  'readonly "$y"',
  'command read "$y" <<< x',
  'builtin printf -v "$y" x',
  'builtin test -v "$y"',
  'command test -v "$y"',
  'command [ -v "$y" ]',
  `! [ -v "$y" ]`,
  `if [ -v "$y" ]; then :; fi`,
  `[ 1 -eq 1 -a -v "$y" ]`,
  `[ ! -v "$y" ]`,
  `test \\( -v "$y" \\)`,
  '\\[ -v "$y" ]',
  `"[" -v "$y" ]`,
  `t=test; $t -v "$y"`,
  `time test -v "$y"`,
  `(test -v "$y")`,
  `echo $(test -v "$y")`,
  `for i in -v; do test $i "$y"; done`,
  `test -v"$y"`,
  `test "-v" "$y"`,
  `test -\v "$y"`,
  `test $'-v' "$y"`,
  `test -{v,v} "$y"`,
  `test {-v,"$y"}`,
  `printf -{v,v} '${INDEX}' x`,
  `printf {-v,'${INDEX}'} x`,
  `printf -v{,} x`,
  `printf $'-v' '${INDEX}' x`,
  `printf "-v" '${INDEX}' x`,
  `printf -v'${INDEX}' x`,
  `jobs -{x,l} touch PWN`,
  `jobs {-x,touch} PWN`,
];

function* lines(): Generator<string> {
  for (const value of [INDEX, '$(touch PWN)', '`touch PWN`', `-v ${INDEX}`])
    for (const expression of EXPRESSIONS) yield `y='${value}'; ${expression}`;
  for (const [name, letters] of Object.entries(BUILTINS)) {
    const end = name === '[' ? ' ]' : '';
    for (const [setup, option] of optionWords(letters))
      for (const [before, words] of ARGUMENTS)
        for (const form of [`${name} ${option} ${words}${end}`, `${name} b ${option} ${words}${end}`])
          yield `${setup}${before}${form}`;
  }
}

describe('Commands of the shell that evaluate what they get', () => {
  it('are not written again where a word that nobody judged could run', async function () {
    this.timeout(600_000);
    const [bash] = shellsHere();
    assert.ok(bash);
    const parser = await shellParser();
    // `npm test` has time for a part.
    const all = [...lines()].filter((_, at) => at % runs(11, 1) === 0);
    const written = all.flatMap((line) => {
      const parsed = parser.parse(line);
      return parsed.parsed && parsed.written !== undefined ? [{ line, text: parsed.written, parsed }] : [];
    });
    assert.ok(written.length > all.length / 20, `${written.length} of ${all.length} lines are written again`);
    const folder = await tempFolder('builtins');
    const started = await startedBy(
      bash,
      // Each in a shell of its own, because some end it.
      written.map(({ text }) => `(${text}\n)`),
      ['touch', 'PWN'],
      folder.path,
    );
    const unjudged = started.filter(
      ({ line, argv: [program] }) => !written[line]?.parsed.commands.some(({ words }) => words[0]?.value === program),
    );
    assert.deepEqual([...new Set(unjudged.map(({ line }) => written[line]?.line))], []);
    await folder.dispose();
  });
});
