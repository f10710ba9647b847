import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { useAgent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import { testHost } from '../../support/test-host.ts';

const FLASH = 'gemini-3.8-flash';
const PRO = 'gemini-3.1-pro-preview';

describe('Another model in the settings', () => {
  const agent = useAgent();
  let named: string;

  function openWith(environment?: Readonly<Record<string, string>>): AgentService {
    named = FLASH;
    const settings = { ...testHost().settings, modelName: () => named };
    agent.endpoint.always(() => 'Hello');
    return agent.open([], environment ? { environment } : {}, { settings });
  }

  it('leaves a line in the sessions that go by them, which is there again after a restart', async () => {
    const service = openWith();
    const session = await service.createSession();
    const silent = await service.createSession();
    await all(session, message('Hi'));
    await service.settingsChanged();
    assert.deepEqual(notes(session.events), []);
    named = PRO;
    await service.settingsChanged();
    await service.settingsChanged();
    assert.deepEqual(notes(session.events), [`From here on, ${PRO} answers`]);
    assert.deepEqual(notes(silent.events), [], 'nothing was said there');
    await all(session, message('Really?'));
    assert.equal(agent.endpoint.requests.at(-1)?.model, PRO);
    const again = await agent.reopen(service, session);
    assert.deepEqual(notes(again.events), [`From here on, ${PRO} answers`]);
  });

  it('leaves none in a session that was given a model of its own', async () => {
    const service = openWith();
    const session = await service.createSession();
    await all(session, message('Hi'));
    await session.send({ update: { model: 'gemini-2.5-flash' } });
    named = PRO;
    await service.settingsChanged();
    assert.deepEqual(notes(session.events), ['From here on, gemini-2.5-flash answers']);
  });

  it('leaves none where no model is asked', async () => {
    const service = openWith({});
    const session = await service.createSession();
    await all(session, message('Hi'));
    named = PRO;
    await service.settingsChanged();
    assert.deepEqual(notes(session.events), []);
  });
});

function notes(events: readonly AgentEvent[]): string[] {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript.entries.flatMap((entry) => (entry.kind === 'note' ? [entry.text] : []));
}
