import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { autoText, modelLine } from '../../../../extension/vscode/models/model-texts.ts';

const NOVEMBER = Date.UTC(2026, 10, 15);

describe('The list of models', () => {
  it('says what auto means', () => assert.match(autoText(), /gemini-3\.8-flash, or gemini-3\.1-pro-preview for hard/));

  const lines: readonly [model: string, line: string][] = [
    [
      'gemini-3.8-flash',
      '1M context window · with thinking · list price $0.75 in, $3.75 out per million tokens (until 2026-12-31)',
    ],
    [
      'gemini-3.1-pro-preview',
      'preview · 1M context window · with thinking · list price $2 in, $12 out per million tokens (more for long prompts)',
    ],
    ['gemini-3.5-flash', '1M context window · with thinking'],
    ['gemma-4-31b-it', '256k context window · no thinking'],
    ['my-model', '1M context window'],
  ];
  for (const [model, line] of lines)
    it(`has for ${model}: ${line}`, () => assert.equal(modelLine(model, {}, NOVEMBER), line));

  it('has the prices of the user instead of the list’s', () => {
    const prices = { 'gemini-3': { input: 1, output: 2.5 } };
    assert.match(
      modelLine('gemini-3.8-flash', prices, NOVEMBER),
      /with thinking · \$1 in, \$2\.5 out per million tokens$/,
    );
  });

  it('says nothing of a price that is over', () => {
    assert.equal(modelLine('gemini-3.8-flash', {}, Date.UTC(2027, 0, 1)), '1M context window · with thinking');
  });
});
