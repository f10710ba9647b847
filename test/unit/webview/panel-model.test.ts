import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToHost } from '../../../extension/protocol/panel/host-messages.ts';
import type { PanelState, ToPanel } from '../../../extension/protocol/panel/panel-messages.ts';
import type { Entry, TranscriptChange } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { PanelModel } from '../../../webview/state/panel-model.ts';
import { NOTHING_SAVED, parseSavedView, type SavedView } from '../../../webview/state/saved-view.ts';
import { ToldConversation } from '../../support/panel/told-conversation.ts';

/** What the host posts; a conversation and its changes go through the real feed. */
type FromHost =
  | Exclude<ToPanel, { type: 'transcript' | 'changes' | 'window' }>
  | { readonly type: 'transcript'; readonly entries: Entry[] }
  | { readonly type: 'changes'; readonly changes: TranscriptChange[] };

const STATE: PanelState = {
  title: 'New session',
  running: false,
  model: 'auto',
  offline: false,
  approvalMode: 'default',
  canUndoRewind: false,
  context: { used: 0, window: 1_048_576, masked: 0, leftOut: 0 },
  compression: { at: 0.5 },
  spent: { input: 0, output: 0 },
  readOnly: false,
  hasFolder: true,
};
const RUNNING: PanelState = { ...STATE, running: true, startedAt: 400 };
type Pending = 'steer' | 'queue' | undefined;
const user = (id: string, text: string, pending?: Pending): Entry => ({
  kind: 'user',
  id,
  text,
  messageId: id,
  ...(pending && { pending }),
});
const asking = (id: string): Entry => ({
  kind: 'tool',
  id,
  name: 'write_file',
  subject: 'a.ts',
  summary: '',
  status: 'running',
  detail: '',
  approval: { requestId: `ask-${id}`, title: 'Allow Write File?', message: 'Write File: a.ts', decisions: ['once'] },
});

class Bench {
  readonly posted: ToHost[] = [];
  readonly focused: string[] = [];
  saved: SavedView;
  now = 1000;
  readonly model: PanelModel;
  private readonly told = new ToldConversation([], (message) => this.model.receive(message));

  constructor(saved: SavedView = NOTHING_SAVED) {
    this.saved = saved;
    const host = {
      post: (message: ToHost) => void this.posted.push(message),
      savedView: () => parseSavedView(JSON.parse(JSON.stringify(this.saved))),
      saveView: (view: SavedView) => {
        this.saved = view;
        return 0;
      },
    };
    const view = {
      changed() {},
      toSave: () => void this.model.save(),
      toSaveLater: () => void this.model.save(),
      focusInput: () => void this.focused.push('input'),
      focusApproval: (id: string | undefined) => void this.focused.push(id ?? 'first question'),
      scrollToEnd() {},
      returnTo() {},
      openFind: () => void this.focused.push('find'),
      showFound() {},
      colourCode() {},
      sheetClosed: (done: boolean) => void this.focused.push(done ? 'sheet done' : 'sheet left'),
    };
    this.model = new PanelModel(host, view, () => this.now);
  }

  receive(...messages: FromHost[]): this {
    for (const message of messages) {
      if (message.type === 'transcript') {
        this.told.replace(message.entries);
        this.told.feed.open(this.model.arrival);
      } else if (message.type === 'changes') {
        this.told.change(...message.changes);
        this.told.feed.flush();
      } else {
        this.model.receive(message);
      }
    }
    return this;
  }

  /** The view goes away and comes back. */
  reloaded(): Bench {
    return new Bench(this.saved);
  }
}

const opened = (...entries: Entry[]): Bench =>
  new Bench().receive({ type: 'state', state: STATE }, { type: 'transcript', entries });

