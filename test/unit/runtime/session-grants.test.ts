import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { ApprovalAnswer } from '../../../extension/protocol/agent/approval.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { createWriteFileTool } from '../../../extension/tools/files/write-file.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message, testTool } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import type { TestHostOptions } from '../../support/test-host.ts';

const ACT = call('act', {});
const write = (content: string): typeof ACT => call('write_file', { file_path: 'notes.txt', content });

describe('A yes for more than once', () => {
  const agent = useAgent();
  let home: TempWorkspace;
  let other: TempWorkspace;
  beforeEach(async () => {
    home = await createTempWorkspace();
    other = await createTempWorkspace();
  });
  afterEach(async () => {
    await home.dispose();
    await other.dispose();
  });

  const open = (options: TestHostOptions = {}): AgentService =>
    agent.open([testTool('act', 'other', async () => ({ content: 'done' })), createWriteFileTool()], {
      sessions: join(agent.sessions, 'sessions'),
      environment: { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_CLI_HOME: home.path },
      ...options,
    });
  /** How the call ends: it runs, is refused, or is asked about and then gets this answer, or a no. */
  const outcome = async (session: AgentSession, step: typeof ACT, given?: ApprovalAnswer): Promise<string> => {
    agent.endpoint.reply(step);
    agent.endpoint.reply('Fine.');
    const action = given ? 'accept' : 'decline';
    let asked = '';
    const stop = session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      asked = 'asked, ';
      void session.send({ elicitations: [{ requestId: event.requestId, action, content: { ...given } }] });
    });
    const events = await all(session, message('go'));
    stop();
    const response = events.find((event) => event.type === 'tool_response');
    return `${asked}${response?.isError ? 'refused' : 'ran'}`;
  };
  const savedIn = (folder: string): Promise<string | undefined> =>
    readFile(join(folder, '.gemini', 'policies', 'auto-saved.toml'), 'utf8').catch(() => undefined);

  it('counts for the session while somebody watches it, and not on the command line', async () => {
    const panel = open();
    const session = await panel.createSession();
    assert.equal(await outcome(session, ACT, { decision: 'session' }), 'asked, ran');
    assert.equal(await outcome(session, ACT), 'ran');
    await panel.dispose();
    const headless = open({ interactive: false });
    assert.equal(await outcome(await headless.resumeSession(idOf(session)), ACT), 'refused');
    await headless.dispose();
    assert.equal(await outcome(await open().resumeSession(idOf(session)), ACT), 'ran');
  });

  it('for the session does not count for copies of it', async () => {
    const service = open();
    const session = await service.createSession();
    assert.equal(await outcome(session, ACT, { decision: 'session' }), 'asked, ran');
    assert.equal(await outcome(session, ACT), 'ran');
    const messages = session.events.flatMap((event) => (event.type === 'message' && event._meta?.messageId) || []);
    assert.equal(messages.length, 2);
    const copies = [
      await service.forkSession(idOf(session)),
      await service.forkSession(idOf(session), messages.at(-1)),
    ];
    for (const copy of copies) assert.equal(await outcome(copy, ACT), 'asked, refused');
    await service.dispose();
    const again = open();
    for (const copy of copies) {
      const resumed = await again.resumeSession(idOf(copy));
      assert.equal(await outcome(resumed, ACT), 'asked, refused');
    }
  });

  it('for good is kept in the home of the user if they want it there', async () => {
    const session = await open().createSession();
    assert.equal(await outcome(session, ACT, { decision: 'always', scope: 'user' }), 'asked, ran');
    assert.match((await savedIn(home.path)) ?? '', /toolName = "act"/);
    assert.equal(await savedIn(agent.workspace), undefined);
    const elsewhere = await open({ roots: [other.path] }).createSession();
    assert.equal(await outcome(elsewhere, ACT), 'ran');
  });

  it('for good about a file is kept in its folder, and no other folder hears of it', async () => {
    const session = await open().createSession();
    const told: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') told.push(event.message);
    });
    assert.equal(await outcome(session, write('one'), { decision: 'always', scope: 'user' }), 'asked, ran');
    assert.equal(await savedIn(home.path), undefined);
    for (const name of ['write_file', 'replace'])
      assert.match((await savedIn(agent.workspace)) ?? '', new RegExp(`toolName = "${name}"`));
    assert.match(told.join('\n'), /saved for this folder/);
    const [here, elsewhere] = [await open().createSession(), await open({ roots: [other.path] }).createSession()];
    assert.deepEqual(
      [await outcome(here, write('two')), await outcome(elsewhere, write('two'))],
      ['ran', 'asked, refused'],
    );
  });
});
