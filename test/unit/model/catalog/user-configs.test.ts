import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readGeneration } from '../../../../extension/model/catalog/generation-settings.ts';
import { LayeredModelConfigs } from '../../../../extension/model/catalog/model-configs.ts';
import { readUserConfigs } from '../../../../extension/model/catalog/user-configs.ts';

describe('gantry.model.configs', () => {
  it('takes what Gemini CLI has under modelConfigs', () => {
    const modelConfig = {
      model: 'gemini-x',
      generateContentConfig: { temperature: 0.3, thinkingConfig: { thinkingLevel: 'HIGH' } },
    };
    const override = { match: { overrideScope: 'core' }, modelConfig: { generateContentConfig: { topP: 0.5 } } };
    const read = readUserConfigs({
      aliases: { mine: { extends: 'chat-base', modelConfig } },
      customAliases: { other: { modelConfig: { model: 'flash' } } },
      customOverrides: [override],
    });
    assert.deepEqual(read.problems, []);
    assert.deepEqual(Object.fromEntries(read.aliases), {
      mine: { extends: 'chat-base', modelConfig },
      other: { modelConfig: { model: 'flash' } },
    });
    assert.deepEqual(read.overrides, [override]);
  });

  const malformed: readonly [setting: unknown, problem: RegExp][] = [
    ['text', /configs was ignored: is not an object/],
    [{ alias: {} }, /: alias was ignored: is unknown/],
    [{ aliases: [] }, /: aliases was ignored/],
    [{ aliases: { a: null } }, /: aliases\.a was ignored: is not an object/],
    [{ aliases: { a: {} } }, /: aliases\.a\.modelConfig was ignored/],
    [{ aliases: { a: { extends: 5, modelConfig: {} } } }, /: aliases\.a\.extends was ignored/],
    [
      { aliases: { a: { modelConfig: { model: 'no model' } } } },
      /modelConfig\.model was ignored: is not the name of a model/,
    ],
    [{ aliases: { auto: { modelConfig: { model: 'x' } } } }, /: aliases\.auto was ignored: this name is reserved/],
    [{ overrides: {} }, /: overrides was ignored: is not a list/],
    [
      { overrides: [{ match: {}, modelConfig: {} }] },
      /overrides\[0\] was ignored: does not say which requests it applies to/,
    ],
    [{ overrides: [{ match: { mode: 'x' }, modelConfig: {} }] }, /overrides\[0\]\.match was ignored/],
    [{ overrides: [{ match: { isRetry: 'yes' }, modelConfig: {} }] }, /overrides\[0\]\.match was ignored/],
  ];
  for (const [setting, problem] of malformed) {
    it(`names what is wrong in ${JSON.stringify(setting)}, and uses nothing of it`, () => {
      const { aliases, overrides, problems } = readUserConfigs(setting);
      assert.deepEqual([aliases.size, overrides.length], [0, 0]);
      assert.ok(
        problems.some(({ text }) => problem.test(text)),
        JSON.stringify(problems),
      );
    });
  }

  it('uses the rest of what is partly wrong', () => {
    const config = { temperature: 'hot', topK: 3, httpOptions: { baseUrl: 'https://elsewhere.invalid' }, tools: [] };
    const good = { modelConfig: { model: 'gemini-x', generateContentConfig: config } };
    const { aliases, problems } = readUserConfigs({ aliases: { good, bad: 1 } });
    assert.deepEqual(Object.fromEntries(aliases), {
      good: { modelConfig: { model: 'gemini-x', generateContentConfig: { topK: 3 } } },
    });
    assert.equal(problems.length, 4);
  });

  it('breaks nothing, whatever is in it', () => {
    fc.assert(
      fc.property(fc.record({ aliases: fc.anything(), overrides: fc.anything() }), (setting) => {
        const configs = new LayeredModelConfigs(() => readUserConfigs(setting));
        assert.ok(configs.resolve({ model: 'auto-gemini-3', isChat: true }).model);
      }),
    );
  });

  it('cannot reach what all objects have', () => {
    const setting: unknown = JSON.parse(
      '{"aliases":{"__proto__":{"modelConfig":{"model":"x"}},"a":{"modelConfig":{"model":"y"}}}}',
    );
    const configs = new LayeredModelConfigs(() => readUserConfigs(setting));
    assert.equal(configs.resolve({ model: 'toString' }).model, 'toString');
    assert.equal(configs.resolve({ model: 'a' }).model, 'y');
  });
});

describe('gantry.model.generation', () => {
  it('is what the user gave and nothing else', () => {
    assert.deepEqual(readGeneration({ temperature: 0, maxOutputTokens: 100 }), {
      values: { temperature: 0, maxOutputTokens: 100 },
      problems: [],
    });
    assert.deepEqual(readGeneration(undefined), { values: {}, problems: [] });
  });

  it('omits what is malformed, by name, and never sets how much a model thinks', () => {
    const { values, problems } = readGeneration({
      temperature: 3,
      topP: '1',
      topK: 5,
      maxOutputTokens: 0.5,
      thinkingConfig: { thinkingBudget: 0 },
      constructor: 1,
    });
    assert.deepEqual(values, { topK: 5 });
    assert.deepEqual(
      problems.map(({ text }) => /: (\w+) was ignored/.exec(text)?.[1]),
      ['temperature', 'topP', 'maxOutputTokens', 'thinkingConfig', 'constructor'],
    );
    assert.deepEqual(readGeneration('hot').values, {});
  });
});
