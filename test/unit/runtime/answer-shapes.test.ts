import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content, Part } from '@google/genai';
import { after, before, describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { readLog } from '../../../extension/sessions/store/read-log.ts';
import { idOf } from '../../support/agent.ts';
import { ANSWER_SHAPES, last } from '../../support/answer-shapes.ts';
import { all, message, outline, testTool } from '../../support/conversation.ts';
import { body } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { testHost } from '../../support/test-host.ts';

const look = testTool('look', 'read', () => Promise.resolve({ content: 'seen' }));

describe('An answer goes back to the model as it gave it:', () => {
  let endpoint: GeminiEndpoint;
  let folder: TempFolder;
  let service: AgentService;
  const asked: { readonly session: AgentSession; readonly what: string; readonly sentBack: readonly Part[] }[] = [];

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

  function open(): AgentService {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
    return new AgentService(testHost({ environment, sessions: folder.path }), () => [look]);
  }

  async function askedWith(chunks: readonly object[]): Promise<AgentSession> {
    endpoint.startOver();
    endpoint.reply(...chunks.map(body));
    endpoint.always('Done.');
    const session = await service.createSession();
    assert.equal(outline(await all(session, message('Look'))).at(-1), 'agent_end completed');
    return session;
  }

  /** What the next request has of the first answer. */
  async function sentBackBy(session: AgentSession): Promise<Part[]> {
    assert.equal(outline(await all(session, message('And now?'))).at(-1), 'agent_end completed');
    assert.deepEqual(endpoint.takeProblems(), []);
    return firstAnswer(endpoint.requests.at(-1)?.contents);
  }

  for (const { what, chunks, sentBack } of ANSWER_SHAPES) {
    it(what, async () => {
      const session = await askedWith(chunks);
      asked.push({ session, what, sentBack });
      assert.deepEqual(await sentBackBy(session), sentBack);
    });
  }

  it('each of them also after a restart', async () => {
    await service.dispose();
    service = open();
    for (const { session, what, sentBack } of asked) {
      assert.deepEqual(await sentBackBy(await service.resumeSession(idOf(session))), sentBack, what);
    }
  });

  const CALL: Part = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'b3du' };
  const HELLO: Part = { text: 'Hello', thoughtSignature: 'b3du' };
  const EMPTY: Part = { text: '' };
  const SIGNATURE: Part = { text: '', thoughtSignature: 'c2ln' };
  const STORED: readonly [said: Part, before: readonly Part[], behind: readonly Part[], sentBack: readonly Part[]][] = [
    [CALL, [EMPTY], [], [CALL]],
    [CALL, [SIGNATURE], [EMPTY], [CALL, SIGNATURE]],
    [HELLO, [EMPTY, SIGNATURE], [], [HELLO, SIGNATURE]],
    [HELLO, [], [EMPTY], [HELLO]],
  ];
  it('as it was stored by versions that put empty texts first', async () => {
    // The endpoint refuses signatures that it never gave.
    await askedWith([last({ text: 'Hello' }, SIGNATURE)]);
    for (const [said, ahead, behind, sentBack] of STORED) {
      const session = await askedWith([last(said)]);
      await service.dispose();
      await storeOtherwise(join(folder.path, idOf(session), 'log.jsonl'), (parts) => [...ahead, ...parts, ...behind]);
      service = open();
      assert.deepEqual(await sentBackBy(await service.resumeSession(idOf(session))), sentBack);
    }
  });
});

/** Changes the signed answer in a log. */
async function storeOtherwise(path: string, change: (parts: readonly Part[]) => Part[]): Promise<void> {
  const { records } = await readLog(path);
  const [header] = (await readFile(path, 'utf8')).split('\n');
  const lines = records.map((record) => {
    const parts = (record.type === 'event' && record.event.content?.parts) || [];
    const isSigned = parts.some(({ thoughtSignature }) => thoughtSignature !== undefined);
    if (record.type !== 'event' || !isSigned) return JSON.stringify(record);
    return JSON.stringify({ ...record, event: { ...record.event, content: { role: 'model', parts: change(parts) } } });
  });
  await writeFile(path, `${[header, ...lines].join('\n')}\n`);
}

/** Without the ids of its calls, which are ours. */
function firstAnswer(contents: readonly Content[] = []): Part[] {
  const answer = contents.find(({ role }) => role === 'model');
  return (answer?.parts ?? []).map((part) => {
    const { id: _, ...functionCall } = part.functionCall ?? {};
    return part.functionCall ? { ...part, functionCall } : part;
  });
}
