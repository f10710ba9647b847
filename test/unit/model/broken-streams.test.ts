import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  blockedPrompt,
  cut,
  cutInFrame,
  http,
  malformedFrame,
  noCandidates,
  noContent,
  raw,
  streamError,
} from '../../support/gemini/faults.ts';
import { body, finish, text, thought } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { ask, generatorAt, problemIn } from './asking.ts';
import { type BadAnswer, itTells } from './bad-answer.ts';

const CASES: readonly BadAnswer[] = [
  { what: 'a connection closed without an answer', reply: cut(), kind: 'unreachable', says: /closed before an answer/ },
  {
    what: 'a cut between events',
    reply: ['Hel', cut()],
    kind: 'stream-cut',
    says: /middle of the answer.*What arrived is kept/,
    arrived: 'Hel',
  },
  {
    what: 'a cut in an event',
    reply: ['Hel', cutInFrame('lo')],
    kind: 'stream-cut',
    says: /What arrived is kept/,
    arrived: 'Hel',
  },
  {
    what: 'a cut before the first words',
    reply: [thought('Hm'), cut()],
    kind: 'stream-cut',
    says: /before the answer arrived.*Your message/,
  },
  {
    what: 'an end in the middle of an event',
    reply: ['Hel', finish('none'), raw('data: {"candidates": [{"con')],
    kind: 'stream-cut',
    says: /What arrived is kept\./,
    arrived: 'Hel',
  },
  {
    what: 'an end without a finish reason',
    reply: ['Hel', finish('none')],
    kind: 'stream-cut',
    says: /connection broke/,
    arrived: 'Hel',
  },
  {
    what: 'a malformed event',
    reply: ['Hel', malformedFrame(), text('lo')],
    kind: 'bad-stream',
    says: /could not be read/,
    arrived: 'Hel',
  },
  { what: 'an event that is a list', reply: raw('data: [1, 2]\n\n'), kind: 'bad-stream', says: /not in the format/ },
  {
    what: 'parts of a wrong shape',
    reply: body({ candidates: [{ content: { parts: 'x' } }] }),
    kind: 'bad-stream',
    says: /not in the format/,
  },
  {
    what: 'an error in the stream',
    reply: ['Hel', streamError(503, 'Too busy.')],
    kind: 'server',
    says: /overloaded.*Too busy.*What arrived/,
    arrived: 'Hel',
  },
  {
    what: 'a bare error in the stream',
    reply: ['Hel', streamError(429, 'Slow.', false)],
    kind: 'quota',
    says: /What arrived/,
    arrived: 'Hel',
  },
  {
    what: 'an error in the stream without a number',
    reply: raw('data: {"error":{"message":"Boom"}}\n\n'),
    kind: 'server',
    says: /answered: Boom/,
  },
  {
    what: 'a bare error with status 200',
    reply: http(200, '[{"error":{"code":400,"message":"Bad."}}]', { 'content-type': 'application/json' }),
    kind: 'rejected-request',
    says: /: Bad\./,
  },
  { what: 'an empty stream', reply: finish('none'), kind: 'empty-answer', says: /ended without an answer\./ },
  { what: 'an answer without candidates', reply: noCandidates(), kind: 'empty-answer', says: /The answer is empty/ },
  {
    what: 'a candidate without content',
    reply: noContent(),
    kind: 'empty-answer',
    says: /Your message is kept\./,
  },
  { what: 'only thoughts', reply: [thought('Hm'), noContent()], kind: 'empty-answer', says: /The answer is empty/ },
  {
    what: 'no room for an answer',
    reply: [noContent(), finish('MAX_TOKENS')],
    kind: 'empty-answer',
    says: /an answer \(MAX_TOKENS\)/,
  },
  {
    what: 'a call that was not written down',
    reply: [text('I read'), finish('MALFORMED_FUNCTION_CALL')],
    kind: 'bad-stream',
    says: /early.*MALFORMED/,
    arrived: 'I read',
  },
  { what: 'a blocked message', reply: blockedPrompt(), kind: 'refused-by-model', says: /message was blocked.*SAFETY/ },
  {
    what: 'a blocked answer',
    reply: [noContent(), finish('RECITATION')],
    kind: 'refused-by-model',
    says: /answer was blocked.*RECITATION/,
  },
];

describe('an answer that breaks ends in a clear message:', () => {
  let endpoint: GeminiEndpoint;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
  });

  afterEach(() => endpoint.dispose());

  itTells(CASES, () => endpoint);

  it('words in front of a malformed event are kept, also when both come at once', async () => {
    const good = '{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello"}]}}]}';
    endpoint.reply(raw(`data: ${good}\n\ndata: {"candidates\n\n`));
    const { text, error } = await ask(generatorAt(endpoint.url));
    assert.equal(text, 'Hello');
    assert.match(problemIn(error).detail, /What arrived is kept/);
  });
});
