import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  apiError,
  badRequest,
  forbidden,
  htmlPage,
  http,
  invalidKey,
  missingKey,
  overloaded,
  quotaExceeded,
  raw,
  serverError,
  streamError,
  unauthorized,
} from '../../support/gemini/faults.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { ask, generatorAt, KEY, logged, problemIn } from './asking.ts';
import { type BadAnswer, itTells } from './bad-answer.ts';

const CASES: readonly BadAnswer[] = [
  {
    what: 'a wrong key',
    reply: invalidKey(),
    kind: 'bad-credential',
    says: /refused.*…x9Qk and comes from GEMINI_API_KEY/,
  },
  { what: 'status 401', reply: unauthorized(), kind: 'bad-credential', says: /The API key was refused/ },
  {
    what: 'status 401 from a gateway with its own words',
    reply: http(401, 'who are you?', { 'content-type': 'text/plain' }),
    kind: 'bad-credential',
    says: /The API key was refused/,
  },
  { what: 'status 403', reply: forbidden(), kind: 'forbidden', says: /has not been used in project 1.*…x9Qk/ },
  {
    what: 'no key where one is needed',
    reply: missingKey(),
    kind: 'no-credential',
    says: /key or a header is required.*requires a valid one/,
    target: {},
  },
  { what: 'an unknown model', reply: apiError(404), kind: 'model-not-found', says: /no model gemini-3\.8-flash/ },
  {
    what: 'a used-up minute',
    reply: quotaExceeded({ retryDelay: '41.2s' }),
    kind: 'quota',
    says: /over its limit for this minute.*accepts requests again in 42 seconds/,
  },
  {
    what: 'a used-up day',
    reply: quotaExceeded({ quotaId: 'GenerateRequestsPerDayPerProject', retryDelay: '7000s' }),
    kind: 'quota',
    says: /over its limit for today.*in 117 minutes/,
  },
  { what: 'a limit with a header', reply: apiError(429, { retryAfter: '1' }), kind: 'quota', says: /in 1 second\./ },
  { what: 'a limit without a time', reply: apiError(429), kind: 'quota', says: /Try again later/ },
  {
    what: 'a refused request',
    reply: badRequest('* Bad argument x. More.'),
    kind: 'rejected-request',
    says: /: Bad argument x\./,
  },
  { what: 'status 413', reply: http(413, 'too big'), kind: 'message-too-large', says: /too large to send/ },
  { what: 'status 500', reply: serverError(), kind: 'server', says: /has a problem.*An internal error has occurred/ },
  { what: 'status 503', reply: overloaded(), kind: 'server', says: /is overloaded/ },
  {
    what: 'status 502 as a page',
    reply: htmlPage(502, 'Bad Gateway'),
    kind: 'server',
    says: /It answered: status 502/,
  },
  {
    what: 'a page',
    reply: htmlPage(),
    kind: 'not-gemini',
    says: /http:\/\/127\.0\.0\.1:\d+ answered with a web page \(status 200\)/,
  },
  {
    what: 'a page that is labelled as a stream',
    reply: raw('<!DOCTYPE html>\n<p>\n\n</p>'),
    kind: 'not-gemini',
    says: /web page/,
  },
  { what: 'a page with 403', reply: htmlPage(403), kind: 'not-gemini', says: /web page \(status 403\)/ },
  {
    what: 'a page with 404',
    reply: htmlPage(404),
    kind: 'not-gemini',
    says: /not a Gemini API.*gantry\.model\.baseUrl/,
  },
  {
    what: 'a path the gateway does not have',
    reply: http(404, '{"detail":"Not Found"}'),
    kind: 'not-gemini',
    says: /status 404/,
  },
  {
    what: 'a redirect',
    reply: http(302, '', { location: 'https://login.example/' }),
    kind: 'not-gemini',
    says: /a redirect \(status 302\)/,
  },
];

describe('an endpoint that says no ends in a clear message:', () => {
  let endpoint: GeminiEndpoint;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
  });

  afterEach(() => endpoint.dispose());

  itTells(CASES, () => endpoint);

  it('a key that Google names in its error stays secret', async () => {
    const message = `Permission denied: Consumer 'api_key:${KEY.value}' has been suspended.`;
    endpoint.reply(apiError(403, { message }));
    endpoint.reply(streamError(403, message));
    for (const _ of [1, 2]) {
      const { error } = await ask(generatorAt(endpoint.url));
      assert.match(problemIn(error).detail, /Consumer 'api_key:…' has been suspended/);
      assert.ok(!logged(error).includes(KEY.value));
    }
  });

  it('a redirect does not carry the key away', async () => {
    endpoint.reply(http(307, '', { location: `${endpoint.url}/v1beta/models/x:streamGenerateContent?alt=sse` }));
    await ask(generatorAt(endpoint.url));
    assert.equal(endpoint.requests.length, 1);
  });
});
