import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { credentialProblem } from '../../../../extension/model/auth/credential-problem.ts';
import {
  type Credential,
  type CredentialInput,
  resolveCredential,
} from '../../../../extension/model/auth/credentials.ts';
import { NO_AUTH } from '../../../support/test-host.ts';

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

type Case = readonly [what: string, input: Partial<CredentialInput>, expected: Credential];

const VERTEX_ON = { GOOGLE_GENAI_USE_VERTEXAI: 'true' };
const PLACE = { GOOGLE_CLOUD_PROJECT: 'tools', GOOGLE_CLOUD_LOCATION: 'europe-west4' };
const vertex = { project: 'tools', location: 'europe-west4' };
const express = { location: 'global' };

const VERTEX_CASES: readonly Case[] = [
  ['Vertex AI in the environment', { environment: { ...VERTEX_ON, ...PLACE } }, { kind: 'adc', vertex }],
  [
    'Vertex AI without a location: the global one',
    { environment: { GOOGLE_GENAI_USE_VERTEXAI: '1', GOOGLE_CLOUD_PROJECT: ' tools ' } },
    { kind: 'adc', vertex: { project: 'tools', location: 'global' } },
  ],
  [
    'Vertex AI with a project and a key in the environment: the project, as the SDK has it',
    { environment: { ...VERTEX_ON, ...PLACE, GOOGLE_API_KEY: 'google', GEMINI_API_KEY: 'gemini' } },
    { kind: 'adc', vertex },
  ],
  [
    'Vertex AI with an express key, which is not the key of the Gemini API',
    { environment: { ...VERTEX_ON, GOOGLE_API_KEY: 'google', GEMINI_API_KEY: 'gemini' } },
    { kind: 'express', key: google, vertex: express },
  ],
  [
    'vertex with a stored key: set in Gantry, so before the project of the environment',
    { authMethod: 'vertex', secretKey: 'stored', environment: PLACE },
    { kind: 'express', key: stored, vertex: express },
  ],
  [
    'vertex with a project in the settings: before every key and variable',
    {
      authMethod: 'vertex',
      secretKey: 'stored',
      auth: { ...NO_AUTH, project: 'mine', location: 'us' },
      environment: PLACE,
    },
    { kind: 'adc', vertex: { project: 'mine', location: 'us' } },
  ],
  [
    'a project in the settings alone: Vertex AI, whatever the environment says',
    { auth: { ...NO_AUTH, project: 'mine' }, environment: { GEMINI_API_KEY: 'gemini' } },
    { kind: 'adc', vertex: { project: 'mine', location: 'global' } },
  ],
  [
    'apiKey chosen, with Vertex AI in the environment',
    { authMethod: 'apiKey', environment: { ...VERTEX_ON, ...PLACE, GEMINI_API_KEY: 'gemini' } },
    { kind: 'gemini', key: gemini },
  ],
  ['adc at the Gemini API', { authMethod: 'adc' }, { kind: 'adc' }],
  ['adc with who pays', { authMethod: 'adc', environment: PLACE }, { kind: 'adc', quotaProject: 'tools' }],
  [
    'adc at Vertex AI',
    { authMethod: 'adc', auth: { ...NO_AUTH, location: 'europe-west4' }, environment: PLACE },
    { kind: 'adc', vertex },
  ],
  [
    'Vertex AI at an address of Google’s',
    { baseUrl: 'https://europe-west4-aiplatform.p.googleapis.com', authMethod: 'vertex', environment: PLACE },
    {
      kind: 'adc',
      vertex,
      baseUrl: { value: 'https://europe-west4-aiplatform.p.googleapis.com', source: 'gantry.model.baseUrl' },
    },
  ],
];

const CLIENT = { ...NO_AUTH, clientId: 'client' };

const LOGIN_CASES: readonly Case[] = [
  ['google, signed in', { authMethod: 'google', auth: CLIENT, signedIn: true }, { kind: 'login' }],
  [
    'signed in, and nothing chosen: before the environment',
    { auth: CLIENT, signedIn: true, environment: { ...VERTEX_ON, GEMINI_API_KEY: 'gemini' } },
    { kind: 'problem', trouble: { type: 'no-project' } },
  ],
  [
    'signed in, with a key in the environment',
    { auth: CLIENT, signedIn: true, environment: { GEMINI_API_KEY: 'gemini' } },
    { kind: 'login' },
  ],
  [
    'signed in, with a stored key',
    { auth: CLIENT, signedIn: true, secretKey: 'stored' },
    { kind: 'gemini', key: stored },
  ],
  ['signed in once, without a client any more', { auth: NO_AUTH, signedIn: true }, { kind: 'offline' }],
];

