import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { describeModel } from '../../../extension/model/catalog/describe-model.ts';
import { DEFAULT_MODEL } from '../../../extension/model/catalog/model-names.ts';
import { ModelSource } from '../../../extension/model/model-source.ts';
import type { Host } from '../../../extension/ports/host.ts';
import type { AuthMethod } from '../../../extension/ports/settings.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { NO_LIMIT } from '../../../extension/runtime/model/limits.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { ask } from './asking.ts';

interface Wishes {
  authMethod: AuthMethod;
  modelName: string;
  baseUrl: string;
  secretKey: () => Promise<string | undefined>;
  environment: Record<string, string>;
}

function createHost(changes: Partial<Wishes> = {}): { host: Host; wishes: Wishes; errors: string[] } {
  const secretKey = (): Promise<undefined> => Promise.resolve(undefined);
  const wishes: Wishes = { authMethod: 'auto', modelName: 'auto', baseUrl: '', secretKey, environment: {}, ...changes };
  const errors: string[] = [];
  const ignore = (): undefined => undefined;
  const host: Host = {
    workspace: { roots: () => [], isTrusted: () => true },
    files: { unsavedText: () => undefined, openDocument: () => undefined },
    assets: '',
    settings: {
      authMethod: () => wishes.authMethod,
      modelName: () => wishes.modelName,
      baseUrl: () => wishes.baseUrl,
      limits: () => ({ prompt: NO_LIMIT, session: NO_LIMIT }),
      prices: () => ({}),
      maxAttempts: () => 10,
      approvalMode: () => 'default',
      answerMinutes: () => 0,
      policyPaths: () => [],
      loopDetection: () => true,
      redactsSecrets: () => true,
      retention: () => ({ days: 0, count: 0 }),
      sendsEnvironment: () => false,
      compressionThreshold: () => 0.5,
    },
    secrets: { apiKey: () => wishes.secretKey() },
    log: { debug: ignore, info: ignore, warn: ignore, error: (message) => errors.push(message) },
    clock: { now: () => 0 },
    sessions: { folder: undefined, owner: 'a test', interactive: true },
    environment: wishes.environment,
  };
  return { host, wishes, errors };
}

describe('what answers the next request', () => {
  let endpoint: GeminiEndpoint;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    endpoint.always('Hello');
  });

  afterEach(() => endpoint.dispose());

  it('is the offline guide without a credential', async () => {
    const { model, label, generator } = await new ModelSource(createHost().host).resolve('auto');
    assert.deepEqual([model, label], ['offline-guide', 'offline guide']);
    assert.match((await ask(generator)).text, /a script, not an AI/);
  });

  it('changes with the key, from one request to the next', async () => {
    const { host, wishes } = createHost({ baseUrl: endpoint.url, environment: { GEMINI_API_KEY: 'from-variable' } });
    const models = new ModelSource(host);
    await ask((await models.resolve('auto')).generator);
    wishes.secretKey = () => Promise.resolve('from-storage');
    const { model, generator } = await models.resolve('auto');
    await ask(generator);
    assert.equal(model, DEFAULT_MODEL);
    assert.deepEqual(
      endpoint.requests.map((request) => request.apiKey),
      ['from-variable', 'from-storage'],
    );
  });

  it('is the same client while the credential is the same', async () => {
    const models = new ModelSource(createHost({ baseUrl: endpoint.url }).host);
    const first = await models.resolve('auto');
    const second = await models.resolve('gemini-2.5-flash');
    assert.equal(first.generator, second.generator);
    assert.equal(second.label, 'gemini-2.5-flash');
  });

  it('is a problem when the settings cannot work', async () => {
    const kindOf = (changes: Partial<Wishes>, name: string): Promise<unknown> =>
      new ModelSource(createHost(changes).host).resolve(name);
    const is = (kind: 'no-credential' | 'bad-configuration') => (error: unknown) => ProblemError.is(error, kind);
    await assert.rejects(kindOf({ authMethod: 'apiKey' }, 'auto'), is('no-credential'));
    await assert.rejects(kindOf({ baseUrl: endpoint.url }, 'no such model'), is('bad-configuration'));
  });

  it('is found without the secret storage when that fails', async () => {
    const secretKey = (): Promise<never> => Promise.reject(new Error('locked'));
    const { host, errors } = createHost({
      secretKey,
      baseUrl: endpoint.url,
      environment: { GEMINI_API_KEY: 'variable' },
    });
    await ask((await new ModelSource(host).resolve('auto')).generator);
    assert.equal(endpoint.requests[0]?.apiKey, 'variable');
    assert.match(errors[0] ?? '', /secret storage could not be read/);
  });
});

describe('what surfaces show of the model', () => {
  const key = { GEMINI_API_KEY: 'key' };

  it('the offline guide', async () => {
    const shown = await describeModel(createHost({ modelName: 'not a name' }).host);
    assert.deepEqual(shown, { model: 'offline-guide', label: 'offline guide', offline: true });
  });

  it('that auto chooses, and the model it resolves to so far', async () => {
    const shown = await describeModel(createHost({ environment: key }).host);
    const method = 'the Gemini API, with an API key';
    assert.deepEqual(shown, { model: DEFAULT_MODEL, label: 'auto', offline: false, method });
  });

  it('a name that cannot be used, as it is', async () => {
    const shown = await describeModel(createHost({ environment: key, modelName: 'not a name' }).host);
    assert.equal(shown.label, 'not a name');
  });

  it('no way to sign in while there is none', async () => {
    const shown = await describeModel(createHost({ authMethod: 'apiKey' }).host);
    assert.deepEqual(shown, { model: DEFAULT_MODEL, label: 'auto', offline: false });
  });
});
