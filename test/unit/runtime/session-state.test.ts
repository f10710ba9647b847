import assert from 'node:assert/strict';
import { createEvent, type Session } from '@google/adk';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { EventTranslator } from '../../../extension/runtime/events/event-translator.ts';
import { FileSessionService } from '../../../extension/sessions/file-session-service.ts';
import { NO_LOG, SessionJournal } from '../../../extension/sessions/session-journal.ts';
import { LOG_VERSION, type SessionRecord } from '../../../extension/sessions/session-record.ts';
import { SharedState } from '../../../extension/sessions/shared-state.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { testHost } from '../../support/test-host.ts';

const KEY = { appName: 'gantry', userId: 'user' } as const;
const CLOCK = { now: () => 0 };

describe('The state of a session', () => {
  let folder: TempFolder;
  let shared: SharedState;
  let service: FileSessionService;
  beforeEach(async () => {
    folder = await tempFolder('state');
    ({ shared, service } = window());
  });
  afterEach(() => folder.dispose());

  function window(): { shared: SharedState; service: FileSessionService } {
    const state = new SharedState(`${folder.path}/state.json`, testHost().log);
    return { shared: state, service: new FileSessionService(state) };
  }

  function attach(id: string, records: readonly SessionRecord[] = []): { session: Session; journal: SessionJournal } {
    const header = { type: 'session', version: LOG_VERSION, id, workspace: '', at: new Date(0).toISOString() } as const;
    const journal = new SessionJournal(header, NO_LOG, CLOCK);
    const session = service.attach(KEY, journal, (event) => journal.append({ type: 'event', event }));
    journal.replay(records);
    service.resetState(id);
    return { session, journal };
  }

  async function set(
    session: Session,
    stateDelta: Record<string, unknown>,
    id: string,
    author = 'user',
  ): Promise<void> {
    const event = createEvent({ id, author, content: { role: 'user', parts: [{ text: id }] } });
    event.actions.stateDelta = stateDelta;
    await service.appendEvent({ session, event });
  }

  it('is its own, except for what belongs to the user or to Gantry', async () => {
    const [one, two] = [attach('one'), attach('two')];
    await set(one.session, { own: 1, 'user:name': 'Ann', 'app:theme': 'dark', 'temp:step': 3 }, 'e1');
    assert.deepEqual((await service.getSession({ ...KEY, sessionId: 'two' }))?.state, {
      'user:name': 'Ann',
      'app:theme': 'dark',
    });
    assert.equal(one.session.state['own'], 1);
    assert.ok(!('own' in two.session.state));
  });

  it('forgets what was meant for one run, in memory and in the log', async () => {
    const { session, journal } = attach('one');
    const records: SessionRecord[] = [];
    journal.onRecord((record) => records.push(record));
    await set(session, { own: 1, 'temp:step': 3 }, 'e1');
    service.resetState('one');
    assert.deepEqual(session.state, { own: 1 });
    assert.doesNotMatch(JSON.stringify(records), /temp:step/);
  });

  it('is the same after a restart', async () => {
    const { session, journal } = attach('one');
    const records: SessionRecord[] = [];
    journal.onRecord((record) => {
      if (record.type !== 'session') records.push(record);
    });
    await set(session, { own: 1, 'user:name': 'Ann' }, 'e1');
    await set(session, { own: 2 }, 'e2');
    await shared.saved();
    ({ shared, service } = window());
    await shared.load();
    assert.deepEqual(attach('one', records).session.state, { own: 2, 'user:name': 'Ann' });
  });

  it('goes back with the conversation and comes again with the undo, but what is shared stays', async () => {
    const { session, journal } = attach('one');
    await set(session, { own: 1 }, 'e1');
    await set(session, { own: 2, more: true, 'user:name': 'Ann' }, 'e2');
    journal.append({ type: 'rewind', id: 'r', messageId: 'e2', what: 'conversation' });
    service.resetState('one');
    assert.deepEqual(session.state, { own: 1, 'user:name': 'Ann' });
    journal.append({ type: 'rewind_undone', rewindId: 'r' });
    service.resetState('one');
    assert.deepEqual(session.state, { own: 2, more: true, 'user:name': 'Ann' });
  });

  it('has the title of the user, whatever the model proposes before or after', () => {
    const { journal } = attach('one');
    const translator = new EventTranslator();
    const titles: unknown[] = [];
    journal.onRecord((record) => {
      for (const event of translator.translate(record)) if (event.type === 'session_update') titles.push(event.title);
    });
    journal.append({ type: 'title', title: 'Proposed', by: 'model' });
    journal.append({ type: 'title', title: 'Mine', by: 'user' });
    journal.append({ type: 'title', title: 'Proposed again', by: 'model' });
    assert.equal(journal.history.title?.title, 'Mine');
    assert.deepEqual(titles, ['Proposed', 'Mine']);
  });
});