const HEADERS = { Authorization: 'Bearer ${env:TOKEN}', 'X-Team': 'blue' };
const headers = { authorization: 'Bearer variable', 'x-team': 'blue' };

const HEADER_CASES: readonly Case[] = [
  [
    'a gateway with headers of its own',
    { baseUrl: URL_SETTING, auth: { ...NO_AUTH, headers: HEADERS }, environment: { TOKEN: 'variable' } },
    { kind: 'gateway', baseUrl: setting, headers },
  ],
  [
    'headers without an address to go to',
    { secretKey: 'stored', auth: { ...NO_AUTH, headers: HEADERS } },
    { kind: 'gemini', key: stored },
  ],
];

describe('where answers come from', () => {
  const cases: readonly Case[] = [
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
    ...VERTEX_CASES,
    ...LOGIN_CASES,
    ...HEADER_CASES,
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
  type Refused = readonly [what: string, input: Partial<CredentialInput>, kind: string, says: RegExp];
  const cases: readonly Refused[] = [
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
    ['a key with a line break', { secretKey: 'one\nsecret' }, 'bad-credential', /VS Code's secret storage has spaces/],
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
    [
      'google without a client',
      { authMethod: 'google', signedIn: true },
      'bad-configuration',
      /gantry\.auth\.clientId/,
    ],
    ['google, signed out', { authMethod: 'google', auth: CLIENT }, 'no-credential', /The sign-in method is Google\./],
    ['vertex without a project', { authMethod: 'vertex' }, 'bad-configuration', /GOOGLE_CLOUD_PROJECT names one/],
    [
      'a location that would be another host',
      { authMethod: 'vertex', auth: { ...NO_AUTH, project: 'p', location: 'x.evil.example/' } },
      'bad-configuration',
      /gantry\.auth\.location or GOOGLE_CLOUD_LOCATION/,
    ],
    [
      'a project that would be another path',
      { authMethod: 'vertex', environment: { GOOGLE_CLOUD_PROJECT: '../../x' } },
      'bad-configuration',
      /GOOGLE_CLOUD_PROJECT/,
    ],
    ...['https://gateway.example', 'https://googleapis.com.evil.example', 'http://aiplatform.googleapis.com'].map(
      (baseUrl): Refused => [
        `a token of Google's, and ${baseUrl}`,
        { authMethod: 'adc', baseUrl },
        'bad-configuration',
        /is sent only to Google/,
      ],
    ),
    [
      'headers over plain http to another machine',
      { baseUrl: 'http://10.0.0.7:8080', auth: { ...NO_AUTH, headers: { 'x-key': 'secretß' } } },
      'bad-configuration',
      /x-key, whose value is invalid/,
    ],
    [
      'headers in the clear',
      { baseUrl: 'http://10.0.0.7:8080', auth: { ...NO_AUTH, headers: { 'x-key': 'k' } } },
      'bad-configuration',
      /could read the headers/,
    ],
    [
      'a header whose variable is not set',
      { baseUrl: URL_SETTING, auth: { ...NO_AUTH, headers: HEADERS } },
      'bad-configuration',
      /authorization, whose variable TOKEN is not set/,
    ],
    ...['Host', 'content-length', 'Transfer-Encoding', 'a b', 'x\r\ny: z', ''].map(
      (name): Refused => [
        `a header called ${JSON.stringify(name)}`,
        { baseUrl: URL_SETTING, auth: { ...NO_AUTH, headers: { [name]: 'x' } } },
        'bad-configuration',
        /^gantry\.auth\.headers has/,
      ],
    ),
    [
      'a header with a line break from a variable',
      { baseUrl: URL_SETTING, auth: { ...NO_AUTH, headers: { 'x-key': '${env:K}' } }, environment: { K: 'a\r\nb: c' } },
      'bad-configuration',
      /whose value is invalid/,
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
