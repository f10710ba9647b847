import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ModelFailure } from '../../../extension/model/model-failure.ts';
import { modelProblem, problemOf } from '../../../extension/model/model-problem.ts';
import type { Exchange } from '../../../extension/model/refusal-problem.ts';
import { type Problem, ProblemError, problemStatus } from '../../../extension/protocol/agent/problem.ts';
import { KEY, MODEL } from './asking.ts';

const GOOGLE: Exchange = { model: MODEL, key: KEY, arrived: false };
const GATEWAY: Exchange = {
  model: MODEL,
  baseUrl: { value: 'https://llm.example/g', source: 'GOOGLE_GEMINI_BASE_URL' },
  arrived: false,
};

function refused(status: number, message = 'Long story. Very long.'): ModelFailure {
  return { type: 'refused', status, error: { code: status, message, status: '' } };
}

describe('what the user reads when a model fails', () => {
  const cases: readonly [failure: ModelFailure, exchange: Exchange, text: string][] = [
    [
      refused(401),
      GOOGLE,
      'The API key was refused · Google answered that the key is invalid. The key ends in …x9Qk and comes from GEMINI_API_KEY. ' +
        'Your message is kept.',
    ],
    [
      refused(401),
      { ...GOOGLE, key: { value: 'short', source: 'secret storage' } },
      "The API key was refused · Google answered that the key is invalid. The key comes from VS Code's secret storage. " +
        'Your message is kept.',
    ],
    [
      { type: 'no-answer', code: 'ENOTFOUND' },
      GOOGLE,
      'generativelanguage.googleapis.com:443 cannot be reached · The host name could not be resolved. ' +
        'Your message is kept. Check your connection or proxy.',
    ],
    [
      { type: 'not-gemini', status: 200, what: 'a web page' },
      GATEWAY,
      "The endpoint is not a Gemini API · https://llm.example/g answered with a web page (status 200) instead of a model's answer. " +
        'Your message is kept. Check GOOGLE_GEMINI_BASE_URL.',
    ],
    [
      { type: 'cut' },
      { ...GOOGLE, arrived: true },
      'The connection broke in the middle of the answer · What arrived is kept.',
    ],
    [
      {
        type: 'refused',
        status: 429,
        error: { code: 429, message: '', status: '', retrySeconds: 42, quotaPeriod: 'minute' },
      },
      GOOGLE,
      'gemini-3.8-flash is over its limit for this minute · Your message is kept. ' +
        'Google accepts requests again in 42 seconds.',
    ],
    [refused(500), GATEWAY, 'llm.example:443 has a problem · It answered: Long story. Your message is kept.'],
  ];
  for (const [failure, exchange, expected] of cases) {
    it(expected.slice(0, expected.indexOf(' · ')), () => {
      const { title, detail } = modelProblem(failure, exchange);
      assert.equal(`${title} · ${detail}`, expected);
    });
  }
});

describe('every text about a failed model', () => {
  const failures: readonly ModelFailure[] = [
    ...[400, 401, 402, 403, 404, 408, 413, 418, 429, 500, 503, 0].map((status) => refused(status)),
    ...['ECONNREFUSED', 'ETIMEDOUT', 'CERT_HAS_EXPIRED', 'EHOSTUNREACH', 'EPROTO', 'unknown'].map(
      (code): ModelFailure => ({ type: 'no-answer', code }),
    ),
    { type: 'not-gemini', status: 0, what: 'something that is not HTTP' },
    { type: 'cut' },
    { type: 'unreadable' },
    { type: 'empty' },
    { type: 'broken-off', finishReason: 'OTHER' },
    { type: 'blocked', part: 'answer', reason: 'SAFETY' },
  ];
  const problems: readonly Problem[] = [GOOGLE, GATEWAY, { ...GOOGLE, arrived: true }].flatMap((exchange) =>
    failures.map((failure) => modelProblem(failure, exchange)),
  );
  const sentences = (text: string): number => text.match(/[.!?](?=\s|$)/g)?.length ?? 0;

  for (const { title, detail, actions, kind } of problems) {
    it(`${kind}: ${title} · ${detail}`, () => {
      assert.ok(sentences(detail) <= 3, 'what happened, what was kept, what to do');
      assert.equal(sentences(title), 0);
      assert.match(detail, /(?:Your message|What arrived) is kept/);
      assert.doesNotMatch(`${title} ${detail}`, /!|please|oops|sorry|undefined|AIza/i);
      assert.ok(actions.length > 0);
      assert.match(problemStatus(kind), /^[A-Z_]+$/);
    });
  }
});

describe('anything else that is thrown', () => {
  it('is a problem of Gantry', () => assert.equal(problemOf(new TypeError('x')).kind, 'internal'));

  it('keeps the problem it carries', () => {
    const problem = modelProblem({ type: 'cut' }, GOOGLE);
    assert.equal(problemOf(new ProblemError(problem)), problem);
  });
});
