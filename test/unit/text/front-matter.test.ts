import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseDocument } from 'yaml';
import { readFrontMatter } from '../../../extension/text/front-matter.ts';
import { readYamlTree, type YamlNode } from '../../../extension/text/yaml-tree.ts';
import { type Random, seededRandom } from '../../support/crash/random.ts';
import { runs } from '../../support/test-size.ts';

describe('Front matter', () => {
  const TEXT = [
    '---',
    'name: "a b"',
    'tools: [x, y]',
    'servers:',
    '  docs:',
    '    args:',
    '      - one',
    'note: |',
    '  long',
    '  text',
    'empty:',
    '---',
    'Body',
  ].join('\r\n');

  const PLACES: readonly [path: readonly PropertyKey[], place: string][] = [
    [['name'], '2:7-12'],
    [['tools'], '3:8-14'],
    [['tools', 1], '3:12-13'],
    [['servers'], '4:1-8'],
    [['servers', 'docs', 'args', 0], '7:9-12'],
    [['note'], '8:1-5'],
    [['empty'], '11:1-6'],
    [['missing'], '2:1-5'],
    [['servers', 'docs', 'missing'], '5:3-7'],
  ];
  for (const [path, place] of PLACES) {
    it(`has a place for ${path.join('.')}`, () => {
      const read = readFrontMatter(TEXT);
      assert.ok('matter' in read);
      const { line, column, endLine, endColumn } = read.matter.rangeOf(path);
      assert.deepEqual([`${line}:${column}-${endColumn}`, endLine], [place, line]);
    });
  }

  it('has the same places behind a byte order mark, and says where it is broken', () => {
    const read = readFrontMatter('\uFEFF---\nname: [a\nb: c\n---\n');
    assert.ok('problem' in read && read.problem === 'malformed');
    assert.equal(read.range.line, 3);
  });
});

describe('YAML with the places of its values', () => {
  it('has the values that the library reads', () => {
    const random = seededRandom(26);
    let valid = 0;
    for (let count = 0; count < runs(300, 5000); count++) {
      const text = wildYaml(random);
      const document = parseDocument(text, { prettyErrors: false });
      const { root, mistake } = readYamlTree(text);
      if (document.errors.length > 0) {
        assert.ok(mistake, text);
        continue;
      }
      if (mistake) continue;
      valid++;
      assert.deepEqual(root?.value ?? null, document.toJS({ maxAliasCount: 100 }), text);
      if (root) assertPlaces(root, text);
    }
    assert.ok(valid > runs(100, 1500), `${valid} were valid`);
  });

  it('is read as far as possible while somebody is typing', () => {
    const { root, mistake } = readYamlTree('name: x\ntools: [a, b\nmodel: "y\n');
    assert.ok(mistake);
    assert.deepEqual(
      root?.entries.map(({ name }) => name),
      ['name', 'tools', 'model'],
    );
  });

  const HOSTILE: readonly [what: string, text: string, reason: RegExp][] = [
    ['too long', 'a: b\n'.repeat(10_000), /longer than 32 kB/],
    ['lists in lists', `a: ${'['.repeat(5000)}`, /nested too deeply/],
    ['objects as keys', '{'.repeat(5000), /nested too deeply/],
    ['a list in a list in a line', '- '.repeat(5000), /nested too deeply/],
    ['keys in keys', '"a": '.repeat(5000), /nested too deeply|not allowed/],
    ['a staircase', Array.from({ length: 250 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), /nested too/],
    ['the same key twice', 'a: 1\nb: 2\na: 3', /Map keys must be unique/],
    ['a list as a key', '[a]: b', /a key must be a name/],
    ['an alias of nothing', 'a: *b', /no "&b" before it/],
    ['an alias of itself', 'a: &a [*a]', /no "&a" before it/],
    [
      'aliases that explode',
      `a0: &a0 [x, x]\n${Array.from({ length: 20 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n')}`,
      /repeat too much/,
    ],
  ];
  for (const [what, text, reason] of HOSTILE) {
    it(`is refused: ${what}`, () => assert.match(readYamlTree(text).mistake?.reason ?? '', reason));
  }
});

function assertPlaces(node: YamlNode, text: string): void {
  const written = text.slice(node.start, node.end);
  if (node.kind === 'string' && /^[a-z]+$/.test(written)) assert.equal(node.value, written);
  for (const { name, key, node: inner } of node.entries) {
    assert.equal(text.slice(key.start, key.end).replaceAll(/["']/g, ''), name);
    assert.ok(inner.start >= key.end && inner.end <= node.end, text);
    assertPlaces(inner, text);
  }
  for (const item of node.items) assertPlaces(item, text);
}

function wildYaml(random: Random, indent = '', depth = 0): string {
  const lines = Array.from({ length: 1 + random.below(4) }, (_, at) => {
    const key = ['name', 'tools', '"quoted"', "'one'", `k${at}`, '__proto__'][random.below(6)];
    return `${indent}${key}:${wildValue(random, indent, depth)}${random.below(6) === 0 ? ' # note' : ''}`;
  });
  return `${lines.join(random.below(8) === 0 ? '\r\n' : '\n')}\n`;
}

function wildValue(random: Random, indent: string, depth: number): string {
  const leaf = [
    'x',
    '1',
    '1.5',
    'true',
    '~',
    '"a\\nb"',
    "'it''s'",
    '[a, b]',
    '{c: d, e: [f]}',
    '&m x',
    '*m',
    'a: b',
    '',
  ];
  const kind = depth < 3 ? random.below(6) : 0;
  if (kind === 1) return `\n${wildYaml(random, `${indent}  `, depth + 1).trimEnd()}`;
  if (kind === 2) return `\n${indent}- a\n${indent}- ${leaf[random.below(leaf.length)]}`;
  if (kind === 3) return ` |\n${indent}  text\n${indent}  more`;
  if (kind === 4) return ` >-\n${indent}  folded\n\n${indent}  text`;
  return ` ${leaf[random.below(leaf.length)]}`;
}
