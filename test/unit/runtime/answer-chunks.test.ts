import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Part } from '@google/genai';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { answerParts } from '../../../extension/model/answer-parts.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import type { SessionRecord } from '../../../extension/sessions/session-record.ts';
import { readLog } from '../../../extension/sessions/store/read-log.ts';
import { idOf } from '../../support/agent.ts';
import { all, message, outline, testTool } from '../../support/conversation.ts';
import { body } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { type TestHostOptions, testHost } from '../../support/test-host.ts';
import { runs } from '../../support/test-size.ts';
import {
  type Choices,
  inChunks,
  inOneChunk,
  type WildAnswer,
  wildAnswer,
  wildChoices,
} from '../../support/wild-answer.ts';

const RUNS = runs(8, 300);
const DONE = inOneChunk({ parts: [{ text: 'Done.' }], finishReason: 'STOP' });

describe('However a service cuts an answer', () => {
  let endpoint: GeminiEndpoint;
  let folder: TempFolder;
  let service: AgentService;

  before(async () => {
    endpoint = await startGeminiEndpoint();
    folder = await tempFolder('sessions');
    service = open();
  });
  after(async () => {
    await service.dispose();
    await folder.dispose();
    await endpoint.dispose();
  });

  function open(options: TestHostOptions = {}): AgentService {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const fixed = { modelName: 'gemini-3.8-flash', approvalMode: 'yolo' } as const;
    const host = testHost({ environment, sessions: folder.path, ...fixed, ...options });
    // Those that only read run side by side, and end in any order.
    return new AgentService(host, () => [testTool('look', 'edit', () => Promise.resolve({ content: 'seen' }))]);
  }

  it(`events, log and what is sent next are the same, over HTTP and replayed, after a restart and a crash (${RUNS} answers)`, async function () {
    // Enough to find the smallest answer that fails.
    this.timeout(60_000 + RUNS * 2000);
    await fc.assert(fc.asyncProperty(wildAnswer, wildChoices, fc.nat(), check), { numRuns: RUNS });
  });

  async function check(answer: WildAnswer, choices: Choices, crash: number): Promise<void> {
    const [whole, pieces] = [inOneChunk(answer), inChunks(answer, choices)];
    const expected = await told(await overHttp(whole));
    const session = await overHttp(pieces);
    const cut = await told(session);
    assert.deepEqual(cut.seen, expected.seen);
    assert.deepEqual(withoutChance(joined(cut.records)), withoutChance(joined(expected.records)));
    const replayed = await told(await fromFile(pieces));
    assert.deepEqual(replayed.seen, expected.seen);
    assert.deepEqual(withoutChance(joined(replayed.records)), withoutChance(joined(expected.records)));

    const next = await nextAfter(expected.records);
    assert.deepEqual(await nextRequest(session), next, 'in the same process');
    assert.deepEqual(await nextAfter(cut.records), next, 'after a restart');
    // At least the message is there.
    const until = 1 + (crash % cut.records.length);
    const left = cut.records.slice(0, until);
    const sent = await nextAfter(left);
    const same = sameIn(expected.records, left);
    if (same) assert.deepEqual(sent, await nextAfter(same), 'after a crash');
  }

  async function overHttp(chunks: readonly object[]): Promise<AgentSession> {
    endpoint.startOver();
    endpoint.reply(...chunks.map(body));
    endpoint.always(...DONE.map(body));
    return asked(service);
  }

  async function fromFile(chunks: readonly object[]): Promise<AgentSession> {
    const file = join(folder.path, 'answers.jsonl');
    const lines = [chunks, ...Array.from({ length: 5 }, () => DONE)];
    const answers = lines.map((response) => JSON.stringify({ method: 'generateContentStream', response }));
    await writeFile(file, answers.join('\n'));
    const replaying = open({ recorded: { replay: file } });
    try {
      return await asked(replaying);
    } finally {
      await replaying.dispose();
    }
  }

  async function asked(by: AgentService): Promise<AgentSession> {
    const session = await by.createSession();
    assertClear(await all(session, message('Look')));
    return session;
  }

  async function told(session: AgentSession): Promise<{ seen: unknown; records: readonly SessionRecord[] }> {
    const { records } = await readLog(logOf(idOf(session)));
    return {
      seen: withoutChance(joinedEvents(session.events.filter(isConversation))),
      records: records.filter(({ type }) => type !== 'title' && type !== 'usage'),
    };
  }

  /** What is sent next by a process that finds these records. */
  async function nextAfter(records: readonly SessionRecord[]): Promise<unknown> {
    const id = `copy-${copies++}`;
    await mkdir(join(folder.path, id));
    const header = { type: 'session', version: 1, id, workspace: '', at: new Date(0).toISOString() };
    await writeFile(logOf(id), [header, ...records].map((record) => `${JSON.stringify(record)}\n`).join(''));
    return nextRequest(await service.resumeSession(id));
  }

  async function nextRequest(session: AgentSession): Promise<unknown> {
    assert.equal(outline(await all(session, message('And now?'))).at(-1), 'agent_end completed');
    assert.deepEqual(endpoint.takeProblems(), []);
    return withoutChance(endpoint.requests.at(-1)?.contents);
  }

  function logOf(id: string): string {
    return join(folder.path, id, 'log.jsonl');
  }
  let copies = 0;
});

