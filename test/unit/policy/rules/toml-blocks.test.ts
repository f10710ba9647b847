import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findHeaders } from '../../../../extension/policy/rules/toml-blocks.ts';

const found = (text: string): string[] =>
  findHeaders(text).map(({ path, isList, line }) => `${line} ${isList ? `[[${path}]]` : `[${path}]`}`);

describe('headers of a TOML text', () => {
  const cases: readonly [what: string, text: string, headers: string[]][] = [
    [
      'are found with their lines',
      '\n[[rule]]\na = 1\n\n[[ rule ]] # two\n[x.y]\n',
      ['2 [[rule]]', '5 [[rule]]', '6 [x.y]'],
    ],
    ['may be quoted', '[["rule"]]\n[safety_checker."checker"]', ['1 [[rule]]', '2 [safety_checker.checker]']],
    ['may be indented, with any line ends', 'a = 1\r\n\t[[rule]]\r\nb = 2', ['2 [[rule]]']],
    ['are not in comments', '# [[rule]]\na = 1 # [[rule]]\n[[rule]]', ['3 [[rule]]']],
    ['are not in strings of several lines', 'a = """\n[[rule]]\n\\"""\n[[rule]]\n"""\n[[rule]]', ['6 [[rule]]']],
    ['are not in literal strings of several lines', "a = '''\n[[rule]]\n\\'''\n[[rule]]", ['4 [[rule]]']],
    ['come after a string that ends with quotes', 'a = """x"""""\n[[rule]]', ['2 [[rule]]']],
    ['are not in strings', 'a = "[[rule]]"\nb = \'#"\'\n[[rule]]', ['3 [[rule]]']],
    ['are not in arrays', 'a = [\n["x"],\n[["rule"]]\n]\n[[rule]]', ['5 [[rule]]']],
    [
      'are found after an array that is never closed',
      'a = [\n"x"\n[[rule]]\nb = 1\n[[rule]]',
      ['3 [[rule]]', '5 [[rule]]'],
    ],
    ['are found after a string that is never closed', 'a = "x\n[[rule]]', ['2 [[rule]]']],
    ['are found after a long string that is never closed', 'a = """x\n[[rule]]', ['2 [[rule]]']],
    ['are none in an empty text', '', []],
  ];
  for (const [what, text, headers] of cases) it(what, () => assert.deepEqual(found(text), headers));
});
