import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '@google/genai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Tool } from '../../../extension/ports/tool.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { createReadFileTool } from '../../../extension/tools/files/read-file.ts';
import { all, message, outline, testTool } from '../../support/conversation.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';
import { call, usage } from '../../support/gemini/script.ts';
import { snapshotModel } from '../../support/gemini/snapshot-model.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { type TestHost, testHost } from '../../support/test-host.ts';

/** About 12,000 tokens. */
const LONG = 'one two three four five six seven eight nine ten eleven twelve\n'.repeat(1000);

describe('A conversation with long outputs', () => {
  const endpoint = useGemini();
  let folder: TempFolder;
  let host: TestHost;
  let service: AgentService;

  beforeEach(async () => {
    folder = await tempFolder('masking');
    service = open();
  });
  afterEach(async () => {
    await service.dispose();
    await folder.dispose();
  });

  function open(modelName = 'auto'): AgentService {
    host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint().url },
      sessions: folder.path,
      roots: [folder.path],
      modelName,
      approvalMode: 'yolo',
      // It makes the same call again and again.
      loopDetection: false,
    });
    return new AgentService(host, () => [look(), createReadFileTool()]);
  }

  /** Rounds in one run, each with an output; the stored history cannot be changed meanwhile. */
  async function look12(): Promise<string> {
    const session = await service.createSession();
    for (let round = 0; round < 12; round++) endpoint().reply(call('look', {}));
    endpoint().reply('Done.');
    assert.equal(outline(await all(session, message('Look twelve times'))).at(-1), 'agent_end completed');
    freezeHistory();
    const [started] = session.events;
    return started?.type === 'initialize' ? started.sessionId : '';
  }

  function freezeHistory(): void {
    for (const { journal } of service['live'].values()) {
      for (const { content } of journal.history.events) deepFreeze(content);
    }
  }

  it('is sent with notes in the place of old outputs, which the agent can read', async () => {
    const id = await look12();
    const { requests } = endpoint();
    const masked = maskedIn(requests.at(-1)?.contents ?? []);
    assert.ok(masked.length >= 3 && masked.length < 12, `${masked.length} were masked`);
    const path = /All of it is in (\S+):/.exec(masked[0] ?? '')?.[1] ?? '';
    assert.equal(await readFile(path, 'utf8'), LONG);
    // What was masked in one request is the same in the next.
    const before = maskedIn(requests.at(-2)?.contents ?? []);
    assert.deepEqual(masked.slice(0, before.length), before);

    endpoint().reply(call('read_file', { file_path: path, start_line: 999 }));
    endpoint().reply('It says twelve.');
    await all(await service.resumeSession(id), message('What was in the first?'));
    const answer = requests.at(-1)?.contents.at(-1)?.parts?.[0]?.functionResponse?.response;
    assert.match(String(answer?.['output']), /eleven twelve/);
    assert.deepEqual(host.complaints, []);
  });

  it('is sent with the same bytes after a restart', async () => {
    const id = await look12();
    endpoint().reply('Fine.');
    await all(await service.resumeSession(id), message('And now?'));
    const files = await readdir(join(folder.path, id, 'outputs'));
    const before = JSON.stringify(endpoint().requests.at(-1)?.contents);
    await service.dispose();
    service = open();
    const session = await service.resumeSession(id);
    freezeHistory();
    endpoint().reply('Still fine.');
    await all(session, message('And later?'));
    const after = JSON.stringify(endpoint().requests.at(-1)?.contents);
    assert.ok(before.includes('<tool_output_masked>'));
    // Not `equal`: nobody wants to see the difference of two such texts.
    assert.ok(after.startsWith(before.slice(0, -1)), 'the request begins with the one before');
    assert.deepEqual(await readdir(join(folder.path, id, 'outputs')), files);
  });

  it('loses its files with the session', async () => {
    const id = await look12();
    await service.closeSession(id);
    await service.library?.delete(id);
    await assert.rejects(access(join(folder.path, id, 'outputs')));
  });

  it('says so where outputs are not kept', async () => {
    await service.dispose();
    host = testHost({
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint().url },
      approvalMode: 'yolo',
      loopDetection: false,
    });
    service = new AgentService(host, () => [look()]);
    await look12();
    const [first] = maskedIn(endpoint().requests.at(-1)?.contents ?? []);
    assert.match(first ?? '', /was not kept\. Call the tool again/);
  });

  it('tells how full the window is, from what the server counted', async () => {
    const session = await service.createSession();
    endpoint().reply('Hi.', usage({ promptTokenCount: 400_000, candidatesTokenCount: 10 }));
    await all(session, message('Hello'));
    const [id = ''] = service['live'].keys();
    assert.deepEqual(service.session(id).contextUse, { used: 400_010, window: 1_048_576, masked: 0, leftOut: 0 });
  });

  it('ends with a problem, and nothing sent, when it does not fit', async () => {
    await service.dispose();
    service = open('gemma-4-31b-it');
    const session = await service.createSession();
    const text = 'word '.repeat(150_000);
    endpoint().reply('Yes.');
    await all(session, { message: { content: [textPart(text)] } });
    const summaries = snapshotModel(endpoint());
    summaries.drafts.push('I cannot.');
    summaries.checks.push('I cannot.');
    const { length } = summaries.conversation();
    const events = await all(session, { message: { content: [textPart(text)] } });
    const problem = events.find((event) => event.type === 'error')?._meta?.problem;
    assert.equal(problem?.kind, 'context-full');
    assert.equal(summaries.conversation().length, length);
    assert.equal(outline(events).at(-1), 'agent_end failed');
    await assert.rejects(
      session.send({ message: { content: [textPart(text), textPart(text)] } }),
      /too long for the model \(about 300,\d\d\d tokens\)\. The limit of gemma-4-31b-it is 256,000 tokens\. Nothing was sent\./,
    );
  });
});

function look(): Tool {
  return testTool('look', 'read', async () => ({ content: LONG }));
}

function maskedIn(contents: readonly Content[]): string[] {
  return contents
    .flatMap(({ parts = [] }) => parts)
    .map(({ functionResponse }) => String(functionResponse?.response?.['output'] ?? ''))
    .filter((output) => output.startsWith('<tool_output_masked>'));
}
