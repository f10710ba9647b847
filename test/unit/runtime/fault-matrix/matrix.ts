import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { CLASSIFIER_LIMIT_MS } from '../../../../extension/model/routing/classifier-strategy.ts';
import type { AgentEvent } from '../../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { type Problem, ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import { Transcript } from '../../../../extension/protocol/transcript/transcript.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { all, message } from '../../../support/conversation.ts';
import type { Piece } from '../../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../../support/gemini/server.ts';
import { type TestHostOptions, testHost } from '../../../support/test-host.ts';

/**
 * A conversation somebody looks at, one that works for another, a question beside them, and the question which model a
 * message is for: there the conversation itself is answered well.
 */
const ASKERS = ['main', 'subagent', 'utility', 'router'] as const;
export type Asker = (typeof ASKERS)[number];

/** What became of it. Words that come several times in a row are counted: `flash*3`. */
export interface Outcome {
  /** How the run ended, and the kind of its problem. */
  readonly ends: string;
  /** Which models were asked, in order; for the router, those that were to rate the message. */
  readonly asked: string;
  /** Milliseconds between the requests. */
  readonly waits: string;
  /** What a surface is told on the way: waits, taken back words, questions, switches. */
  readonly news: string;
}

export interface Fault {
  readonly what: string;
  /** Answers in order; the last one is given again and again. */
  readonly replies: readonly Piece[];
  /** What the user reads in the end: title and detail of the problem, or the answer. */
  readonly says: RegExp;
  /** Instead of a key of the environment. */
  readonly options?: (endpoint: GeminiEndpoint) => TestHostOptions | Promise<TestHostOptions>;
  /** What the user says to the question which model is to answer; no more are answered with no. */
  readonly answers?: readonly ('retry_once' | 'retry_always')[];
  /** One row per asker: `ends | asked | waits | news`. */
  readonly main?: string;
  readonly subagent?: string;
  readonly utility?: string;
  readonly router?: string;
  /** After so long without a byte time is over at once; without it, it never is. */
  readonly silentFor?: number;
}

export const BEFORE_FIRST_BYTE = 300_000;
export const BETWEEN_BYTES = 120_000;
export const KEY = 'AIzaSyTestTestTestTestx9Qk';

/** Runs every row of every fault as a test of its own. */
export function describeFaults(title: string, faults: readonly Fault[]): void {
  describe(title, () => {
    let endpoint: GeminiEndpoint;
    before(async () => {
      endpoint = await startGeminiEndpoint();
    });
    afterEach(() => endpoint.startOver());
    after(() => endpoint.dispose());
    for (const fault of faults) {
      for (const asker of ASKERS) {
        const row = fault[asker];
        if (row === undefined) continue;
        it(`${fault.what}: ${asker}`, async () => {
          const { outcome, says, complaints } = await suffer(endpoint, fault, asker);
          assert.equal(`${outcome.ends} | ${outcome.asked} | ${outcome.waits} | ${outcome.news}`, row, says);
          assert.match(says, asker === 'router' ? /^answer: Hello/ : fault.says);
          assert.ok(!`${says}${complaints}`.includes(KEY), 'nothing tells the key');
          assert.deepEqual(endpoint.takeProblems(), []);
        });
      }
    }
  });
}

interface Suffered {
  readonly outcome: Outcome;
  readonly says: string;
  readonly complaints: string;
}

