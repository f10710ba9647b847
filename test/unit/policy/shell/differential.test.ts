import assert from 'node:assert/strict';
import {
  isDangerousCommand,
  isKnownSafeCommand,
} from '@google/gemini-cli-core/dist/src/sandbox/utils/commandSafety.js';
import {
  getCommandRoots,
  hasRedirection,
  initializeShellParsers,
  splitCommands,
  stripShellWrapper,
} from '@google/gemini-cli-core/dist/src/utils/shell-utils.js';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import { dangerOf } from '../../../../extension/policy/shell/dangerous.ts';
import { isKnownSafe } from '../../../../extension/policy/shell/known-safe.ts';
import { riskOf } from '../../../../extension/policy/shell/risky-options.ts';
import type { ReadableShell, ShellParser } from '../../../../extension/policy/shell/shell-types.ts';
import { shellParser } from '../../../support/shell-judging.ts';
import { runs } from '../../../support/test-size.ts';

/** Simple commands and the pieces they are put together from. */
const SIMPLE = fc.constantFrom(
  ...`ls|ls -la src|git log --oneline -5|git commit -m "a b"|echo 'it is; fine'|echo "$HOME" $x|npm test|FOO=1 make|cat a.txt
sort -u|grep -rn "a b" .|find . -name '*.ts'|rm -rf dist|sed -n 5p f|echo $(pwd)|echo \`pwd\`|cat <(ls)|echo \${x:-y}|test -f x
[ -f x ]|[[ a == b ]]|export A=b|declare x=1|unset x|((a=1))|time ls|sudo rm x|"ls" -la|l\\s|./run.sh --x=1|echo *.js {a,b}
echo \${x@P}|echo $'a'|A=1|bash -c 'ls -la'|sh -c "echo hi && pwd"|zsh -c 'ls'|env ls|timeout 5 ls|xargs rm|/bin/bash -c 'git status'
echo $((1+1))|: > x|wc -l < x|cat <<< "x y"|echo hi >&2|ls 2>/dev/null|ls &> all|printf '%s\\n' x|git -c a=b status|ls 'a`.split(
    /[|\n]/,
  ),
);
const JOINED = fc.letrec<{ line: string; simple: string; compound: string }>((tie) => ({
  simple: SIMPLE,
  compound: fc.oneof(
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `${a} && ${b}`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `${a} || ${b}`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `${a}; ${b}`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `${a} | ${b}`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `${a} & ${b}`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `${a}\n${b}`),
    tie('line').map((a) => `(${a})`),
    tie('line').map((a) => `{ ${a}; }`),
    tie('line').map((a) => `! ${a}`),
    tie('line').map((a) => `${a} > out.txt`),
    tie('line').map((a) => `${a} 2>&1`),
    tie('line').map((a) => `for i in a b; do ${a}; done`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `if ${a}; then ${b}; fi`),
    fc.tuple(tie('line'), tie('line')).map(([a, b]) => `while ${a}; do ${b}; done`),
    tie('line').map((a) => `case x in a) ${a};; esac`),
    tie('line').map((a) => `f() { ${a}; }`),
    tie('line').map((a) => `echo "$(${a})"`),
    tie('line').map((a) => `cat <<EOF\n$(${a})\nEOF\n`),
  ),
  line: fc.oneof({ maxDepth: 3, depthSize: 'small' }, tie('simple'), tie('compound')),
})).line;

const WRAPPER = /^(?:\w+=\S+ )*(?:\S*\/)?(?:sh|bash|dash|zsh|env|time|timeout|nice|xargs|sudo)\b/;

