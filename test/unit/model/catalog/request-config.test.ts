import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LayeredModelConfigs } from '../../../../extension/model/catalog/model-configs.ts';
import { requestConfigFor } from '../../../../extension/model/catalog/request-config.ts';
import { readUserConfigs } from '../../../../extension/model/catalog/user-configs.ts';
import { deepFreeze } from '../../../support/deep-freeze.ts';

const tools = [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: { type: 'object' } }] }];
const request = {
  systemInstruction: 'Be brief.',
  tools,
  labels: { adk_agent_name: 'gantry' },
  toolConfig: { functionCallingConfig: { allowedFunctionNames: ['read_file'] } },
  temperature: 0.4,
};
deepFreeze(request);

describe('What is sent along with an attempt', () => {
  const configs = new LayeredModelConfigs(() =>
    readUserConfigs({
      overrides: [
        {
          match: { model: 'gemini-3.1-pro-preview' },
          modelConfig: { generateContentConfig: { seed: 7, thinkingConfig: { thinkingLevel: 'HIGH' } } },
        },
      ],
    }),
  );
  const sentTo = (model: string, isRetry = false): object =>
    requestConfigFor(request, configs.resolve({ model, isChat: true, isRetry }));

  it('is the request on top of what is configured for the model', () => {
    const { labels: _, ...own } = request;
    assert.deepEqual(sentTo('gemini-3.1-pro-preview'), {
      ...own,
      seed: 7,
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
    });
  });

  it('has nothing of the first model when a fallback asks a second one', () => {
    const before = sentTo('gemini-3.1-pro-preview');
    const { labels: _, ...own } = request;
    assert.deepEqual(sentTo('gemini-2.5-flash', true), {
      ...own,
      topP: 0.95,
      topK: 64,
      thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 },
    });
    assert.deepEqual(sentTo('gemma-4-31b-it', true), own, 'not even the wish for thoughts');
    assert.deepEqual(sentTo('gemini-3.1-pro-preview'), before, 'and the first model gets its own again');
  });

  it('has thinking only from the configuration, never from an earlier attempt', () => {
    const stale = { ...request, thinkingConfig: { thinkingBudget: 8192 } };
    const sent = requestConfigFor(stale, configs.resolve({ model: 'flash', isChat: true }));
    assert.deepEqual(sent.thinkingConfig, { includeThoughts: true });
  });

  it('fits when a fallback is an override that names a model of another kind', () => {
    const redirected = new LayeredModelConfigs(() => readUserConfigs({}));
    redirected.addOverride({ match: { model: 'gemini-2.5-pro' }, modelConfig: { model: 'flash' } });
    const sent = requestConfigFor(undefined, redirected.resolve({ model: 'gemini-2.5-pro', isChat: true }));
    assert.deepEqual(sent.thinkingConfig, { includeThoughts: true }, 'no budget where there are levels');
  });

  it('asks for no longer answer than the model gives', () => {
    const long = { maxOutputTokens: 1_000_000 };
    const sent = (model: string): number | undefined =>
      requestConfigFor(long, configs.resolve({ model, isChat: true })).maxOutputTokens;
    assert.deepEqual([sent('flash'), sent('my-model')], [65_536, 1_000_000]);
  });
});