async function suffer(endpoint: GeminiEndpoint, fault: Fault, asker: Asker): Promise<Suffered> {
  script(endpoint, fault, asker);
  const waits: number[] = [];
  let now = Date.now();
  const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_API_KEY: KEY };
  const host = testHost({ environment, ...(await fault.options?.(endpoint)) });
  const service = new AgentService({
    ...host,
    clock: {
      ...host.clock,
      now: () => now,
      pause: (ms, signal) => {
        // No wait, but how long the classifier has.
        if (ms === CLASSIFIER_LIMIT_MS)
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
        waits.push(ms);
        now += ms;
        return Promise.resolve();
      },
      alarm: (ms, ring) => {
        let isWanted = ms === fault.silentFor;
        // Before the first byte, the request is still on its way to the endpoint, which counts it.
        const due =
          ms === BEFORE_FIRST_BYTE ? endpoint.waitForRequest(endpoint.requests.length + 1) : Promise.resolve();
        if (isWanted)
          void due.then(() => {
            if (!isWanted) return;
            now += ms;
            ring();
          });
        return () => {
          isWanted = false;
        };
      },
    },
  });
  try {
    const seen = asker === 'utility' ? await asUtility(service) : await asSession(service, asker, fault);
    const requests = asker === 'router' ? endpoint.routeRequests : endpoint.requests;
    const asked = requests.map(({ model }) => nickname(model));
    const outcome = { ...seen, asked: counted(asked), waits: counted(waits.map(String)) };
    return { outcome, says: seen.says, complaints: host.complaints.join('\n') };
  } finally {
    await service.dispose();
  }
}

function script(endpoint: GeminiEndpoint, { replies }: Fault, asker: Asker): void {
  const last = replies.at(-1) ?? [];
  if (asker === 'router') {
    endpoint.replyRoute(last);
    endpoint.always('Hello');
    return;
  }
  for (const reply of replies.slice(0, -1)) endpoint.reply(reply);
  endpoint.always(last);
}

type Seen = Pick<Outcome, 'ends' | 'news'> & { readonly says: string };

async function asUtility(service: AgentService): Promise<Seen> {
  const question = { what: 'A commit message', instruction: 'Be brief.', text: 'The changes' };
  try {
    const says = await service.complete(question, new AbortController().signal);
    return { ends: 'completed', news: 'none', says };
  } catch (error) {
    if (!ProblemError.is(error)) throw error;
    return { ends: `failed ${error.problem.kind}`, news: 'none', says: wordsOf(error.problem) };
  }
}

async function asSession(service: AgentService, asker: Asker, { answers = [] }: Fault): Promise<Seen> {
  const parent = { sessionId: 'another', callId: 'its-call' };
  const session = await service.createSession(asker === 'subagent' ? { parent } : {});
  answerModels(session, [...answers]);
  const events = await all(session, message('Hi'));
  const end = events.at(-1);
  assert.ok(end?.type === 'agent_end');
  const problems = events.flatMap((event) => (event.type === 'error' ? (event._meta?.problem ?? []) : []));
  return {
    ends: [end.reason, ...problems.map(({ kind }) => kind)].join(' '),
    news: counted(events.flatMap(newsOf)),
    says: [...problems.map(wordsOf), ...shown(session.events)].join('\n'),
  };
}

function answerModels(session: AgentSession, answers: string[]): void {
  session.subscribe((event) => {
    if (event.type !== 'elicitation_request' || !event._meta?.modelChoice) return;
    const { requestId } = event;
    const decision = answers.shift();
    const reply =
      decision === undefined
        ? { requestId, action: 'decline' as const, content: {} }
        : { requestId, action: 'accept' as const, content: { decision } };
    void session.send({ elicitations: [reply] });
  });
}

function newsOf(event: AgentEvent): string[] {
  if (event.type === 'elicitation_request') return ['question'];
  if (event.type !== 'custom') return [];
  const known = { model_waiting: 'wait', answer_retracted: 'retract', model_switched: 'switch' };
  return Object.entries(known).flatMap(([kind, word]) => (event.kind === kind ? word : []));
}

/** Answers and notes as they stand in the end, without what was taken back. */
function shown(events: readonly AgentEvent[]): string[] {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript.entries.flatMap((entry) =>
    entry.kind === 'answer' || entry.kind === 'note' ? `${entry.kind}: ${entry.text}` : [],
  );
}

function wordsOf({ title, detail }: Problem): string {
  return `${title} · ${detail}`;
}

function nickname(model: string): string {
  return ['lite', 'flash', 'pro'].find((word) => model.includes(word)) ?? model;
}

function counted(words: readonly string[]): string {
  const groups: { word: string; times: number }[] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last?.word === word) last.times++;
    else groups.push({ word, times: 1 });
  }
  return groups.map(({ word, times }) => (times > 1 ? `${word}*${times}` : word)).join(' ') || 'none';
}
