import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { serveA2a } from '../../../extension/a2a/main.ts';
import { OpenSessions } from '../../../extension/a2a/open-sessions.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { fetchWith } from '../../support/a2a-server.ts';
import { all, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { runHeadless } from '../../support/headless.ts';
import { eventually } from '../../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { type TestHost, testHost } from '../../support/test-host.ts';

/** Counts how often it was asked whether a session is busy, which is asked before one is closed. */
class WatchedService extends AgentService {
  looks = 0;

  override activityOf(id: string): ReturnType<AgentService['activityOf']> {
    this.looks++;
    return super.activityOf(id);
  }
}

describe('A session that programs and a window use', () => {
  let folder: TempWorkspace;
  let gemini: GeminiEndpoint;
  let host: TestHost;
  let service: WatchedService;
  let kept: number;
  let isUsed: boolean;
  let sessions: OpenSessions;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    gemini = await startGeminiEndpoint();
    host = testHost({ roots: [folder.path], sessions: join(folder.path, '.gantry/sessions'), baseUrl: gemini.url });
    service = new WatchedService(host);
    kept = 0;
    isUsed = false;
    const keepOpen = (): (() => void) => {
      kept++;
      return () => void kept--;
    };
    sessions = new OpenSessions({ service, log: host.log, idleMs: 1, window: { keepOpen, isUsed: () => isUsed } });
  });
  afterEach(async () => {
    sessions.dispose();
    await service.dispose();
    await gemini.dispose();
    await folder.dispose();
  });

  it('is kept open while a program uses it, and closed afterwards', async () => {
    const { session, release } = await sessions.create({});
    assert.equal(kept, 1);
    const { release: releaseOther } = await sessions.open(session.id, {});
    assert.equal(kept, 1);
    release();
    assert.ok(service.isOpen(session.id));
    releaseOther();
    await eventually('the session to be closed', () => !service.isOpen(session.id));
    assert.equal(kept, 0);
  });

  it('is left to the window that shows it', async () => {
    const { session, release } = await sessions.create({});
    isUsed = true;
    release();
    await eventually('the session to be let go', () => kept === 0);
    assert.ok(service.isOpen(session.id));
  });

  it('stays open until a person has answered its question', async () => {
    gemini.reply(call('run_shell_command', { command: 'touch made.txt' }));
    gemini.reply('Over.');
    const { session, release } = await sessions.create({});
    const run = all(session, message('Go'));
    await eventually('the question', () => service.activityOf(session.id) === 'waits');
    release();
    sessions.dispose();
    service.looks = 0;
    await eventually('some looks', () => service.looks > 2);
    assert.ok(service.isOpen(session.id));
    const [{ requestId } = assert.fail('nothing is asked')] = service.questions.items;
    const elicitations = [{ requestId, action: 'accept', content: { decision: 'once' } }] as const;
    await service.questions.answer(requestId, { elicitations: [...elicitations] });
    await run;
    await eventually('the session to be closed', () => !service.isOpen(session.id));
  });

  it('is opened again if the window has closed it meanwhile', async () => {
    gemini.reply('Hi.');
    const { session } = await sessions.create({});
    await all(session, message('Hello'));
    await service.closeSession(session.id);
    const { session: again } = await sessions.open(session.id, {});
    assert.notEqual(again, session);
    assert.equal(kept, 1);
    assert.ok(service.isOpen(session.id));
  });

  it('is one conversation: in the window, over A2A, on the command line with --resume, and in the window again', async () => {
    const environment = {
      GANTRY_HOME: join(folder.path, '.gantry'),
      GEMINI_API_KEY: 'test-key',
      GOOGLE_GEMINI_BASE_URL: gemini.url,
    };
    for (const answer of ['One.', 'Two.', 'Three.', 'Four.']) gemini.reply(answer);
    const shown = await service.createSession();
    await all(shown, message('1'));
    const { log } = host;
    const options = { version: '0.0.0', port: 0, workspace: folder.path, approves: true, environment, service, log };
    const server = await serveA2a({ ...options, textOf: ({ title }) => title });
    const response = await fetchWith(() => server.token)(server.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
        params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '2' }], contextId: shown.id } },
      }),
    });
    assert.match(await response.text(), /TASK_STATE_COMPLETED.*Two\./);
    await server.close();
    await service.closeSession(shown.id);
    const args = ['--workspace', folder.path, '--resume', shown.id, '-p', '3'];
    assert.equal((await runHeadless(args, { environment })).stdout, 'Three.\n');
    await all(await service.resumeSession(shown.id), message('4'));
    const said = gemini.requests.at(-1)?.contents.flatMap(({ parts = [] }) => parts.map(({ text }) => text));
    assert.deepEqual(said, ['1', 'One.', '2', 'Two.', '3', 'Three.', '4']);
  });
});
