import assert from 'node:assert/strict';
import { createEvent, type Event, InMemorySessionService, type Session } from '@google/adk';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileSessionService } from '../../../extension/sessions/file-session-service.ts';
import { NO_LOG, SessionJournal } from '../../../extension/sessions/session-journal.ts';
import { LOG_VERSION } from '../../../extension/sessions/session-record.ts';
import { SharedState } from '../../../extension/sessions/shared-state.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { testHost } from '../../support/test-host.ts';
import { runs } from '../../support/test-size.ts';

const APP = { appName: 'gantry', userId: 'user' } as const;
const KEY = { ...APP, sessionId: 'one' } as const;

describe('A session that ADK asks for', () => {
  let folder: TempFolder;
  let service: FileSessionService;
  beforeEach(async () => {
    folder = await tempFolder('adk-sessions');
    service = new FileSessionService(new SharedState(`${folder.path}/state.json`, testHost().log));
  });
  afterEach(() => folder.dispose());

  function attach(id: string = KEY.sessionId): Session {
    const header = { type: 'session', version: LOG_VERSION, id, workspace: '', at: new Date(0).toISOString() } as const;
    const journal = new SessionJournal(header, NO_LOG, { now: () => 0 });
    return service.attach(APP, journal, (event) => journal.append({ type: 'event', event }));
  }

  function said(timestamp: number, text = `at ${timestamp}`): Event {
    const event = createEvent({ id: text, author: 'user', content: { role: 'user', parts: [{ text }] }, timestamp });
    event.actions.stateDelta = { last: text };
    return event;
  }

  async function saidAt(session: Session, ...times: readonly number[]): Promise<void> {
    for (const time of times) await service.appendEvent({ session, event: said(time) });
  }

  it('is the live one, so that ADK copies no history', async () => {
    const session = attach();
    await saidAt(session, 1, 2);
    for (const config of [undefined, {}, { numRecentEvents: 0 }]) {
      assert.equal(await service.getSession({ ...KEY, ...(config && { config }) }), session);
    }
  });

  it('has only the recent events if these are asked for, and the history keeps all', async () => {
    const session = attach();
    await saidAt(session, 10, 20, 30);
    const recent = await service.getSession({ ...KEY, config: { numRecentEvents: 2 } });
    const later = await service.getSession({ ...KEY, config: { afterTimestamp: 30 } });
    assert.deepEqual(recent, { ...session, events: session.events.slice(1) });
    assert.deepEqual(
      later?.events.map(({ id }) => id),
      ['at 30'],
    );
    recent?.events.pop();
    Object.assign(recent?.state ?? {}, { last: 'changed' });
    const live = await service.getSession(KEY);
    assert.equal(live?.events.length, 3);
    assert.equal(live.state['last'], 'at 30');
  });

  it('is not found under the name of another app or user, and is not listed or deleted there', async () => {
    const session = attach();
    for (const other of [{ appName: 'other' }, { userId: 'somebody' }, { sessionId: 'two' }]) {
      assert.equal(await service.getSession({ ...KEY, ...other }), undefined);
      assert.equal(await service.getSession({ ...KEY, ...other, config: { numRecentEvents: 1 } }), undefined);
      await service.deleteSession({ ...KEY, ...other });
    }
    assert.deepEqual((await service.listSessions({ ...APP, userId: 'somebody' })).sessions, []);
    assert.deepEqual((await service.listSessions({ appName: 'other' })).sessions, []);
    assert.equal((await service.listSessions({ appName: APP.appName })).sessions.length, 1);
    assert.equal(await service.getSession(KEY), session);
    await service.deleteSession(KEY);
    assert.equal(await service.getSession(KEY), undefined);
  });

  it("has the same events as with ADK's own service, whatever is asked for", async () => {
    const time = fc.integer({ min: 0, max: 12 });
    const config = fc.record({ numRecentEvents: fc.nat(8), afterTimestamp: time }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.array(time, { maxLength: 8 }), config, async (times, wanted) => {
        const theirs = new InMemorySessionService();
        const stored = await theirs.createSession(KEY);
        const session = attach();
        for (const [index, at] of times.entries()) {
          const event = said(at, `${index} at ${at}`);
          await theirs.appendEvent({ session: stored, event: structuredClone(event) });
          await service.appendEvent({ session, event });
        }
        const asked = { ...KEY, config: wanted };
        const ids = (found: Session | undefined): unknown => found?.events.map(({ id }) => id);
        assert.deepEqual(ids(await service.getSession(asked)), ids(await theirs.getSession(asked)));
      }),
      { numRuns: runs(200, 5000) },
    );
  });
});
