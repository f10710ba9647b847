import assert from 'node:assert/strict';
import type { GenerateContentConfig } from '@google/genai';
import { describe, it } from 'mocha';
import { BUILT_IN_ALIASES, compressionAliasFor } from '../../../../extension/model/catalog/built-in-configs.ts';
import type { ModelAlias, ModelOverride } from '../../../../extension/model/catalog/config-layers.ts';
import { KNOWN_IDS } from '../../../../extension/model/catalog/known-models.ts';
import { LayeredModelConfigs } from '../../../../extension/model/catalog/model-configs.ts';
import { CURRENT } from '../../../../extension/model/catalog/model-names.ts';
import { requestConfigFor } from '../../../../extension/model/catalog/request-config.ts';
import type { ModelKey } from '../../../../extension/model/model-key.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import { deepFreeze } from '../../../support/deep-freeze.ts';

const NOTHING = { aliases: new Map(), overrides: [] };

function configsWith(
  aliases: Readonly<Record<string, ModelAlias>>,
  overrides: readonly ModelOverride[] = [],
): LayeredModelConfigs {
  deepFreeze({ aliases, overrides });
  return new LayeredModelConfigs(() => ({ aliases: new Map(Object.entries(aliases)), overrides }));
}

function named(model: string, generateContentConfig: GenerateContentConfig = {}, base?: string): ModelAlias {
  return { ...(base !== undefined && { extends: base }), modelConfig: { model, generateContentConfig } };
}

const heats = (match: ModelOverride['match'], temperature: number): ModelOverride => ({
  match,
  modelConfig: { generateContentConfig: { temperature } },
});

