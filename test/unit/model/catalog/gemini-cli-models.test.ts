import assert from 'node:assert/strict';
import { resolveModel } from '@google/gemini-cli-core/dist/src/config/models.js';
import { tokenLimit } from '@google/gemini-cli-core/dist/src/core/tokenLimits.js';
import { ModelConfigService } from '@google/gemini-cli-core/dist/src/services/modelConfigService.js';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { contextWindow } from '../../../../extension/model/catalog/known-models.ts';
import { LayeredModelConfigs } from '../../../../extension/model/catalog/model-configs.ts';
import { concreteModel } from '../../../../extension/model/catalog/model-names.ts';
import type { ModelKey } from '../../../../extension/model/model-key.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import { runs } from '../../../support/test-size.ts';

/**
 * Gemini CLI is asked the same questions. Where we differ on purpose:
 * 1. `auto`, `auto-gemini-3`, `pro`, `flash` and `flash-lite` stand for our current generation; `auto` without a route is flash.
 * 2. `none` is no name for a model.
 * 3. Names are resolved here to the end; there the caller does that, so models are compared after its `resolveModel`.
 * 4. `isRetry: false` in an override also matches a request that says nothing of retries; so the oracle is told `false`.
 * 5. Aliases called like what every object has (`constructor`) are aliases here, and break things there.
 * 6. `models/` in front of any name is left out; there only in some places.
 * 7. The built-in aliases: of its own we have those that the product uses, without thinking level and sampling for generation 3.
 */
describe('Model configuration beside Gemini CLI', () => {
  const NAMES = ['chat-base', 'a', 'b', 'c', 'd', 'gemini-x', 'my-model', 'gemini-2.5-pro'] as const;
  const name = fc.constantFrom(...NAMES);
  const config = fc.record(
    {
      temperature: fc.constantFrom(0, 0.5, 1),
      stopSequences: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
      thinkingConfig: fc.record(
        { includeThoughts: fc.boolean(), thinkingBudget: fc.constantFrom(0, 512) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const modelConfig = fc.record({ model: name, generateContentConfig: config }, { requiredKeys: [] });
  const alias = fc.record({ extends: name, modelConfig }, { requiredKeys: ['modelConfig'] });
  const aliases = fc.dictionary(name, alias, { noNullPrototype: true, maxKeys: 5 });
  const override = fc.record({
    match: fc.record(
      { model: name, overrideScope: fc.constantFrom('core', 'reviewer'), isRetry: fc.boolean() },
      { requiredKeys: [] },
    ),
    modelConfig,
  });
  const overrides = fc.array(override, { maxLength: 4 });
  const key: fc.Arbitrary<ModelKey> = fc.record(
    {
      model: name,
      scope: fc.constantFrom('core', 'reviewer', 'other'),
      isRetry: fc.boolean(),
      isChat: fc.boolean(),
    },
    { requiredKeys: ['model'] },
  );
  const layer = fc.record({ aliases, overrides });

  const outcome = (resolve: () => unknown, isRefusal: (error: unknown) => boolean): unknown => {
    try {
      return resolve();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return 'refused';
    }
  };

  it('gives the same model and the same values, whatever the aliases and overrides are', () => {
    let refused = 0;
    fc.assert(
      fc.property(layer, layer, layer, key, (builtIn, custom, runtime, asked) => {
        const ours = new LayeredModelConfigs(() => ({ ...custom, aliases: new Map(Object.entries(custom.aliases)) }), {
          ...builtIn,
          aliases: new Map(Object.entries(builtIn.aliases)),
        });
        const oracle = new ModelConfigService({
          aliases: builtIn.aliases,
          overrides: [...builtIn.overrides],
          customAliases: custom.aliases,
          customOverrides: [...custom.overrides],
        });
        for (const [at, value] of Object.entries(runtime.aliases)) {
          ours.addAlias(at, value);
          oracle.registerRuntimeModelConfig(at, value);
        }
        for (const value of runtime.overrides) {
          ours.addOverride(value);
          oracle.registerRuntimeModelOverride(value);
        }
        const { model, scope, isRetry = false, isChat } = asked;
        const mine = outcome(
          () => ours.resolve(asked),
          (error) => ProblemError.is(error, 'bad-configuration'),
        );
        const theirs = outcome(
          () => {
            const found = oracle.getResolvedConfig({
              model,
              isRetry,
              ...(scope !== undefined && { overrideScope: scope }),
              ...(isChat !== undefined && { isChatModel: isChat }),
            });
            return { model: resolveModel(found.model), config: found.generateContentConfig };
          },
          (error) => error instanceof Error,
        );
        assert.deepEqual(mine, theirs);
        if (mine === 'refused') refused++;
      }),
      { numRuns: runs(300, 3000) },
    );
    assert.ok(refused > 100 && refused < 2900, `${refused} were refused`);
  });

  it('gives the same model for every name, except for those that mean the current generation', () => {
    const OURS = ['auto', 'auto-gemini-3', 'pro', 'flash', 'flash-lite', 'none'];
    const THEIRS = [
      'auto-gemini-2.5',
      'gemini-2.5-pro',
      'gemini-2.5-flash',
      'gemini-3-pro-preview',
      'gemini-3.1-flash-lite',
    ];
    const word = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
    const asked = fc.oneof(
      fc.constantFrom(...OURS, ...THEIRS, 'gemini-3.1-pro-preview', 'gemini-3-flash-preview', 'gemma-4-31b-it'),
      word,
      word.map((text) => `gemini-${text}`),
    );
    fc.assert(
      fc.property(asked, (model) => {
        fc.pre(!OURS.includes(model));
        assert.equal(concreteModel(model), resolveModel(model, model.includes('3.1-pro')));
      }),
    );
    assert.deepEqual([concreteModel('models/a'), resolveModel('models/a')], ['a', 'models/a']);
    assert.deepEqual(
      OURS.map((model) => [model, concreteModel(model), resolveModel(model)]),
      [
        ['auto', 'gemini-3.8-flash', 'gemini-3-pro-preview'],
        ['auto-gemini-3', 'gemini-3.8-flash', 'gemini-3-pro-preview'],
        ['pro', 'gemini-3.1-pro-preview', 'gemini-3-pro-preview'],
        ['flash', 'gemini-3.8-flash', 'gemini-3-flash-preview'],
        ['flash-lite', 'gemini-3.5-flash-lite', 'gemini-3.1-flash-lite'],
        ['none', 'none', 'gemini-3.1-flash-lite'],
      ],
    );
  });

  it('has the same window for every model', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
    const asked = fc.oneof(fc.constantFrom('gemini-2.5-pro', 'gemma-4-31b-it', 'gemma-4-26b-a4b-it'), word);
    fc.assert(fc.property(asked, (model) => assert.equal(contextWindow(model), tokenLimit(model))));
  });
});
