import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fitThinking, leastThinking } from '../../../../extension/model/catalog/fit-thinking.ts';
import { contextWindow, KNOWN_IDS, modelFacts } from '../../../../extension/model/catalog/known-models.ts';
import {
  CURRENT,
  choiceOf,
  chooseModel,
  concreteModel,
  isModelName,
} from '../../../../extension/model/catalog/model-names.ts';

describe('What is known of models', () => {
  it('has a window for every one of them, and for those it does not know', () => {
    assert.ok(KNOWN_IDS.every((id) => contextWindow(id) >= 256_000));
    assert.equal(contextWindow('gemma-4-31b-it'), 256_000);
    assert.equal(contextWindow('my-model'), 1_048_576);
    assert.equal(contextWindow(`google/${CURRENT.pro}`), 1_048_576);
  });

  it('tells the kind of thinking of a new model from its name', () => {
    const kinds = ['gemini-3.9-flash', 'gemini-2.5-pro-002', 'gemini-2.0-flash', 'gemini-3.8-flash-image', 'my-model'];
    assert.deepEqual(
      kinds.map((id) => modelFacts(id).thinking),
      ['level', 'budget', 'none', 'none', 'unknown'],
    );
  });

  it('has a price for everything that is current', () => {
    for (const id of Object.values(CURRENT)) assert.ok(modelFacts(id).price, id);
  });
});

describe('A name for a model', () => {
  const names: readonly [name: string, id: string][] = [
    ['auto', 'gemini-3.8-flash'],
    [' models/auto ', 'gemini-3.8-flash'],
    ['auto-gemini-3', 'gemini-3.8-flash'],
    ['auto-gemini-2.5', 'gemini-2.5-pro'],
    ['pro', 'gemini-3.1-pro-preview'],
    ['flash', 'gemini-3.8-flash'],
    ['models/flash-lite', 'gemini-3.5-flash-lite'],
    ['gemini-3-pro-preview', 'gemini-3-pro-preview'],
    ['my-model', 'my-model'],
    ['constructor', 'constructor'],
  ];
  for (const [name, id] of names) {
    it(`“${name}” is ${id}`, () => {
      assert.equal(concreteModel(name), id);
      assert.equal(chooseModel(name), id);
      assert.ok(isModelName(name));
    });
  }

  it('leaves a choice only where it says so', () => {
    assert.deepEqual(
      ['auto', '', 'auto-gemini-3', 'models/auto-gemini-2.5', 'pro', 'automatic', 'toString'].map(
        (name) => choiceOf(name)?.pro,
      ),
      [CURRENT.pro, CURRENT.pro, CURRENT.pro, 'gemini-2.5-pro', undefined, undefined, undefined],
    );
  });
});

describe('A thinking configuration', () => {
  const level = (thinkingLevel: string): object => ({ thinkingLevel });
  const budget = (thinkingBudget: number): object => ({ thinkingBudget });
  const shown = { includeThoughts: true };
  const cases: readonly [model: string, given: object, sent: object | undefined][] = [
    ['gemini-3.8-flash', shown, shown],
    ['gemini-3.8-flash', level('MINIMAL'), level('LOW')],
    ['gemini-3.5-flash-lite', level('MINIMAL'), level('MINIMAL')],
    ['gemini-3.8-flash', { ...shown, ...budget(8192) }, shown],
    ['gemini-3.8-flash', budget(0), level('LOW')],
    ['gemini-3.8-flash', { ...level('HIGH'), ...budget(0) }, level('HIGH')],
    ['gemini-2.5-pro', level('HIGH'), undefined],
    ['gemini-2.5-pro', level('MINIMAL'), budget(128)],
    ['gemini-2.5-pro', budget(0), budget(128)],
    ['gemini-2.5-flash', budget(-1), budget(-1)],
    ['gemini-2.5-flash', { ...shown, ...level('LOW'), ...budget(512) }, { ...shown, ...budget(512) }],
    ['gemini-2.0-flash', { ...shown, ...budget(512) }, undefined],
    ['gemini-flash-latest', level('MINIMAL'), undefined],
    ['my-model', shown, undefined],
    ['my-model', { ...shown, ...budget(512) }, { ...shown, ...budget(512) }],
  ];
  for (const [model, given, sent] of cases) {
    it(`${JSON.stringify(given)} becomes ${JSON.stringify(sent)} for ${model}`, () => {
      const rest = { temperature: 1 };
      assert.deepEqual(fitThinking({ ...rest, thinkingConfig: given }, model), {
        ...rest,
        ...(sent && { thinkingConfig: sent }),
      });
    });
  }

  it('of a request that needs no thought is the least the model takes', () => {
    const asked = ['gemini-3.8-flash', 'gemini-3.5-flash-lite', 'gemini-2.5-pro', 'gemini-2.5-flash', 'my-model'];
    assert.deepEqual(
      asked.map((model) => leastThinking(model).thinkingConfig),
      [level('LOW'), level('MINIMAL'), budget(128), budget(0), undefined],
    );
  });
});
