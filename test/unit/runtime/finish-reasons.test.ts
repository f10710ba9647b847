import assert from 'node:assert/strict';
import { FinishReason } from '@google/genai';
import { after, before, describe, it } from 'mocha';
import type { AnswerChunk } from '../../../extension/model/content-generator.ts';
import { AnswerCheck } from '../../../extension/model/http/answer-check.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { all, message, testTool } from '../../support/conversation.ts';
import { body } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { testHost } from '../../support/test-host.ts';
import { inOneChunk } from '../../support/wild-answer.ts';

const CONTENTS = {
  nothing: [],
  signature: [{ text: '', thoughtSignature: 'c2ln' }],
  thoughts: [{ text: 'Hm.', thought: true }],
  words: [{ text: 'Hello' }],
  call: [{ functionCall: { name: 'look', args: {} } }, { text: '' }],
} as const satisfies Record<string, readonly object[]>;
type Contents = keyof typeof CONTENTS;

interface Ending {
  readonly reasons: readonly string[];
  /** How the run ends, with its problem, and after how many requests. */
  readonly outcomes: Readonly<Record<Contents, string>>;
}

const EMPTY = 'failed empty-answer, 4 requests';
const REFUSED = 'refusal refused-by-model, 4 requests';
const BROKEN = 'failed bad-stream, 4 requests';
const CALLED = 'completed, 2 requests';

/** Endings that are told alike, each with one that is tried with a whole conversation first. */
const ENDINGS: readonly Ending[] = [
  {
    reasons: ['STOP', 'FINISH_REASON_UNSPECIFIED'],
    outcomes: { nothing: EMPTY, signature: EMPTY, thoughts: EMPTY, words: 'completed, 1 requests', call: CALLED },
  },
  {
    reasons: ['MAX_TOKENS'],
    outcomes: {
      nothing: 'failed empty-answer, 1 requests',
      signature: 'failed empty-answer, 1 requests',
      thoughts: 'max_budget, 1 requests',
      words: 'max_budget, 1 requests',
      call: CALLED,
    },
  },
  {
    reasons: ['CONTINUATION'],
    outcomes: { nothing: EMPTY, signature: EMPTY, thoughts: EMPTY, words: 'max_budget, 1 requests', call: CALLED },
  },
  {
    reasons: [
      'SAFETY',
      'RECITATION',
      'LANGUAGE',
      'BLOCKLIST',
      'PROHIBITED_CONTENT',
      'SPII',
      'IMAGE_SAFETY',
      'IMAGE_PROHIBITED_CONTENT',
      'IMAGE_RECITATION',
    ],
    outcomes: {
      nothing: REFUSED,
      signature: REFUSED,
      thoughts: REFUSED,
      words: 'refusal, 1 requests',
      call: CALLED,
    },
  },
  {
    reasons: [
      'OTHER',
      'MALFORMED_FUNCTION_CALL',
      'UNEXPECTED_TOOL_CALL',
      'TOO_MANY_TOOL_CALLS',
      'NO_IMAGE',
      'IMAGE_OTHER',
      'A_REASON_OF_TOMORROW',
      'constructor',
    ],
    outcomes: { nothing: BROKEN, signature: BROKEN, thoughts: BROKEN, words: BROKEN, call: BROKEN },
  },
];

describe('However an answer ends, the outcome is clear:', () => {
  let endpoint: GeminiEndpoint;
  let service: AgentService;
  before(async () => {
    endpoint = await startGeminiEndpoint();
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const host = testHost({ environment, modelName: 'gemini-3.8-flash' });
    service = new AgentService(host, () => [testTool('look', 'read', () => Promise.resolve({ content: 'seen' }))]);
  });
  after(async () => {
    await service.dispose();
    await endpoint.dispose();
  });

  it('every reason of the API is among them', () => {
    const known = new Set(ENDINGS.flatMap(({ reasons }) => reasons));
    assert.deepEqual(
      Object.values(FinishReason).filter((reason) => !known.has(reason)),
      [],
    );
  });

  for (const { reasons, outcomes } of ENDINGS) {
    const [first = '', ...others] = reasons;
    it(`with ${first}${others.length > 0 ? ` and ${others.length} like it` : ''}`, async () => {
      for (const [what, parts] of Object.entries(CONTENTS)) {
        const told = await outcomeOf(inOneChunk({ parts, finishReason: first }));
        assert.equal(told, outcomes[what as Contents], what);
        for (const other of others) assert.equal(failure(parts, other), failure(parts, first), `${other}, ${what}`);
      }
    });
  }

  async function outcomeOf(chunks: readonly object[]): Promise<string> {
    endpoint.startOver();
    endpoint.when(({ toolResults }) => toolResults.length === 0, ...chunks.map(body));
    endpoint.always('Done.');
    const events = await all(await service.createSession(), message('Hi'));
    return `${endOf(events)}, ${endpoint.requests.length} requests`;
  }
});

function endOf(events: readonly AgentEvent[]): string {
  const problems = events.flatMap((event) => (event.type === 'error' ? [event._meta?.problem?.kind] : []));
  const end = events.at(-1);
  return [end?.type === 'agent_end' ? end.reason : 'no end', ...problems].join(' ');
}

function failure(parts: readonly object[], finishReason: string): string {
  const check = new AnswerCheck();
  for (const chunk of inOneChunk({ parts, finishReason }) as AnswerChunk[]) check.see(chunk);
  return JSON.stringify(check.failure() ?? 'none').replace(finishReason, '');
}
