import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentEvent } from '../../extension/protocol/agent-event.ts';
import { EXTENSION_ID } from '../../extension/vscode/names.ts';
import type { GantryApi } from '../../extension/vscode/public-api.ts';

describe('The API for other extensions', () => {
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
    assert.match(JSON.stringify(events), /not an AI/);
    const first = session.events[0];
    assert.ok(first?.type === 'initialize');
    assert.equal(await resumeSession(first.sessionId), session);
  });

  it('says so when a session does not exist', async () => {
    const { resumeSession } = await gantry();
    await assert.rejects(resumeSession('no-such-id'), /no session with the id no-such-id/);
  });
});
