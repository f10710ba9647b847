import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { Redactor, redactDeep, redactSecrets } from '../../../extension/safety/redact-secrets.ts';
import { growthOf, LINEAR } from '../../support/processor-time.ts';
import { runs } from '../../support/test-size.ts';
import { HARMLESS } from './harmless-text.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const KEY = `AI${'za'}${'Sy0_-Ab'.repeat(5)}`;
const JWT = `ey${'J'}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N`;
const HEX = '0123456789abcdef'.repeat(4);
const pem = (body: string, kind = 'RSA '): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`;

/** Each with the secret between « and »: that is what must go, and nothing else. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'a Google API key': [`key is «${KEY}».`, `?key=«${KEY}»&alt=sse`, `{"a":"x\\n«${KEY}»"}`],
  'a Google OAuth token': [`«ya29.${'a0Af-_'.repeat(6)}» end`, `«1//0${'gAbc-_'.repeat(6)}»`],
  'a GitHub token': [
    `«ghp_${HEX.slice(0, 36)}»`,
    `x «gho_${HEX.slice(0, 36)}»,`,
    `«github_pat_${HEX.slice(0, 30)}_${HEX}»`,
  ],
  'a GitLab token': [`"«glpat-${'aB3-_'.repeat(4)}»"`],
  'a Slack token': [`«xox${'b'}-1234567890-abcdefghij»`],
  'an AWS key': [
    `id «AKIA${'IOSFODNN7EXAMPLE'}» ok`,
    `aws_secret_access_key=«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»`,
  ],
  'a key that starts with sk-': [
    `«sk-proj-${'aB3'.repeat(12)}»`,
    `«sk-ant-api03-${'xY_9-'.repeat(10)}»`,
    `«sk-or-v1-${HEX}»`,
  ],
  'an npm token': [`//registry.npmjs.org/:_authToken=«npm_${HEX.slice(0, 36)}»`],
  'a Stripe key': [`«sk${'_live_'}${HEX.slice(0, 24)}»`],
  'what only requests were searched for': [
    `«whsec_${HEX.slice(0, 32)}»`,
    `SENDGRID «SG.${HEX.slice(0, 22)}.${HEX.slice(0, 43)}»`,
  ],
  'a JSON web token': [`cookie «${JWT}»; path`, `«${JWT}»`],
  'a private key': [
    `before\n«${pem('MIIEow\nIBAAK+/=')}»\nafter`,
    `"«${pem('MIIE\\nabc', '')}»"`,
    `«${pem('Proc-Type: 4,ENCRYPTED\n\nMIIE', 'EC ')}»`,
    `«-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE»\n`,
  ],
  'an authorization header': [
    'Authorization: Bearer «abc123»',
    `curl -H "authorization: Basic «dXNlcjpwYXNz»" https://x`,
    `{"Authorization": "Bearer «${HEX}»"}`,
    `the header Bearer «${HEX}» was sent`,
  ],
  'a password in a URL': ['postgres://me:«p@ss»@localhost:5432/db', 'redis://:«secret»@cache', 'https://u:«x»@h/a@b'],
  'an environment variable': [
    'PASSWORD=«hunter2»',
    'export DB_PASSWORD=«hunter» # local',
    'GITHUB_TOKEN=«abc»\nPORT=3000',
    'SECRET_KEY_BASE=«xyz»',
    `API_KEY="«with space-less»"`.replace(' ', '-'),
    `DEPLOY_TOKEN=«${HEX.repeat(20)}»`,
    'text\\nPASSWORD=«hunter2»\\nnext',
  ],
  JSON: [
    '{"api_key": "«abc»", "port": 80}',
    '{"client-secret":"«a\\"b»"}',
    '{\\"password\\": \\"«hunter2»\\"}',
    '{"accessToken": "«a1b2c3»"}',
    '{"a": {"privateKey": "«xyz»"}}',
  ],
  YAML: [
    'password: «hunter2»\nuser: me',
    '  api-key: «s3cr3t!»',
    "- secret: '«abc»'",
    'passphrase: "«correct horse battery»"',
  ],
  code: [`const password = '«hunter2»';`, 'apiKey: `«abc»`,', `:secret => "«abc»"`, 'config: password=«hunter2»'],
};

