import { streamError } from '../../../support/gemini/faults.ts';
import { body, finish, type Piece } from '../../../support/gemini/script.ts';
import { errorBody } from '../../../support/gemini/wire.ts';
import { describeFaults } from './matrix.ts';

const minute = [
  { '@type': 'x/google.rpc.QuotaFailure', violations: [{ quotaId: 'RequestsPerMinutePerModel' }] },
  { '@type': 'x/google.rpc.RetryInfo', retryDelay: '12s' },
];
const day = [{ '@type': 'x/google.rpc.QuotaFailure', violations: [{ quotaId: 'RequestsPerDayPerModel' }] }];
const full = [{ '@type': 'x/google.rpc.ErrorInfo', reason: 'MODEL_CAPACITY_EXHAUSTED' }];

/** An answer that begins and then says no. A whole answer, which has no beginning, is an error with status 200. */
function refused(status: number, details: readonly object[] = []): Piece {
  return ['Hel', finish('none'), body(errorBody(status, 'Sorry.', details))];
}

describeFaults('A status in the middle of an answer', [
  {
    what: '400',
    replies: [refused(400)],
    says: /^The request was rejected · \S+ answered: Sorry\. (?:What arrived is kept|Your message is kept)/,
    main: 'failed rejected-request | flash | none | none',
    subagent: 'failed rejected-request | flash | none | none',
    utility: 'failed rejected-request | flash | none | none',
  },
  {
    what: '401',
    replies: [refused(401)],
    says: /^The API key was refused · .*(?:What arrived is kept|Your message is kept)\./,
    main: 'failed bad-credential | flash | none | none',
    subagent: 'failed bad-credential | flash | none | none',
    utility: 'failed bad-credential | flash | none | none',
  },
  {
    what: '403',
    replies: [refused(403)],
    says: /^The API key does not have access to gemini-3\.8-flash · .*(?:What arrived is kept|Your message is kept)/,
    main: 'failed forbidden | flash | none | none',
    subagent: 'failed forbidden | flash | none | none',
    utility: 'failed forbidden | flash | none | none',
  },
  {
    what: '404',
    replies: [refused(404)],
    says: /^There is no model gemini-3\.\S+ · .*(?:What arrived is kept|Your message is kept)\./,
    main: 'failed model-not-found | flash | none | question',
    subagent: 'failed model-not-found | flash pro | none | retract switch',
    utility: 'failed model-not-found | flash pro | none | none',
  },
  {
    what: '408',
    replies: [refused(408)],
    says: /^\S+ has a problem · It answered: Sorry\. (?:What arrived is kept|Your message is kept)/,
    main: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed server | flash*4 | 5000 10000 20000 | none',
  },
  {
    what: '429 for this minute, with RetryInfo',
    replies: [refused(429, minute)],
    says: /^gemini-3\.\S+ is over its limit for this minute · (?:What arrived is kept|Your message is kept)\. \S+ accepts requests again in 12 seconds/,
    main: 'failed quota | flash*4 | 12000*3 | retract wait retract wait retract wait',
    subagent: 'failed quota | flash*4 | 12000*3 | retract wait retract wait retract wait',
    utility: 'failed quota | flash*3 | 13200 26400 | none',
  },
  {
    what: '429 for today',
    replies: [refused(429, day)],
    says: /^gemini-3\.\S+ is over its limit for today · (?:What arrived is kept|Your message is kept)\. Try again tomorrow/,
    main: 'failed quota | flash | none | question',
    subagent: 'failed quota | flash pro | none | retract switch',
    utility: 'failed quota | flash pro | none | none',
  },
  {
    what: '429 of a plan that has none',
    replies: [['Hel', streamError(429, 'Quota exceeded, limit: 0')]],
    says: /^gemini-3\.\S+ is not in your plan · .*(?:What arrived is kept|Your message is kept)/,
    main: 'failed quota | flash | none | question',
    subagent: 'failed quota | flash pro | none | retract switch',
    utility: 'failed quota | flash pro | none | none',
  },
  {
    what: '499',
    replies: [refused(499)],
    says: /^\S+ has a problem · It answered: Sorry\. (?:What arrived is kept|Your message is kept)/,
    main: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed server | flash*4 | 5000 10000 20000 | none',
  },
  {
    what: '500',
    replies: [refused(500)],
    says: /^\S+ has a problem · It answered: Sorry\. (?:What arrived is kept|Your message is kept)/,
    main: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed server | flash*4 | 5000 10000 20000 | none',
  },
  {
    what: '503',
    replies: [refused(503)],
    says: /^gemini-3\.\S+ is overloaded · It answered: Sorry\. (?:What arrived is kept|Your message is kept)/,
    main: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed server | flash*4 | 5000 10000 20000 | none',
  },
  {
    what: '503 without capacity',
    replies: [refused(503, full)],
    says: /^gemini-3\.\S+ is overloaded · It answered: Sorry\. (?:What arrived is kept|Your message is kept)/,
    main: 'failed server | flash*3 | 1100 3300 | retract wait retract wait question',
    subagent:
      'failed server | flash*3 pro*3 | 1100 3300 1100 3300 | retract wait retract wait retract switch retract wait retract wait',
    utility: 'failed server | flash*3 pro*3 | 1100 3300 1100 3300 | none',
  },
  {
    what: '504',
    replies: [refused(504)],
    says: /^\S+ has a problem · It answered: Sorry\. (?:What arrived is kept|Your message is kept)/,
    main: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    subagent: 'failed server | flash*4 | 1000 2000 4000 | retract wait retract wait retract wait',
    utility: 'failed server | flash*4 | 5000 10000 20000 | none',
  },
]);