describe('The panel', () => {
  it('reports a message of the wrong shape and continues', () => {
    const bench = opened();
    for (const wrong of [null, 7, 'x', { type: 'changes' }, { type: 'state', state: { running: 'yes' } }]) {
      bench.model.receive(wrong);
    }
    assert.equal(bench.posted.filter((message) => message.type === 'viewError').length, 5);
    bench.receive({ type: 'transcript', entries: [user('u', 'still here')] });
    assert.equal(bench.model.transcript.entries.length, 1);
  });

  it('shows a sent message at once, and only once', () => {
    const { model, posted, receive } = withReceive(opened());
    model.type('hi');
    model.send('hi');
    assert.deepEqual(posted, [{ type: 'send', ref: 1, text: 'hi' }]);
    assert.equal(model.onItsWay, 'hi');
    assert.equal(model.busy, true);
    // The host takes a message before it shows it.
    receive({ type: 'sent', ref: 1 });
    assert.equal(model.onItsWay, 'hi');
    receive({ type: 'changes', changes: [{ op: 'put', entry: user('u', 'hi') }] });
    assert.equal(model.onItsWay, undefined);
  });

  it('gives a refused message back and says why', () => {
    const { model, receive } = withReceive(opened());
    model.type('hi');
    model.send('hi');
    receive({ type: 'sent', ref: 1, refused: { title: 'No', detail: 'Because.' } });
    assert.equal(model.composer.draft, 'hi');
    assert.equal(model.composer.refusal?.title, 'No');
    assert.equal(model.onItsWay, undefined);
    assert.equal(model.busy, false);
    assert.equal(model.workingSince, undefined);
  });

  it('refuses by itself what the protocol cannot carry', () => {
    const { model, posted } = opened();
    const huge = 'x'.repeat(17 * 1024 * 1024);
    model.send(huge);
    assert.deepEqual(posted, []);
    assert.equal(model.composer.held, huge);
    assert.match(model.composer.refusal?.title ?? '', /too large/);
  });

  it('keeps draft, opened steps and reading position while it is away', () => {
    const bench = opened();
    bench.model.type('half a thou');
    bench.model.disclosures.toggle('step');
    bench.model.scrolledTo({ id: 'step', offset: -12 });
    const { model } = bench.reloaded();
    assert.equal(model.composer.draft, 'half a thou');
    assert.equal(model.disclosures.isOpen('step'), true);
    assert.deepEqual(model.place, { id: 'step', offset: -12 });
    assert.equal(model.arrival.place, 'step');
  });

  it('puts a message back that nobody took while it was away', () => {
    const bench = opened();
    bench.model.type('hi');
    bench.model.send('hi');
    const lost = bench.reloaded().receive({ type: 'state', state: STATE }, { type: 'transcript', entries: [] });
    assert.equal(lost.model.composer.draft, 'hi');
    assert.equal(lost.model.busy, false);
    assert.equal(lost.model.workingSince, undefined);
    const taken = bench.reloaded().receive({ type: 'transcript', entries: [user('u', 'hi')] });
    assert.equal(taken.model.composer.draft, '');
  });

  it('does not take back what was sent before the conversation arrived', () => {
    const { model, receive } = withReceive(new Bench());
    model.type('hi');
    model.send('hi');
    receive({ type: 'transcript', entries: [user('u', 'earlier')] });
    assert.deepEqual([model.composer.draft, model.onItsWay, model.busy], ['', 'hi', true]);
  });

  it('counts the time of a turn from its beginning, also after it was away', () => {
    const { model, receive } = withReceive(opened());
    receive({ type: 'state', state: RUNNING });
    assert.equal(model.workingSince, 400);
    receive({ type: 'state', state: STATE });
    assert.equal(model.workingSince, undefined);
  });

  it('speaks a finished answer, but not one that was there before', () => {
    const done: Entry = { kind: 'answer', id: 'a', text: '**Yes.**', state: 'done' };
    const { model, receive } = withReceive(opened(done));
    assert.equal(model.announcement.text, '');
    receive({ type: 'changes', changes: [{ op: 'put', entry: { ...done, id: 'b' } }] });
    assert.equal(model.announcement.text, 'Gantry: Yes.');
  });

  it('treats state of another version as none', () => {
    assert.deepEqual(parseSavedView({ version: 2, draft: 'x' }), NOTHING_SAVED);
    assert.deepEqual(parseSavedView(undefined), NOTHING_SAVED);
  });
});

