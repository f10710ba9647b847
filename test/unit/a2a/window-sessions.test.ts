import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { OpenSessions } from '../../../extension/a2a/open-sessions.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { all, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
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
    host = testHost({ roots: [folder.path], sessions: join(folder.path, '.sessions'), baseUrl: gemini.url });
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
});
