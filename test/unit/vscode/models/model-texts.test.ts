import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { KNOWN_MODELS } from '../../../../extension/model/catalog/model-names.ts';
import { autoTexts, modelTexts } from '../../../../extension/vscode/models/model-texts.ts';

const NOVEMBER = Date.UTC(2026, 10, 15);

describe('The list of models', () => {
  it('says what auto means', () =>
    assert.match(autoTexts().detail ?? '', /gemini-3\.8-flash, or gemini-3\.1-pro-preview for hard/));

  const texts: readonly [model: string, description: string, detail?: string][] = [
    [
      'gemini-3.8-flash',
      '1M context window · with thinking',
      'List price: $0.75 in, $3.75 out per million tokens (until 2026-12-31)',
    ],
    [
      'gemini-3.1-pro-preview',
      'preview · 1M context window · with thinking',
      'List price: $2 in, $12 out per million tokens (more for long prompts)',
    ],
    [
      'gemini-3.5-flash-lite',
      '1M context window · with thinking',
      'List price: $0.30 in, $2.50 out per million tokens',
    ],
    ['gemini-3.5-flash', '1M context window · with thinking'],
    ['gemma-4-31b-it', '256k context window · no thinking'],
    ['my-model', '1M context window'],
  ];
  for (const [model, description, detail] of texts)
    it(`has for ${model}: ${detail ?? description}`, () =>
      assert.deepEqual(modelTexts(model, {}, NOVEMBER), { description, ...(detail && { detail }) }));

  it('is not cut: VS Code shows about 80 characters of a line', () => {
    const long = [autoTexts(), ...KNOWN_MODELS.map((model) => modelTexts(model, {}, NOVEMBER))]
      .flatMap(({ description, detail }) => [description, detail ?? ''])
      .filter((line) => line.length > 80);
    assert.deepEqual(long, []);
  });

  it('has the prices of the user instead of the list’s', () => {
    const prices = { 'gemini-3': { input: 1, output: 2.5 } };
    assert.equal(modelTexts('gemini-3.8-flash', prices, NOVEMBER).detail, '$1 in, $2.50 out per million tokens');
  });

  it('says nothing of a price that is over', () => {
    assert.equal(modelTexts('gemini-3.8-flash', {}, Date.UTC(2027, 0, 1)).detail, undefined);
  });
});