describe('The panel while a turn runs', () => {
  const running = (...entries: Entry[]): ReturnType<typeof withReceive> =>
    withReceive(opened(...entries).receive({ type: 'state', state: RUNNING }));

  it('steers it with what is sent, or queues that for after it', () => {
    const { model, posted, receive } = running();
    model.send('fake timers');
    receive({ type: 'sent', ref: 1 });
    model.send('then the changelog', 'queue');
    assert.deepEqual(posted, [
      { type: 'send', ref: 1, text: 'fake timers', delivery: 'steer' },
      { type: 'send', ref: 2, text: 'then the changelog', delivery: 'queue' },
    ]);
  });

  it('gives back a steering message that was refused, with what was typed since', () => {
    const { model, receive } = running();
    model.type('fake timers');
    model.send('fake timers');
    model.type('and');
    receive({ type: 'sent', ref: 1, refused: { title: 'No', detail: 'Because.' } });
    assert.equal(model.composer.draft, 'fake timers\n\nand');
    assert.equal(model.onItsWay, undefined);
  });

  it('keeps a second message in the input until the first was taken', () => {
    const { model, posted } = running();
    model.send('one');
    model.type('two');
    model.send('two');
    assert.equal(posted.length, 1);
    assert.equal(model.composer.draft, 'two');
  });

  it('sends a second message when the first was taken, unless its text has changed or the first was refused', () => {
    const refused = { title: 'No', detail: 'Because.' };
    const cases = [
      { typed: 'two', answer: {}, sent: ['one', 'two'], left: '' },
      { typed: 'two and', answer: {}, sent: ['one'], left: 'two and' },
      { typed: 'two', answer: { refused }, sent: ['one'], left: 'one\n\ntwo' },
    ];
    for (const { typed, answer, sent, left } of cases) {
      const { model, posted, receive } = running();
      model.send('one');
      model.type('two');
      model.send('two', 'queue');
      model.type(typed);
      receive({ type: 'sent', ref: 1, ...answer });
      assert.deepEqual(
        posted.flatMap((message) => (message.type === 'send' ? message.text : [])),
        sent,
      );
      assert.equal(model.composer.draft, left);
    }
  });

  it('does not continue showing a message that came and was withdrawn at once', () => {
    const { model, receive } = running();
    model.send('too late');
    receive({
      type: 'changes',
      changes: [
        { op: 'put', entry: user('u', 'too late', 'steer') },
        { op: 'remove', ids: ['u'] },
      ],
    });
    assert.equal(model.onItsWay, undefined);
    assert.equal(model.announcement.text, '');
  });

  it('says once that Gantry asks, also to a view that opens later', () => {
    const { model, receive } = running();
    receive({ type: 'changes', changes: [{ op: 'put', entry: asking('t') }] });
    assert.equal(model.announcement.text, 'Gantry asks: Allow Write File? Write File: a.ts');
    receive({ type: 'changes', changes: [{ op: 'put', entry: asking('t') }] });
    assert.equal(model.announcement.count, 1);
    assert.match(opened(asking('t')).model.announcement.text, /^Gantry asks: /);
  });
});

describe('The panel and the sessions', () => {
  const rewound: FromHost = { type: 'changes', changes: [{ op: 'remove', ids: ['u', 'a'] }] };
  const undoable: FromHost = { type: 'state', state: { ...STATE, canUndoRewind: true } };
  const answer: Entry = { kind: 'answer', id: 'a', text: 'Yes.', state: 'done' };

  for (const [name, messages] of [
    ['entries first', [rewound, undoable]],
    ['state first', [undoable, rewound]],
    ['files only', [undoable]],
  ] as const) {
    it(`says once that the conversation was rewound: ${name}`, () => {
      const { model } = opened(user('u', 'go'), answer).receive(...messages);
      assert.deepEqual([model.announcement.text, model.announcement.count], ['Rewound.', 1]);
    });
  }

  it('says each of two rewinds', () => {
    const bench = opened(user('u', 'go'), answer).receive(rewound, undoable);
    bench.now += 5000;
    bench.receive({ type: 'changes', changes: [{ op: 'put', entry: user('v', 'on') }] });
    bench.receive({ type: 'changes', changes: [{ op: 'remove', ids: ['v'] }] });
    assert.equal(bench.model.announcement.count, 2);
  });

  it('does not read out what an undone rewind brings back', () => {
    const { model } = opened(user('u', 'go'), answer).receive(rewound, {
      type: 'changes',
      changes: [
        { op: 'put', entry: user('u', 'go') },
        { op: 'put', entry: answer },
      ],
    });
    assert.equal(model.announcement.text, 'Rewind undone.');
  });

  it('sends nothing from a session that another window holds, and keeps the draft', () => {
    const { model, posted, receive } = withReceive(opened());
    model.type('hi');
    receive({ type: 'state', state: { ...STATE, heldBy: 'another window' } });
    model.send('hi');
    assert.deepEqual(posted, []);
    assert.equal(model.composer.draft, 'hi');
  });

  it('has no list of sessions from when it is asked for until it comes', () => {
    const { model, receive } = withReceive(opened());
    const item = { id: 's', title: 'One', updatedAt: 1, messages: 1, pinned: false, current: true };
    receive({ type: 'sessions', sessions: [item] });
    assert.deepEqual(model.sheets.sessions, [item]);
    model.sheets.open({ kind: 'sessions' });
    assert.equal(model.sheets.sessions, undefined);
  });
});