/** An answer that is none ends with a problem that says so. */
function assertClear(events: readonly AgentEvent[]): void {
  assert.equal(events.at(-1)?.type, 'agent_end');
  const problems = events.flatMap((event) => (event.type === 'error' ? [event._meta?.problem?.kind] : []));
  assert.ok(!problems.includes(undefined) && !problems.includes('internal'), JSON.stringify(events.slice(-2)));
}

/** Titles come when they come. */
function isConversation(event: AgentEvent): boolean {
  return !(event.type === 'session_update' && event.title !== undefined) && !(event.type === 'usage' && event._meta);
}

/** The beginning of these records in which the same has happened; undefined in the middle of words. */
function sameIn(records: readonly SessionRecord[], left: readonly SessionRecord[]): SessionRecord[] | undefined {
  const wanted = JSON.stringify(withoutChance(joined(left)));
  for (let until = 1; until <= records.length; until++) {
    const candidate = records.slice(0, until);
    if (JSON.stringify(withoutChance(joined(candidate))) === wanted) return candidate;
  }
  return undefined;
}

/** Words that arrived one after the other, as if they had arrived together. */
function joined(records: readonly SessionRecord[]): SessionRecord[] {
  const result: SessionRecord[] = [];
  for (const record of records) {
    const last = result.at(-1);
    if (record.type === 'delta' && last?.type === 'delta') {
      result[result.length - 1] = { ...last, parts: answerParts([...last.parts, ...record.parts]) };
    } else result.push(record);
  }
  return result;
}

function joinedEvents(events: readonly AgentEvent[]): AgentEvent[] {
  const result: AgentEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const follows = event.type === 'message' && event.role === 'agent' && last?.type === 'message';
    if (!follows || last.role !== 'agent') result.push(event);
    else result[result.length - 1] = { ...last, content: joinedContent([...last.content, ...event.content]) };
  }
  return result;
}

function joinedContent(content: Extract<AgentEvent, { type: 'message' }>['content']): typeof content {
  const parts = content.map((part): Part => {
    if (part.type === 'thought') return { text: part.thought, thought: true };
    return part.type === 'text' ? { text: part.text } : assert.fail('only words are shown');
  });
  return answerParts(parts).map(({ text = '', thought }) =>
    thought ? { type: 'thought', thought: text } : { type: 'text', text },
  );
}

const TIMES: ReadonlySet<string> = new Set(['at', 'timestamp', 'ms', 'until', 'duration', 'durationMs']);
const IDS: ReadonlySet<string> = new Set(['id', 'streamId', 'invocationId', 'sessionId', 'messageId', 'requestId']);

/** Without times, and with ids numbered in the order in which they appear. */
function withoutChance(value: unknown): unknown {
  const ids = new Set<string>();
  let text = JSON.stringify(value ?? null, (key, item) => {
    if (IDS.has(key) && typeof item === 'string' && item !== '') ids.add(item);
    return TIMES.has(key) ? undefined : item;
  });
  const numbered = [...ids].map((id, index) => [id, `#${index}`] as const);
  // Some are the beginning of others.
  for (const [id, number] of numbered.sort(([a], [b]) => b.length - a.length)) text = text.replaceAll(id, number);
  return JSON.parse(text);
}
