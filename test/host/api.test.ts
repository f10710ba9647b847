import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentEvent } from '../../extension/protocol/agent/agent-event.ts';
import { plainText, textPart } from '../../extension/protocol/agent/content-part.ts';
import type { GantryApi } from '../../extension/protocol/agent/gantry-api.ts';
import { EXTENSION_ID } from '../../extension/vscode/names.ts';
import { publicApi } from '../../extension/vscode/public-api.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';

describe('The API for other extensions', () => {
  let folder: TempFolder;

  before(async () => {
    folder = await tempFolder('sessions');
  });
  after(() => folder.dispose());

  async function gantry(): Promise<GantryApi> {
    const extension = vscode.extensions.getExtension<GantryApi>(EXTENSION_ID);
    assert.ok(extension);
    return extension.activate();
  }

  it('has the version of the extension', async () => {
    const { version } = await gantry();
    assert.equal(version, vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON.version);
  });

  it('creates a session that answers, and finds it again by its id', async () => {
    const { createSession, resumeSession } = await gantry();
    const session = await createSession();
    const events: AgentEvent[] = [];
    const message = { content: [{ type: 'text' as const, text: 'What can Gantry do today?' }] };
    for await (const event of session.sendStream({ message })) events.push(event);
    assert.equal(events[0]?.type, 'agent_start');
    assert.equal(events.at(-1)?.type, 'agent_end');
    const text = events.map((event) => (event.type === 'message' ? plainText(event.content) : '')).join('');
    assert.match(text, /not an AI/);
    const first = session.events[0];
    assert.ok(first?.type === 'initialize');
    assert.equal(await resumeSession(first.sessionId), session);
  });

  it('takes up a stored session where it ended', async () => {
    const runtime = new RuntimeLoader(testHost({ sessions: folder.path }));
    const { createSession, resumeSession } = publicApi(
      '0',
      runtime,
      async () => false,
      () => undefined,
    );
    const session = await createSession();
    for await (const _ of session.sendStream({ message: { content: [textPart('Remember this')] } }));
    const first = session.events[0];
    assert.ok(first?.type === 'initialize');
    await (await runtime.load()).closeSession(first.sessionId);
    const again = await resumeSession(first.sessionId);
    assert.notEqual(again, session);
    assert.deepEqual(again.events, session.events);
    await runtime.dispose();
  });

  it('says so when a session does not exist', async () => {
    const { resumeSession } = await gantry();
    await assert.rejects(resumeSession('no-such-id'), /There is no such session.*no-such-id/);
  });
});
