import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { textTokens } from '../../../../extension/context/tokens/text-tokens.ts';
import { growthOf, LINEAR } from '../../../support/processor-time.ts';
import { repoRoot } from '../../../support/repo.ts';

const FOLDER = join(repoRoot, 'test/fixtures/token-counts');
const COUNTS: Record<string, number> = JSON.parse(readFileSync(join(FOLDER, 'counts.json'), 'utf8'));
const MOST_OFF = 0.15;
const wild = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));

describe('The tokens of a text', () => {
  for (const [name, counted] of Object.entries(COUNTS)) {
    it(`are within 15 % of what the tokenizer counts: ${name}`, () => {
      const estimated = textTokens(readFileSync(join(FOLDER, `${name}.txt`), 'utf8'));
      const off = estimated / counted - 1;
      assert.ok(Math.abs(off) <= MOST_OFF, `${Math.round(estimated)} for ${counted}: ${(off * 100).toFixed(1)} %`);
    });
  }

  it('are none for an empty text, and never less for a longer one', () => {
    assert.equal(textTokens(''), 0);
    fc.assert(
      fc.property(wild, wild, (one, two) => {
        const [short, long] = [textTokens(one), textTokens(`${one}\n${two}`)];
        assert.ok(Number.isFinite(long) && long >= short, `${short}, then ${long}`);
      }),
    );
  });

  it('are counted in a time that grows with the text only', () => {
    const line = 'const total = lines.reduce((sum, { price }) => sum + price, 0); // 全部 tokens\n';
    const growth = growthOf((lines) => void textTokens(line.repeat(lines)), 1500);
    assert.ok(growth < LINEAR, `${growth} times`);
  });
});
