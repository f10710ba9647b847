import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { supportsThinking } from '../../../../extension/model/catalog/known-models.ts';
import {
  chooseModel,
  DEFAULT_MODEL,
  isModelName,
  KNOWN_MODELS,
} from '../../../../extension/model/catalog/model-names.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';

describe('the model that is asked', () => {
  const chosen: readonly [name: string, id: string][] = [
    ['auto', DEFAULT_MODEL],
    ['', DEFAULT_MODEL],
    ['gemini-2.5-flash', 'gemini-2.5-flash'],
    [' models/gemini-2.5-flash ', 'gemini-2.5-flash'],
    ['tunedModels/my-model_1', 'tunedModels/my-model_1'],
    ['google/gemini-3.8-flash', 'google/gemini-3.8-flash'],
  ];
  for (const [name, id] of chosen) {
    it(`"${name}" means ${id}`, () => assert.equal(chooseModel(name), id));
  }

  const refused = [
    '../files',
    'a/../b',
    'gemini?key=1',
    'a:generateContent',
    'two words',
    '/lead',
    'a//b',
    'a#b',
    'a\nb',
  ];
  for (const name of refused) {
    it(`${JSON.stringify(name)} is refused, and named`, () => {
      assert.throws(
        () => chooseModel(name),
        (error) => ProblemError.is(error, 'bad-configuration') && /is not the ID of a model/.test(error.problem.detail),
      );
      assert.equal(isModelName(name), false);
    });
  }

  it('offers names that can be used', () => assert.ok(KNOWN_MODELS.every(isModelName)));
});

describe('thoughts are asked for', () => {
  for (const model of [...KNOWN_MODELS, 'gemini-2.5-flash', 'google/gemini-3-flash-preview', 'gemini-flash-latest']) {
    it(`of ${model}`, () => assert.equal(supportsThinking(model), true));
  }
  for (const model of ['gemini-2.0-flash', 'gemma-4-31b-it', 'gemini-2.5-flash-image', 'my-model', 'offline-guide']) {
    it(`not of ${model}`, () => assert.equal(supportsThinking(model), false));
  }
});
