import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parse } from 'smol-toml';
import { scanToml, type TomlEntry, type TomlValue } from '../../../extension/text/toml-syntax.ts';
import { seededRandom } from '../../support/crash/random.ts';
import { runs } from '../../support/test-size.ts';
import { wildPolicies } from '../../support/wild-policies.ts';

describe('The keys and values of a TOML text', () => {
  it('are found with their places', () => {
    const text = '# first\r\n[[rule]]\r\ntoolName = ["a", "b"] # both\r\n"a.b".c = { d = 1, e = true }\r\n';
    assert.deepEqual(outline(text), [
      'comment # first',
      'header rule',
      'toolName = list ["a", "b"]',
      'a.b·c = table { d = 1, e = true }',
      'comment # both',
    ]);
  });

  it('are found in text that is still being typed', () => {
    const text =
      '[[rule]]\ntoolName = "read\ncommandPrefix = ["git", \npriority = \ndecis\n[[rule]]\nmodes = ["plan"\n';
    assert.deepEqual(outline(text), [
      'header rule',
      'toolName = string "read',
      'commandPrefix = list ["git",',
      'priority = ',
      'decis',
      'header rule',
      'modes = list ["plan"',
    ]);
  });

  it('are not found in strings, lists and comments', () => {
    const text = 'a = """\n[[rule]]\nb = 1\n"""\nc = [\n  ["d = 1"], # e = 1\n]\n# f = 1\n';
    assert.deepEqual(outline(text), [
      'a = string """\n[[rule]]\nb = 1\n"""',
      'c = list [\n  ["d = 1"], # e = 1\n]',
      'comment # e = 1',
      'comment # f = 1',
    ]);
  });

  it('are those that the parser finds', () => {
    const random = seededRandom(26);
    for (let count = 0; count < runs(200, 2000); count++) {
      for (const { text } of wildPolicies(random)) {
        const found = scanToml(text).flatMap(({ entries }) => entries.map((entry) => readEntry(entry, text)));
        const { rule } = parse(text);
        assert.ok(Array.isArray(rule));
        assert.deepEqual(
          found,
          rule
            .flatMap((each) => Object.entries(each))
            .flatMap(([name, value]) => (isTable(value) ? Object.entries(value) : [[name, value]])),
        );
      }
    }
  });

  it('take time in proportion to the text, and no depth can stop it', () => {
    for (const unit of ['[', '{', '"', "'''", 'a = [[', '[[a]]\n', 'a.', '\n[ ', 'a = {b = [', '\u00a0', '\v']) {
      const text = unit.repeat(20_000);
      const spans = scanToml(text).flatMap(({ start, end }) => [start, end]);
      assert.equal(spans.at(-1), text.length);
      assert.deepEqual(
        spans,
        [...spans].sort((a, b) => a - b),
      );
    }
  });
});

/** A valid entry without tables, as the parser reads it. */
function readEntry({ names, value }: TomlEntry, text: string): readonly [name: string, value: unknown] {
  assert.ok(value && names.length === 1);
  const { read } = parse(`read = ${text.slice(value.start, value.end)}`);
  return [names[0]?.text ?? '', read];
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && !Array.isArray(value);
}

function outline(text: string): string[] {
  const part = ({ start, end }: Pick<TomlValue, 'start' | 'end'>): string => text.slice(start, end);
  return scanToml(text).flatMap(({ header, entries, comments }) => [
    ...(header ? [`header ${header.names.map((name) => name.text).join('·')}`] : []),
    ...entries.map(({ names, afterEquals, value }) => {
      const keys = names.map((name) => name.text).join('·');
      return afterEquals === undefined ? keys : `${keys} = ${value ? `${value.kind} ${part(value)}` : ''}`;
    }),
    ...comments.map((comment) => `comment ${part(comment)}`),
  ]);
}
