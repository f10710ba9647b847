import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isOnFor, parseRule, ruleFor, withRule, writeRule } from '../../../extension/gemini-extensions/enablement.ts';

const CASES: readonly [string[], string, boolean][] = [
  [[], '/a', true],
  [['!/a/*'], '/a', false],
  [['!/a/*'], '/a/b/c', false],
  [['!/a/*'], '/ab', true],
  [['!/a/'], '/a', false],
  [['!/a/'], '/a/b', true],
  [['!/a/*', '/a/b/*'], '/a/b', true],
  [['!/a/*', '/a/b/*'], '/a/c', false],
  [['/a/b/*', '!/a/*'], '/a/b', false],
  [['!*'], '/anything', false],
  [['!/a/*/b/'], '/a/b', false],
  [['!/a/*/b/'], '/a/x/y/b', false],
  [['!/a.b/'], '/axb', true],
  [['!/C:/work/*'], 'C:\\work\\x', false],
];

describe('Rules for folders that an extension is on in', () => {
  for (const [rules, folder, expected] of CASES) {
    it(`${rules.join(' ') || 'none'}: ${folder} is ${expected ? 'on' : 'off'}`, () => {
      assert.equal(isOnFor(folder, rules.map(parseRule)), expected);
    });
  }

  it('take no time, however many stars they have', () => {
    assert.equal(isOnFor(`/${'a'.repeat(300)}`, [parseRule(`!${'*a'.repeat(200)}*b`)]), true);
  });

  it('replace those that they make meaningless', () => {
    const rules = ['/a/b/', '!/a/', '/other/*', '!/a/b/c/*'].map(parseRule);
    assert.deepEqual(withRule(rules, ruleFor('/a', false)).map(writeRule), ['/other/*', '!/a/*']);
    assert.deepEqual(withRule(rules, ruleFor('/a/b', true)).map(writeRule), ['!/a/', '/other/*', '/a/b/*']);
  });
});
