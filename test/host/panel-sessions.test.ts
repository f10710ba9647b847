import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { eventually } from '../support/poll.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { type TestHost, testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';

describe('The sessions of the panel', () => {
  let folder: TempFolder;
  let host: TestHost;
  let window: PanelWindow;
  /** What VS Code would keep for the next window. */
  let kept: Map<string, unknown>;

  beforeEach(async () => {
    folder = await tempFolder('sessions');
    host = testHost({ sessions: folder.path });
    kept = new Map();
    window = new PanelWindow(host, kept);
    window.end.say({ type: 'ready' });
  });
  afterEach(async () => {
    await window.close();
    await folder.dispose();
  });

  async function reload(): Promise<void> {
    await window.close();
    window = new PanelWindow(host, kept);
  }

  it('knows from the events when it is at work', async () => {
    await window.ask('What can you do?');
    const running = window.end.posted.flatMap((message) => (message.type === 'state' ? [message.state] : []));
    const { startedAt } = running.find((posted) => posted.running) ?? {};
    assert.ok(startedAt !== undefined && startedAt <= Date.now() && startedAt > Date.now() - 60_000);
    assert.equal(window.end.state?.title, 'What can you do?');
  });

  it('shows the same conversation after the window was reloaded, and a new one after New Session', async () => {
    await window.ask('Remember me');
    await reload();
    window.end.say({ type: 'ready' });
    await window.end.waitUntil(() => window.end.kinds?.includes('user') === true);
    await window.end.waitUntil(() => window.end.state?.title === 'Remember me');
    assert.equal(window.end.state?.running, false);
    await window.session.startNew();
    await reload();
    window.end.say({ type: 'ready' });
    await window.session.restore();
    assert.deepEqual(window.end.kinds, []);
  });

  it('waits for the window before to let go of the session, and can only read it when that does not happen', async () => {
    await window.ask('Mine');
    const { id = '' } = window.session;
    await window.close();
    const other = new RuntimeLoader(host);
    await (await other.load()).resumeSession(id);
    window = new PanelWindow(host, kept);
    window.end.say({ type: 'ready' });
    await window.session.restore();
    await window.end.waitUntil(() => window.end.state?.heldBy === 'a test');
    assert.equal(window.end.state?.running, false);
    await reload();
    window.end.say({ type: 'ready' });
    const restored = window.session.restore();
    await other.dispose();
    await restored;
    await window.end.waitUntil(() => window.end.state?.title === 'Mine');
    assert.equal(window.end.state?.heldBy, undefined);
  });

  it('continues with a copy of a session that another window holds', async () => {
    await window.ask('Theirs');
    const { id = '' } = window.session;
    await window.session.startNew();
    const other = new RuntimeLoader(host);
    await (await other.load()).resumeSession(id);
    await window.session.resume(id);
    window.end.say({ type: 'send', ref: 7, text: 'Me too' });
    const { refused } = await window.end.waitUntilFound(
      (message) => message.type === 'sent' && message.ref === 7 && message,
    );
    assert.match(refused?.title ?? '', /open in a test/);
    window.end.say({ type: 'openCopy' });
    await window.end.waitUntil(() => window.session.id !== id);
    await window.ask('Me too');
    assert.equal(window.userMessages, 2);
    await other.dispose();
  });

  it('begins anew, and says why, when the session of the last time is gone', async () => {
    kept.set('gantry.shownSession', 'no-such-session');
    window.end.say({ type: 'ready' });
    await window.session.restore();
    assert.deepEqual(window.end.kinds, []);
    assert.equal(kept.get('gantry.shownSession'), undefined);
    assert.match(host.complaints.join(), /could not be opened.*no session no-such-session/);
  });

  it('lists the stored sessions, and goes back to one', async () => {
    await window.ask('The first');
    await window.session.startNew();
    await window.ask('The second');
    window.end.say({ type: 'listSessions' });
    const { sessions: listed } = await window.end.waitUntilFound(
      (message) => message.type === 'sessions' && message.sessions.length === 2 && message,
    );
    assert.deepEqual(
      listed.map(({ title, current }) => [title, current]),
      [
        ['The second', true],
        ['The first', false],
      ],
    );
    window.end.say({ type: 'resume', id: listed[1]?.id });
    await window.end.waitUntil(() => window.end.state?.title === 'The first');
    await window.ask('And on');
    assert.equal(window.userMessages, 2);
  });

  it('deletes the session that is shown and begins a new one', async () => {
    await window.ask('To be forgotten');
    window.end.say({ type: 'deleteSession', id: window.session.id });
    await window.end.waitUntilFound(
      (message) => message.type === 'sessions' && message.sessions.length === 0 && message,
    );
    assert.deepEqual(await window.sessions.items(), []);
    assert.equal(window.session.hasConversation, false);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('renames, pins and copies a session that is not open', async () => {
    await window.ask('Plain');
    const { id = '' } = window.session;
    await window.session.startNew();
    await window.sessions.rename(id, 'Fancy');
    await window.sessions.pin(id, true);
    await window.sessions.copy(id);
    const listed = await window.sessions.items();
    assert.deepEqual(
      listed.map(({ title, pinned }) => [title, pinned]),
      [
        ['Fancy', true],
        ['Fancy', true],
      ],
    );
  });

  it('gives back with Stop what waited to be said', async () => {
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    window.end.say({ type: 'send', ref: 2, text: 'and then this', delivery: 'queue' });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === 2 && message);
    assert.equal(window.session.isRunning, true);
    await window.session.stop();
    assert.deepEqual(
      window.end.posted.filter((message) => message.type === 'insertText').map(({ text }) => text),
      ['and then this'],
    );
    assert.equal(window.session.isRunning, false);
  });

  it('continues with a session that is left at work, says what waits in it, and reports the answer', async () => {
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    window.end.say({ type: 'send', ref: 2, text: 'and then this', delivery: 'queue' });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === 2 && message);
    const { id = '' } = window.session;
    await window.session.startNew();
    assert.deepEqual([window.session.isRunning, window.session.hasConversation], [false, false]);
    await window.end.waitUntil(() => window.end.state?.elsewhere?.running === 1);
    await window.end.waitUntil(() => window.end.state?.elsewhere?.answered === 1);
    assert.equal(
      window.end.posted.some((message) => message.type === 'insertText'),
      false,
    );
    const [item] = await window.sessions.items();
    assert.deepEqual([item?.id, item?.tag], [id, 'newAnswer']);
    const before = window.end.posted.length;
    window.end.say({ type: 'resume', id });
    await window.end.waitUntil(() => window.end.state?.title === 'Go');
    const drafts = window.end.posted.slice(before).filter((message) => message.type === 'inputOf');
    assert.deepEqual(drafts[0], { type: 'inputOf', session: id, replaced: true }, 'each has what was typed in it');
    const answers = window.session.entries.filter(({ kind }) => kind === 'answer');
    assert.deepEqual([window.userMessages, answers.length], [2, 2]);
    assert.equal(window.end.state?.elsewhere, undefined);
  });

  it('keeps a session open while a command of it runs, says so, and closes it when that ends', async () => {
    await window.ask('Wait with me');
    assert.equal(await window.session.runCommand('cat'), undefined);
    const command = window.session.entries.find((entry) => entry.kind === 'tool');
    const { id = '' } = window.session;
    await window.session.startNew();
    const service = await window.runtime.load();
    const tags = async (): Promise<unknown> => (await window.sessions.items()).map(({ tag }) => tag);
    assert.deepEqual([service.isOpen(id), await tags()], [true, ['commandRuns']]);
    assert.equal(window.session.background.elsewhere(undefined), undefined, 'nobody works there');
    assert.equal(await service.session(id).commands.stop(command?.id ?? ''), 'stopped');
    await eventually(
      'the end of the session',
      async () => !service.isOpen(id) && JSON.stringify(await tags()) === '[null]',
    );
  });

  it('does not call a session that this window is just closing one of another window', async () => {
    await window.ask('Mine');
    const { id = '' } = window.session;
    const closing = window.session.startNew();
    const [item] = await window.sessions.items();
    assert.deepEqual([item?.id, item?.tag], [id, undefined]);
    await closing;
    const other = new RuntimeLoader(host);
    await (await other.load()).resumeSession(id);
    const { library } = await window.runtime.load();
    assert.equal(library?.isHeldByOthers(id, new Set([process.pid])), false, 'as after a reload');
    assert.equal(library?.isHeldByOthers(id, new Set()), true);
    await other.dispose();
  });

  it('stops a session that is at work elsewhere before it is deleted', async () => {
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === 1 && message);
    const { id = '' } = window.session;
    await window.session.startNew();
    await window.sessions.delete(id);
    assert.deepEqual(await window.sessions.items(), []);
    assert.equal(window.session.background.elsewhere(undefined), undefined);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('gives back a message that is withdrawn', async () => {
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    window.end.say({ type: 'send', ref: 2, text: 'and then this', delivery: 'queue' });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === 2 && message);
    const waiting = window.session.entries.find((entry) => entry.kind === 'user' && entry.pending === 'queue');
    assert.ok(waiting?.kind === 'user');
    window.end.say({ type: 'withdraw', messageId: waiting.messageId });
    assert.equal((await window.end.waitFor('insertText')).text, 'and then this');
    assert.equal(window.userMessages, 1);
    await window.session.stop();
  });

  it('gives nothing back of a message that is withdrawn for good', async () => {
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    window.end.say({ type: 'send', ref: 2, text: 'and then this', delivery: 'queue' });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === 2 && message);
    const waiting = window.session.entries.find((entry) => entry.kind === 'user' && entry.pending === 'queue');
    assert.ok(waiting?.kind === 'user');
    window.end.say({ type: 'withdraw', messageId: waiting.messageId, forget: true });
    await window.end.waitUntil(() => window.userMessages === 1);
    await window.session.stop();
    assert.equal(
      window.end.posted.some((message) => message.type === 'insertText'),
      false,
    );
  });

  it('shows what going back to a message would do, and goes back', async () => {
    await window.ask('One');
    await window.ask('Two');
    const second = window.session.entries.findLast((entry) => entry.kind === 'user');
    assert.ok(second?.kind === 'user');
    const { messageId } = second;
    window.end.say({ type: 'rewindPreview', messageId });
    const { preview } = await window.end.waitFor('rewindPreview');
    assert.deepEqual([preview.text, preview.turn, preview.turns, preview.files], ['Two', 2, 2, []]);
    window.end.say({ type: 'rewind', messageId, what: 'conversation', overwrite: [] });
    await window.end.waitFor('rewound');
    assert.equal(window.userMessages, 1);
    assert.equal((await window.end.waitFor('insertText')).text, 'Two');
    window.end.say({ type: 'rewindPreview', messageId });
    assert.equal((await window.end.waitFor('rewindRefused')).messageId, messageId);
  });

  it('says other words in the place of a message', async () => {
    await window.ask('One');
    await window.ask('Two');
    const first = window.session.entries.find((entry) => entry.kind === 'user');
    assert.ok(first?.kind === 'user');
    const { messageId } = first;
    window.end.say({ type: 'resend', ref: 9, messageId, text: 'Uno', what: 'conversation', overwrite: [] });
    const { refused } = await window.end.waitUntilFound(
      (message) => message.type === 'sent' && message.ref === 9 && message,
    );
    assert.equal(refused, undefined);
    await window.end.waitUntil(() => window.end.state?.running === false);
    assert.deepEqual(
      window.session.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : [])),
      ['Uno'],
    );
  });

  it('stays at work when a message that waited starts a run of its own', async () => {
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    window.end.say({ type: 'send', ref: 2, text: 'and then this', delivery: 'queue' });
    const answers = (): number => window.session.entries.filter(({ kind }) => kind === 'answer').length;
    await window.end.waitUntil(() => answers() === 2 && window.end.state?.running === false);
    const running = window.end.posted.flatMap((message) => (message.type === 'state' ? [message.state.running] : []));
    assert.equal(running.slice(running.indexOf(true), running.lastIndexOf(true)).includes(false), false);
  });

  it('puts text into the input once there is a page again', async () => {
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
    window.end.hide();
    window.session.returnText('back again');
    assert.equal(
      window.end.posted.some((message) => message.type === 'insertText'),
      false,
    );
    window.end.say({ type: 'ready' });
    assert.equal((await window.end.waitFor('insertText')).text, 'back again');
  });
});
