import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { credentialProblem } from '../../../extension/model/credential-problem.ts';
import { type Credential, type CredentialInput, resolveCredential } from '../../../extension/model/credentials.ts';

function resolve(input: Partial<CredentialInput>): Credential {
  return resolveCredential({ authMethod: 'auto', baseUrl: '', secretKey: undefined, environment: {}, ...input });
}

const URL_SETTING = 'https://gateway.example/gemini';
const URL_VARIABLE = 'https://variable.example';
const setting = { value: URL_SETTING, source: 'gantry.model.baseUrl' } as const;
const variable = { value: URL_VARIABLE, source: 'GOOGLE_GEMINI_BASE_URL' } as const;
const stored = { value: 'stored', source: 'secret storage' } as const;
const gemini = { value: 'gemini', source: 'GEMINI_API_KEY' } as const;
const google = { value: 'google', source: 'GOOGLE_API_KEY' } as const;

describe('where answers come from', () => {
  const cases: readonly [what: string, input: Partial<CredentialInput>, expected: Credential][] = [
    ['nothing set', {}, { kind: 'offline' }],
    ['blank values', { secretKey: ' ', baseUrl: ' ', environment: { GEMINI_API_KEY: '' } }, { kind: 'offline' }],
    ['a stored key', { secretKey: ' stored\n' }, { kind: 'gemini', key: stored }],
    ['a key in the environment', { environment: { GOOGLE_API_KEY: 'google' } }, { kind: 'gemini', key: google }],
    [
      'both variables: the one Gemini CLI prefers',
      { environment: { GEMINI_API_KEY: 'gemini', GOOGLE_API_KEY: 'google' } },
      { kind: 'gemini', key: gemini },
    ],
    [
      'a stored key and variables: what was set in Gantry',
      { secretKey: 'stored', environment: { GEMINI_API_KEY: 'gemini' } },
      { kind: 'gemini', key: stored },
    ],
    ['only an address', { baseUrl: URL_SETTING }, { kind: 'gateway', baseUrl: setting }],
    [
      'two addresses: the setting',
      { baseUrl: URL_SETTING, environment: { GOOGLE_GEMINI_BASE_URL: URL_VARIABLE } },
      { kind: 'gateway', baseUrl: setting },
    ],
    [
      'a key and an address',
      { environment: { GEMINI_API_KEY: 'gemini', GOOGLE_GEMINI_BASE_URL: URL_VARIABLE } },
      { kind: 'gemini', key: gemini, baseUrl: variable },
    ],
    [
      'offline asked for, with a key',
      { authMethod: 'offline', secretKey: 'stored', baseUrl: 'nonsense' },
      { kind: 'offline' },
    ],
    [
      'Vertex AI in the environment, with a key set in Gantry',
      { secretKey: 'stored', environment: { GOOGLE_GENAI_USE_VERTEXAI: 'true' } },
      { kind: 'gemini', key: stored },
    ],
    ['apiKey with a key', { authMethod: 'apiKey', secretKey: 'stored' }, { kind: 'gemini', key: stored }],
    ['gateway without a key', { authMethod: 'gateway', baseUrl: URL_SETTING }, { kind: 'gateway', baseUrl: setting }],
    [
      'gateway with a key',
      { authMethod: 'gateway', baseUrl: URL_SETTING, secretKey: 'stored' },
      { kind: 'gateway', baseUrl: setting, key: stored },
    ],
    [
      'a loopback address, as it is',
      { baseUrl: 'http://127.0.0.1:8080', secretKey: 'stored' },
      { kind: 'gemini', key: stored, baseUrl: { value: 'http://127.0.0.1:8080', source: 'gantry.model.baseUrl' } },
    ],
  ];
  for (const [what, input, expected] of cases) {
    it(what, () => assert.deepEqual(resolve(input), expected));
  }
});

describe('credentials that cannot work are told before anything is sent', () => {
  const cases: readonly [what: string, input: Partial<CredentialInput>, kind: string, says: RegExp][] = [
    ['apiKey without a key', { authMethod: 'apiKey' }, 'no-credential', /none is stored or set as GEMINI_API_KEY/],
    ['gateway without an address', { authMethod: 'gateway' }, 'bad-configuration', /gantry\.model\.baseUrl has no/],
    [
      'an address that is none',
      { baseUrl: 'localhost' },
      'bad-configuration',
      /^gantry\.model\.baseUrl is not an http/,
    ],
    ['another protocol', { baseUrl: 'file:///etc' }, 'bad-configuration', /is not an http or https URL/],
    [
      'a variable that is no address',
      { environment: { GOOGLE_GEMINI_BASE_URL: 'http://' } },
      'bad-configuration',
      /^GOOGLE_GEMINI_BASE_URL is not/,
    ],
    ['a password in the address', { baseUrl: 'https://me:secret@x.example' }, 'bad-configuration', /a password in it/],
    ['a query in the address', { baseUrl: 'https://x.example/?key=secret' }, 'bad-configuration', /a query/],
    ['a key with a line break', { secretKey: 'one\nsecret' }, 'bad-credential', /VS Code's secret storage has blanks/],
    [
      'a key with other letters',
      { environment: { GEMINI_API_KEY: 'secretß' } },
      'bad-credential',
      /from GEMINI_API_KEY/,
    ],
    [
      'a key over plain http to another machine',
      { baseUrl: 'http://10.0.0.7:8080', secretKey: 'secret' },
      'bad-configuration',
      /without https/,
    ],
    [
      'a host that only looks like loopback',
      { baseUrl: 'http://127.0.0.1.evil.example', secretKey: 'secret' },
      'bad-configuration',
      /without https/,
    ],
  ];
  for (const [what, input, kind, says] of cases) {
    it(what, () => {
      const credential = resolve(input);
      assert.equal(credential.kind, 'problem');
      const problem = credentialProblem(credential.trouble);
      assert.equal(problem.kind, kind);
      assert.match(problem.detail, says);
      assert.doesNotMatch(JSON.stringify([credential, problem]), /:secret@|=secret|secretß|one\\nsecret/);
    });
  }

  for (const host of ['localhost', 'api.localhost', '127.0.0.1', '127.1', '[::1]']) {
    it(`but a key may go to ${host} over plain http`, () => {
      assert.equal(resolve({ baseUrl: `http://${host}:9/`, secretKey: 'key' }).kind, 'gemini');
    });
  }

  it('and a gateway on another machine may be used over plain http without a key', () => {
    assert.equal(resolve({ baseUrl: 'http://10.0.0.7:8080' }).kind, 'gateway');
  });
});
