import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'smol-toml';
import { applyReplacements, formatToml } from '../../../extension/text/toml-format.ts';
import { scanToml } from '../../../extension/text/toml-syntax.ts';
import { type Random, seededRandom } from '../../support/crash/random.ts';
import { runs } from '../../support/test-size.ts';
import { wildPolicies } from '../../support/wild-policies.ts';

describe('A TOML file that is formatted', () => {
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    [
      'has single blanks, no indentation, and no blanks at the ends of lines',
      '  [[ rule ]]  # first \n\ttoolName   =   "a"  \n  "decision"="allow"# yes\n',
      '[[rule]] # first\ntoolName = "a"\ndecision = "allow" # yes\n',
    ],
    [
      'has one blank line before a table of a list, also before the comments above it',
      '# all\n\n\n\n[[rule]]\na = 1\n# next\n# one\n[[rule]]\n\n\n\na = 2\n[rule.b]\nc = 1',
      '# all\n\n[[rule]]\na = 1\n\n# next\n# one\n[[rule]]\n\na = 2\n[rule.b]\nc = 1\n',
    ],
    [
      'has its lists in the lines that they are in',
      'a = [ "x","y" , ]\nb = [\n"x" , # one\n\n\n# two\n      "y"\n   ]\n',
      'a = ["x", "y"]\nb = [\n  "x", # one\n\n  # two\n  "y"\n]\n',
    ],
    ['has blanks inside of braces', 'a = {b=1,"c" = [ 2,3 ]}\nd = { }\n', 'a = { b = 1, c = [2, 3] }\nd = {}\n'],
    [
      'has double quotes, except where single ones make a difference',
      "a = 'x'\nb = 'x\\d'\nc = 'say \"x\"'\nkeeps = 'x'\n",
      "a = \"x\"\nb = 'x\\d'\nc = 'say \"x\"'\nkeeps = 'x'\n",
    ],
    ['keeps texts of several lines', 'a = """\n  x  \n\n\n  y"""   \n', 'a = """\n  x  \n\n\n  y"""\n'],
    ['keeps its line ends and its mark of UTF-8', '\uFEFFa=1\r\n\r\n\r\nb=2', '\uFEFFa = 1\r\n\r\nb = 2\r\n'],
    [
      'keeps lines that are no TOML',
      ' a=1\n  b = = 2 # x \n c=[1\n[[rule]]\n d=3\n',
      'a = 1\n  b = = 2 # x \n c=[1\n[[rule]]\nd = 3\n',
    ],
    ['stays as it is where a text has no end', ' a = """\n b=1\n', ' a = """\n b=1\n'],
    ['may be empty', '', ''],
    ['may have only comments', '  # x  \n\n\n # y', '# x\n\n# y\n'],
  ];
  for (const [what, before, after] of cases) {
    it(what, () => {
      assert.equal(formatted(before), after);
      assert.equal(formatted(after), after);
    });
  }

  it('means the same, has the same comments, and is formatted for good, whatever is in it', () => {
    const random = seededRandom(11);
    for (let count = 0; count < runs(300, 10_000); count++) {
      const text = untidy(
        wildPolicies(random)
          .map((file) => file.text)
          .join('\n'),
        random,
      );
      const result = formatted(text);
      assert.deepEqual(parse(result), parse(text), text);
      assert.deepEqual(commentsIn(result), commentsIn(text), text);
      assert.equal(formatted(result), result, text);
    }
  });

  it('is no better TOML than before, wherever it is damaged', () => {
    const random = seededRandom(12);
    for (let count = 0; count < runs(300, 10_000); count++) {
      const text = damaged(
        untidy(
          wildPolicies(random)
            .map((file) => file.text)
            .join('\n'),
          random,
        ),
        random,
      );
      const result = formatted(text);
      assert.deepEqual(parsed(result), parsed(text), text);
      assert.equal(formatted(result), result, text);
      assert.equal(letters(result), letters(text), text);
    }
  });

  it('takes time in proportion to its length', () => {
    for (const unit of [
      '# x\n',
      '[[rule]]\n',
      'a = [',
      'a = {b = ',
      "a = 'x' # y\n",
      '[',
      '\n \t',
      'a = [ # x\n',
      ',',
    ]) {
      assert.ok(formatted(unit.repeat(5_000)).length > 0);
    }
  });
});

function formatted(text: string): string {
  return applyReplacements(
    text,
    formatToml(text, (key) => key === 'keeps' || key === 'argsPattern'),
  );
}

function commentsIn(text: string): readonly string[] {
  return scanToml(text).flatMap(({ comments }) => comments.map(({ start, end }) => text.slice(start, end).trimEnd()));
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Without what formatting may change: blanks, quotes, and the comma at the end of a list. */
function letters(text: string): string {
  return text.replaceAll(/[\s"']|,(?=\s*\])/g, '');
}

/** The same text as people might leave it. */
function untidy(text: string, random: Random): string {
  const may = (choices: readonly string[]): string => choices[random.below(choices.length)] ?? '';
  const lines = text.split('\n').map((line) => {
    const [, key, value] = /^(\w+) = (.*)$/.exec(line) ?? [];
    const comment = may(['', '', '', '  # why ', '# = "x" [']);
    if (key === undefined || value === undefined) return `${may(['', '  '])}${line}${line === '' ? '' : comment}`;
    const name = may([key, key, `"${key}"`, `'${key}'`]);
    const list = value.startsWith('[')
      ? value
          .replace(/^\[ ?/, may(['[', '[\n', '[ # x\n  ']))
          .replace(/ ?\]$/, may([']', ' ]', ', ]', '\n]', ',\n# y\n\n\n ]']))
      : value;
    const quoted = /^"[\w ]*"$/.test(list) ? may([list, list.replaceAll('"', "'")]) : list;
    const empty = /^\[[^"]*\]$/.test(quoted) ? value : quoted;
    return `${may(['', '\t', '    '])}${name}${may([' = ', '=', '  =\t'])}${empty}${comment}`;
  });
  const spaced = lines.map((line) => `${line}${may(['', '', '\n', '\n\n \n', '\n# about\n'])}`).join('\n');
  return random.below(4) === 0 ? spaced.replaceAll('\n', '\r\n') : spaced;
}

const DAMAGE = ['"', "'", '[', ']', '{', '}', ',', '=', '#', '\n', '"""', '\u00a0', ' ', '.', '\r', '[[rule]]', 'x'];

function damaged(text: string, random: Random): string {
  let result = text;
  for (let count = 0; count < 1 + random.below(3); count++) {
    const at = random.below(result.length + 1);
    const removed = random.below(3);
    result = `${result.slice(0, at)}${DAMAGE[random.below(DAMAGE.length)]}${result.slice(at + removed)}`;
  }
  return result;
}