describe('The configuration of a model', () => {
  it('is there for every alias that ships, each with a model that answers', () => {
    const configs = new LayeredModelConfigs(() => NOTHING);
    const whole = [...BUILT_IN_ALIASES.keys()].filter((name) => !/^(chat-)?base/.test(name));
    const models = new Set(whole.map((model) => configs.resolve({ model }).model));
    assert.ok([...models].every((model) => /^gem(ini|ma)-\d/.test(model)));
  });

  it('is looked up by what the user chose, whatever form the name has', () => {
    const configs = new LayeredModelConfigs(() => NOTHING);
    const thoughts = { thinkingConfig: { includeThoughts: true } };
    const chat = (model: string): unknown => configs.resolve({ model, isChat: true });
    for (const name of ['auto', '', 'flash', 'models/gemini-3.8-flash']) {
      assert.deepEqual(chat(name), { model: CURRENT.flash, config: thoughts });
    }
    assert.deepEqual(chat('auto-gemini-2.5'), {
      model: 'gemini-2.5-pro',
      config: { temperature: 1, topP: 0.95, topK: 64, thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 } },
    });
  });

  it('is what all conversations have for a model nobody knows, and nothing for a helper', () => {
    const configs = new LayeredModelConfigs(() => NOTHING);
    const config = { thinkingConfig: { includeThoughts: true } };
    assert.deepEqual(configs.resolve({ model: 'my/model', isChat: true }), { model: 'my/model', config });
    assert.deepEqual(configs.resolve({ model: 'my/model' }), { model: 'my/model', config: {} });
  });

  it('is the same object until settings or registered entries change, and then another', () => {
    let custom = { aliases: new Map([['mine', named('gemini-2.5-pro')]]), overrides: [heats({ model: 'mine' }, 1)] };
    const configs = new LayeredModelConfigs(() => ({ ...custom, overrides: [...custom.overrides] }));
    const now = (): readonly unknown[] => {
      const { model, config } = configs.resolve({ model: 'mine' });
      assert.equal(configs.resolve({ model: 'mine' }).config, config);
      return [model, config.temperature, configs.resolve({ model: 'mine', scope: 'a' }).config.temperature];
    };
    assert.deepEqual(now(), ['gemini-2.5-pro', 1, 1]);
    custom = { ...custom, overrides: [heats({ model: 'mine' }, 2)] };
    assert.deepEqual(now(), ['gemini-2.5-pro', 2, 2]);
    custom = { ...custom, aliases: new Map([['mine', named('gemini-2.5-flash')]]) };
    assert.deepEqual(now(), ['gemini-2.5-flash', 2, 2]);
    const remove = [
      configs.addOverride(heats({ model: 'mine', overrideScope: 'a' }, 3)),
      configs.addAlias('mine', named('gemini-2.5-flash-lite')),
    ];
    assert.deepEqual(now(), ['gemini-2.5-flash-lite', 2, 3]);
    for (const each of remove) each();
    assert.deepEqual(now(), ['gemini-2.5-flash', 2, 2]);
  });

  it('goes from the root of an alias to its end, merging objects and replacing the rest', () => {
    const configs = configsWith({
      root: named('a', { temperature: 0, stopSequences: ['x', 'y'], thinkingConfig: { includeThoughts: true } }),
      middle: { extends: 'root', modelConfig: { generateContentConfig: { thinkingConfig: { thinkingBudget: 5 } } } },
      end: named('flash-lite', { stopSequences: ['z'] }, 'middle'),
    });
    assert.deepEqual(configs.resolve({ model: 'end' }), {
      model: CURRENT.lite,
      config: {
        temperature: 0,
        stopSequences: ['z'],
        thinkingConfig: { includeThoughts: true, thinkingBudget: 5 },
      },
    });
  });

  it('of the user wins over what ships, and what was registered wins over both until it is taken back', () => {
    const configs = configsWith({ classifier: named('mine') });
    assert.equal(configs.resolve({ model: 'classifier' }).model, 'mine');
    const takeBack = configs.addAlias('classifier', named('subagent'));
    assert.equal(configs.resolve({ model: 'classifier' }).model, 'subagent');
    takeBack();
    assert.equal(configs.resolve({ model: 'classifier' }).model, 'mine');
  });

  const nowhere: readonly [why: string, aliases: Readonly<Record<string, ModelAlias>>, detail: RegExp][] = [
    ['extends what is not there', { a: named('m', {}, 'b') }, /"a" extends "b", which does not exist/],
    ['extends itself', { a: named('m', {}, 'b'), b: named('m', {}, 'a') }, /extends itself \(a → b → a\)/],
    ['has no model', { a: { modelConfig: {} } }, /"a" does not name a model/],
    [
      'is nested too deep',
      Object.fromEntries(
        Array.from({ length: 101 }, (_, at) => [at === 0 ? 'a' : `${at}`, named('m', {}, `${at + 1}`)]),
      ),
      /extends more than 100 others/,
    ],
  ];
  for (const [why, aliases, detail] of nowhere) {
    it(`is a problem of the settings where an alias ${why}, and others still work`, () => {
      const configs = configsWith(aliases);
      assert.throws(
        () => configs.resolve({ model: 'a' }),
        (error) => ProblemError.is(error, 'bad-configuration') && detail.test(error.problem.detail),
      );
      assert.equal(configs.resolve({ model: 'flash' }).model, CURRENT.flash);
    });
  }
});

