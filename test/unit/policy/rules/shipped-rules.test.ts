import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { readRules } from '../../../../extension/policy/rules/read-rules.ts';
import { shippedRules } from '../../../../extension/policy/rules/shipped-rules.ts';
import { repoRoot } from '../../../support/repo.ts';

const FOLDER = join(repoRoot, 'extension/policy/shipped');
const files = readdirSync(FOLDER).map((name) => join(FOLDER, name));

describe('The shipped rules, as the build has read them', () => {
  it('are those of their files', () => {
    assert.ok(files.length >= 7);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      assert.deepEqual(shippedRules(text, file), readRules(text, file, 'default'));
    }
  });

  it('are only for the very same text', () => {
    for (const file of files) assert.equal(shippedRules(`${readFileSync(file, 'utf8')}\n`, file), undefined);
  });
});