describe('Secrets', () => {
  for (const [kind, texts] of Object.entries(SECRETS)) {
    it(`are taken out: ${kind}`, () => {
      for (const marked of texts) {
        const text = marked.replace(/[«»]/g, '');
        assert.equal(redactSecrets(text), marked.replace(/«[^»]*»/g, '[redacted]'));
      }
    });
  }

  for (const [kind, texts] of Object.entries(HARMLESS)) {
    it(`are not found in ${kind}`, () => {
      for (const text of texts) assert.equal(redactSecrets(text), text);
    });
  }

  it('that are known are taken out wherever they stand, also in JSON and URLs', () => {
    const known = ['pa"ss word', 'pa"ss', 'abc', ''];
    const text = `x pa"ss word y ${JSON.stringify('pa"ss')} ?q=pa%22ss abc`;
    assert.equal(redactSecrets(text, known), 'x [redacted] y "[redacted]" ?q=[redacted] abc');
  });

  it('stay out when the text is looked at again', () => {
    for (const marked of Object.values(SECRETS).flat()) {
      const once = redactSecrets(marked.replace(/[«»]/g, ''));
      assert.equal(redactSecrets(once), once);
    }
  });

  it('are taken out of JSON values, by what they are and by what they are called', () => {
    const value = {
      token: 'short',
      nested: [{ text: `key ${KEY}`, credentials: { user: 'a' } }],
      password: 123456,
      secret: null,
      apiKey: '',
      isToken: true,
      inputTokens: 5,
    };
    assert.deepEqual(redactDeep(value, ['known']), {
      token: '[redacted]',
      nested: [{ text: 'key [redacted]', credentials: '[redacted]' }],
      password: '[redacted]',
      secret: null,
      apiKey: '',
      isToken: true,
      inputTokens: 5,
    });
  });

  it('are taken out of texts that were seen before, and of more texts than are kept', () => {
    const redactor = new Redactor(['known']);
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 150; at++) {
        const text = `${round * at} known ${KEY}`;
        assert.deepEqual(redactor.deep({ text, again: text }), redactDeep({ text, again: text }, ['known']));
      }
    }
  });

  it('do not make any text fail', () => {
    const piece = fc.constantFrom(
      'password',
      'TOKEN',
      '=',
      ': ',
      '"',
      "'",
      '\\',
      '\n',
      'sk-',
      'eyJ',
      '.',
      '://',
      '@',
      'a1',
    );
    fc.assert(
      fc.property(fc.array(piece, { size: '+1' }), (pieces) => typeof redactSecrets(pieces.join('')) === 'string'),
    );
  });

  const HOSTILE: readonly string[] = [
    'eyJaaaaaaaa',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.eyJaaaaaaaa ',
    'a',
    ' ',
    '"',
    '\\',
    'password="',
    'password=\\"',
    "password='\\",
    'password: ',
    'password=a.',
    'x://a:b',
    '://',
    ':@',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nAAAA-----END ',
    'AAAA\n-----END PRIVATE KEY-----\n',
    'Authorization: Bearer ',
    'sk-',
    'sk-a ',
    'bearer\t',
    'ghp_',
    'a-',
    'A_',
  ];

  it('cost time in proportion to the text, however hostile it is', function () {
    this.timeout(120_000);
    for (const unit of HOSTILE) {
      const redact = (length: number): void =>
        void redactSecrets(unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
      const growth = growthOf(redact, runs(1 << 12, 1 << 16));
      assert.ok(growth < LINEAR, `${JSON.stringify(unit)}: ${growth.toFixed(1)} times`);
    }
  });
});