describe('Overrides of the configuration', () => {
  const ALIASES = { root: named('gemini-x', { temperature: 0 }), leaf: { extends: 'root', modelConfig: {} } };
  const temperature = (overrides: readonly ModelOverride[], key: Partial<ModelKey> = {}): number | undefined =>
    configsWith(ALIASES, overrides).resolve({ model: 'leaf', ...key }).config.temperature;

  it('match by model, scope and retry, all of them together', () => {
    const all = [heats({ model: 'root', overrideScope: 'reviewer', isRetry: true }, 2)];
    assert.equal(temperature(all), 0);
    assert.equal(temperature(all, { scope: 'reviewer' }), 0);
    assert.equal(temperature(all, { scope: 'reviewer', isRetry: true }), 2);
    assert.equal(temperature(all, { scope: 'other', isRetry: true }), 0);
  });

  it('for the core count for nobody in particular', () => {
    const core = [heats({ overrideScope: 'core' }, 2)];
    assert.deepEqual(
      [temperature(core), temperature(core, { scope: 'core' }), temperature(core, { scope: 'x' })],
      [2, 2, 0],
    );
  });

  it('that match nothing in particular are ignored', () => assert.equal(temperature([heats({}, 2)]), 0));

  it('nearer to the name win over the model itself, whatever their order', () => {
    const leaf = heats({ model: 'leaf' }, 1.5);
    const root = heats({ model: 'root' }, 1.2);
    const model = heats({ model: 'gemini-x', overrideScope: 'core' }, 0.8);
    assert.equal(temperature([leaf, root, model]), 1.5);
    assert.equal(temperature([root, model]), 1.2);
    assert.equal(temperature([model]), 0.8);
  });

  it('with more conditions win, then the later one', () => {
    const two = heats({ model: 'leaf', isRetry: false }, 0.5);
    assert.equal(temperature([two, heats({ model: 'leaf' }, 1)]), 0.5);
    assert.equal(temperature([heats({ model: 'leaf' }, 1), heats({ model: 'leaf' }, 1.1)]), 1.1);
  });

  it('may name another model, as a fallback does', () => {
    const configs = configsWith({});
    const takeBack = configs.addOverride({ match: { model: CURRENT.pro }, modelConfig: { model: 'flash' } });
    const resolve = (): string => configs.resolve({ model: 'pro', isChat: true }).model;
    assert.equal(resolve(), CURRENT.flash);
    takeBack();
    assert.equal(resolve(), CURRENT.pro);
  });

  it('that ship give chance to a retry', () => {
    const configs = configsWith({}, [heats({ model: 'chat-base' }, 0)]);
    const chat = { model: 'auto', isChat: true };
    assert.equal(configs.resolve(chat).config.temperature, 0);
    assert.equal(configs.resolve({ ...chat, isRetry: true }).config.temperature, 1);
  });
});

describe('Who summarises', () => {
  it('is a model of the same kind and generation, or the model itself', () => {
    const configs = new LayeredModelConfigs(() => NOTHING);
    const itself = ['my-model', 'gemma-4-31b-it', 'google/gemini-3.8-flash'];
    const asked = ['gemini-3.8-flash', 'gemini-3-pro-preview', 'gemini-2.5-flash-lite', ...itself];
    assert.deepEqual(
      asked.map((model) => configs.resolve({ model: compressionAliasFor(model) }).model),
      ['gemini-3.8-flash', 'gemini-3.1-pro-preview', 'gemini-2.5-flash-lite', ...itself],
    );
  });
});

describe('What ships for each purpose', () => {
  const configs = new LayeredModelConfigs(() => NOTHING);
  const sent = (model: string, isChat = false) => requestConfigFor(undefined, configs.resolve({ model, isChat }));

  it('leaves the temperature of Gemini 3 in conversations at its default, and sets it for Gemini 2.5', () => {
    for (const model of KNOWN_IDS.filter((id) => id.startsWith('gemini-')))
      assert.equal(sent(model, true).temperature, model.startsWith('gemini-2.5') ? 1 : undefined, model);
  });

  for (const [purpose, thinking] of [
    ['classifier', { thinkingLevel: 'MINIMAL' }],
    ['session-title', { thinkingLevel: 'MINIMAL' }],
    ['web-search', { thinkingLevel: 'LOW' }],
    ['loop-detection', { thinkingLevel: 'LOW' }],
    ['loop-detection-double-check', undefined],
    ['chat-compression-3-pro', { thinkingLevel: 'LOW' }],
    ['chat-compression-3-flash-lite', { thinkingLevel: 'MINIMAL' }],
    ['chat-compression-2.5-pro', { thinkingBudget: 128 }],
    ['chat-compression-2.5-flash', { thinkingBudget: 0 }],
  ] as const) {
    it(`makes ${purpose} think ${thinking ? 'as little as its model can' : 'as its model does'}`, () =>
      assert.deepEqual(sent(purpose).thinkingConfig, thinking));
  }
});