/** Where we list a command that Gemini CLI does not. Each makes the answer stricter: more is checked, or it asks. */
const INTENDED: readonly (readonly [why: string, holds: (text: string, ours: ReadableShell) => boolean])[] = [
  ['commands behind wrappers are listed too', (_, ours) => ours.commands.some(({ text }) => WRAPPER.test(text))],
  [
    'arithmetic that looks like subshells is listed, and a line with it asks',
    (text, { concerns, commands }) =>
      concerns.length > 0 && commands.some((each) => /^(?:! )*\(\(/.test(each.text) && each.text.includes(text)),
  ],
];

describe('reading shell commands, compared with Gemini CLI', function () {
  this.timeout(120_000);
  let parser: ShellParser;
  before(async () => {
    parser = await shellParser();
    await initializeShellParsers();
  });

  it('lists every command, program and redirection that Gemini CLI lists, and reads nothing that it cannot', () => {
    quietly(() =>
      fc.assert(
        fc.property(JOINED, (line) => comparable(parser, line)),
        { numRuns: runs(500, 5000) },
      ),
    );
  });

  it('sees through the shells that Gemini CLI sees through', () => {
    for (const [line, inner] of [
      ["bash -c 'ls -la'", 'ls -la'],
      ['sh -c "git status"', 'git status'],
      ["/bin/bash -c 'npm test'", 'npm test'],
      ["zsh -c 'ls'", 'ls'],
    ] as const) {
      assert.equal(stripShellWrapper(line), inner);
      const ours = parser.parse(line);
      assert.ok(ours.parsed && ours.commands.some(({ text }) => text === inner), line);
    }
  });

  it('calls nothing safe that Gemini CLI does not call safe, and misses nothing it calls dangerous', () => {
    const words = fc.constantFrom(
      ...`-n -l -la -5 --oneline --stat --all -o --output --output=x -O --list --show-current new x src a.txt . -exec -delete
      -fprint -name -type f 5p 1,3p -i -e w --ext-diff --textconv -c --exec --paginate -D -z --pre -d -rf -f -r`.split(
        /\s+/,
      ),
    );
    const programs = fc.constantFrom(
      ...`cat cd cut echo expr false grep head id ls nl paste pwd rev seq stat tail tr true uname uniq wc which whoami numfmt tac
      base64 find rg sed git sort date basename dirname tee cp rm sudo diff du df file printf test awk tree curl npm`.split(
        /\s+/,
      ),
    );
    const subs = fc.constantFrom(
      '',
      'status',
      'log',
      'diff',
      'show',
      'branch',
      'add',
      'config',
      'remote',
      'grep',
      '-n',
    );
    fc.assert(
      fc.property(programs, subs, fc.array(words, { maxLength: 3 }), (program, sub, rest) => {
        const args = [program, ...(sub === '' ? [] : [sub]), ...rest];
        const ours = parser.parse(args.join(' '));
        const [command] = ours.parsed ? ours.commands : [];
        if (!ours.parsed || !command) return;
        if (isKnownSafe(command) && !listsBranches(args)) assert.ok(isKnownSafeCommand(args), args.join(' '));
        if (!isDangerousCommand(args)) return;
        const noticed = ours.commands.some((each) => dangerOf(each) ?? riskOf(each)) || ours.concerns.length > 0;
        assert.ok(noticed, args.join(' '));
      }),
      { numRuns: runs(500, 5000) },
    );
  });
});

/** With `--list` a name is a pattern, also before it, and other options may be one word. No branch is made. */
function listsBranches([program, sub, ...rest]: readonly string[]): boolean {
  if (program !== 'git' || sub !== 'branch') return false;
  return rest.includes('--list') || rest.every((word) => /^(?:-[al]+|--all|--show-current)$/.test(word));
}

function comparable(parser: ShellParser, line: string): void {
  const ours = parser.parse(line);
  // What only they can read asks here, whatever the rules say.
  if (!ours.parsed) return;
  const theirs = splitCommands(line).map((text) => text.trim());
  // Arithmetic that looks like subshells asks here.
  if (theirs.length === 0 && ours.concerns.length > 0 && line.includes('((')) return;
  assert.notDeepEqual(theirs, [], `only we can read ${JSON.stringify(line)}`);
  const extra = ours.commands.map(({ text }) => text.trim());
  for (const text of theirs) {
    const at = extra.indexOf(text);
    assert.ok(at >= 0, `${text} is missing in ${JSON.stringify(line)}`);
    extra.splice(at, 1);
  }
  for (const text of extra) {
    assert.ok(
      INTENDED.some(([, holds]) => holds(text, ours)),
      `${text} in ${JSON.stringify(line)}`,
    );
  }
  const texts = ours.commands.map(({ text }) => text).join('\n');
  for (const root of getCommandRoots(line)) assert.ok(texts.includes(root), `${root} in ${JSON.stringify(line)}`);
  assert.ok(ours.hasRedirection || !hasRedirection(line), line);
}

/** The oracle tells the console about every line that it cannot read. */
function quietly(work: () => void): void {
  const { console: terminal } = globalThis;
  const methods = ['log', 'debug', 'warn', 'error', 'info'] as const;
  const kept = methods.map((method) => [method, terminal[method]] as const);
  for (const method of methods) terminal[method] = () => undefined;
  try {
    work();
  } finally {
    for (const [method, original] of kept) terminal[method] = original;
  }
}
