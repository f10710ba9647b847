import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changedBy, changesOnly, policyFixes } from '../../../extension/language-server/policy/policy-fixes.ts';
import { TIERS } from '../../../extension/policy/policy-types.ts';
import { scanPolicyPart } from '../../../extension/policy/rules/policy-part.ts';
import { PolicyReader } from '../../../extension/policy/rules/read-rules.ts';
import type { PolicyProblem } from '../../../extension/policy/rules/rule-set.ts';
import { seededRandom } from '../../support/crash/random.ts';
import { isFullRun, runs } from '../../support/test-size.ts';
import { pick } from '../../support/wild-policies.ts';
import { mutated, wildPolicyText } from '../../support/wild-policy-text.ts';

describe('A quick fix of a policy file', () => {
  it('solves its problem, and leaves all other rules as they are', () => {
    const random = seededRandom(9);
    const seen = new Map<string, number>();
    for (let count = 0; count < runs(60, 5000); count++) {
      const tier = pick(random, TIERS);
      let text = wildPolicyText(random).replace(/\r(?!\n)/g, '');
      for (let edit = random.below(4); edit >= 0; edit--) text = mutated(random, text).replace(/^\uFEFF/, '');
      const read = new PolicyReader('/x.toml', tier).read(text);
      const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
      for (const [at, part] of read.parts.entries()) {
        const offset = lines[part.line - 1] ?? 0;
        const scanned = scanPolicyPart(text, offset);
        // A table that is continued elsewhere has no fixes.
        if (scanned.length !== part.length) continue;
        for (const problem of [...part.problems, ...part.remarks]) {
          const fixes = policyFixes({ ...problem, ...spanOf(problem, scanned.text, part.line) }, scanned);
          for (const { title, edits } of fixes) {
            const changed = changedBy(edits, scanned.text);
            const fixed = text.slice(0, offset) + changed + text.slice(offset + part.length);
            const after = new PolicyReader('/x.toml', tier).read(fixed);
            if (!changesOnly(at, read.parts, after.parts)) continue;
            const about = JSON.stringify({ problem, title, text: scanned.text, changed });
            const same = (one: PolicyProblem): boolean => one.kind === problem.kind && one.reason === problem.reason;
            const all = (one: typeof read): number =>
              one.parts.flatMap((each) => [...each.problems, ...each.remarks]).filter(same).length;
            assert.ok(all(after) < all(read), about);
            const what = `${problem.kind} ${title.split(' ')[0]}`;
            seen.set(what, (seen.get(what) ?? 0) + 1);
          }
        }
      }
    }
    assert.deepEqual(
      [...seen.keys()].filter((what) => !FIXES.includes(what)),
      [],
    );
    // Some are too rare for a small run.
    assert.ok(seen.size >= (isFullRun ? FIXES.length : 9), [...seen.keys()].join());
  });
});

const FIXES = [
  'no_effect Remove',
  'not_supported Remove',
  'regex_compilation Change',
  'rule_validation Change',
  'rule_validation Keep',
  'rule_validation Make',
  'rule_validation Remove',
  'schema_validation Add',
  'schema_validation Change',
  'toml_parse Change',
  'toml_parse Make',
  'toml_parse Remove',
  'tool_name_warning Change',
  'unknown_key Change',
  'unknown_key Remove',
];

function spanOf(
  { range }: PolicyProblem,
  text: string,
  line: number,
): { readonly start: number; readonly end: number } {
  assert.ok(range);
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: { length }, index }) => index + length)];
  const offset = (at: number, column: number): number => (starts[at - line] ?? 0) + column - 1;
  return { start: offset(range.line, range.column), end: offset(range.endLine, range.endColumn) };
}