describe('The panel and what waits for the reader', () => {
  const unseen = ({ model }: Bench): string[] => model.unseenQuestions.map(({ requestId }) => requestId);

  it('points to questions while none of their cards is in view', () => {
    const bench = opened(asking('a'), asking('b'));
    assert.deepEqual(unseen(bench), []);
    bench.model.questionInView('ask-a', false);
    assert.deepEqual(unseen(bench), []);
    bench.model.questionInView('ask-b', false);
    assert.deepEqual(unseen(bench), ['ask-a', 'ask-b']);
    bench.model.questionInView('ask-b', true);
    assert.deepEqual(unseen(bench), []);
  });

  it('points to nothing that was answered, or that another window answers', () => {
    const bench = opened(asking('a'));
    bench.model.questionInView('ask-a', false);
    bench.receive({ type: 'state', state: { ...STATE, heldBy: 'another window' } });
    assert.deepEqual(unseen(bench), []);
    bench.receive({ type: 'state', state: STATE }, { type: 'changes', changes: [{ op: 'remove', ids: ['a'] }] });
    assert.deepEqual(unseen(bench), []);
  });

  it('goes to the card that was asked for, also when the conversation comes later', () => {
    assert.deepEqual(opened(asking('a')).receive({ type: 'focusApproval', requestId: 'ask-a' }).focused, ['ask-a']);
    const bench = new Bench().receive({ type: 'focusApproval' });
    assert.deepEqual(bench.focused, []);
    bench.receive({ type: 'transcript', entries: [asking('a')] });
    bench.receive({ type: 'transcript', entries: [asking('a')] });
    assert.deepEqual(bench.focused, ['first question']);
  });

  it('points and goes to the choice that a failing model leaves, and says it', () => {
    const choice: Entry = { kind: 'choice', id: 'c', title: 'It is overloaded', message: 'What now?', options: [] };
    const bench = opened(choice);
    assert.match(bench.model.announcement.text, /Gantry asks: It is overloaded\. What now\?/);
    bench.model.questionInView('c', false);
    const [question] = bench.model.unseenQuestions;
    assert.deepEqual([question?.requestId, question?.title], ['c', 'It is overloaded']);
    assert.deepEqual(bench.receive({ type: 'focusApproval', requestId: 'c' }).focused, ['c']);
  });

  it('keeps what was filled in on a card while it is away, until the question is answered', () => {
    const bench = opened(asking('a'), asking('b'));
    bench.model.answers.keep({ requestId: 'ask-a', replies: [{ picked: ['Blue'], other: 'or gr' }] });
    bench.model.answers.keep({ requestId: 'ask-b', reason: 'Not the' });
    bench.model.answers.keep({ requestId: 'ask-b', reason: 'Not the tests' });
    const back = bench.reloaded().receive({ type: 'transcript', entries: [asking('a'), asking('b')] });
    assert.deepEqual(back.model.answers.of('ask-a').replies, [{ picked: ['Blue'], other: 'or gr' }]);
    assert.equal(back.model.answers.of('ask-b').reason, 'Not the tests');
    assert.deepEqual(back.model.answers.of('ask-c'), {});
    back.receive({ type: 'changes', changes: [{ op: 'remove', ids: ['a'] }] });
    const { model } = back.reloaded();
    assert.deepEqual(model.answers.of('ask-a'), {});
    assert.equal(model.answers.of('ask-b').reason, 'Not the tests');
  });

  it('gives back what was typed on a card that nobody answered in time, also while it was away', () => {
    const bench = opened(asking('a'), asking('b'));
    bench.model.answers.keep({
      requestId: 'ask-a',
      replies: [{ picked: ['Blue'], other: 'or green' }, { picked: [] }],
    });
    bench.model.answers.keep({ requestId: 'ask-b', reason: 'Not the tests' });
    const over = (id: string): Entry => {
      const { approval: _, ...entry } = asking(id) as Extract<Entry, { kind: 'tool' }>;
      return { ...entry, unanswered: { requestId: `ask-${id}`, minutes: 5 } };
    };
    bench.receive({ type: 'changes', changes: [{ op: 'put', entry: over('a') }] });
    assert.equal(bench.model.composer.draft, 'or green');
    const back = bench.reloaded().receive({ type: 'transcript', entries: [over('a'), over('b')] });
    back.receive({ type: 'changes', changes: [{ op: 'put', entry: over('b') }] });
    assert.equal(back.model.composer.draft, 'or green\nNot the tests');
  });

  it('goes to the input when nothing waits any more', () => {
    assert.deepEqual(opened().receive({ type: 'focusApproval' }).focused, ['input']);
  });

  it('says once what trust has changed', () => {
    const trustNews = { lines: ['Edits work.'], actions: [] };
    const bench = opened().receive({ type: 'state', state: { ...STATE, trustNews } });
    bench.receive({ type: 'state', state: { ...STATE, trustNews } });
    assert.deepEqual(
      [bench.model.announcement.text, bench.model.announcement.count],
      ['Folder trusted. Edits work.', 1],
    );
  });
});

function withReceive(bench: Bench): Pick<Bench, 'model' | 'posted'> & { receive(...messages: FromHost[]): void } {
  return { model: bench.model, posted: bench.posted, receive: (...messages) => void bench.receive(...messages) };
}
