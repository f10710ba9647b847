import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { wasSaid } from '../../../../extension/protocol/feed/feed.ts';
import type { ToPanel } from '../../../../extension/protocol/panel/panel-messages.ts';
import type { Entry, TranscriptChange } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import { answered, asking, said, tool } from '../../../support/panel/entries.ts';
import { ToldConversation } from '../../../support/panel/told-conversation.ts';

type Changes = Extract<ToPanel, { type: 'changes' }>;

function opened(...entries: Entry[]): { posted: ToPanel[]; change(...changes: TranscriptChange[]): Partial<Changes> } {
  const posted: ToPanel[] = [];
  const told = new ToldConversation(entries, (message) => posted.push(message));
  told.feed.open();
  return {
    posted,
    change: (...changes) => {
      const before = posted.length;
      told.change(...changes);
      told.feed.flush();
      const message = posted[before];
      return message?.type === 'changes' ? message : {};
    },
  };
}

const put = (entry: Entry): TranscriptChange => ({ op: 'put', entry });
const remove = (...ids: string[]): TranscriptChange => ({ op: 'remove', ids });

describe('What the panel receives of a conversation', () => {
  it('is one piece of text for all the words of a frame', () => {
    const { change } = opened(answered('', { id: 'a', state: 'streaming' }));
    const words = ['so ', 'it ', 'is'].map((text) => ({ op: 'append', id: 'a', text }) as const);
    assert.deepEqual(change(...words).changes, [{ op: 'append', id: 'a', text: 'so it is' }]);
  });

  it('is an entry once, as it is at the end of the frame', () => {
    const { change } = opened();
    const done = answered('Hello', { id: 'a' });
    const changes = [
      put(answered('Hel', { id: 'a', state: 'streaming' })),
      { op: 'append', id: 'a', text: 'lo' } as const,
      put(done),
    ];
    assert.deepEqual(change(...changes).changes, [put(done)]);
  });

  it('has the messages that wait, until they are delivered or taken back', () => {
    const { change, posted } = opened(said('first'));
    const steer = said('x'.repeat(600), { id: 's', pending: 'steer' });
    const queue = said('later', { id: 'q', pending: 'queue' });
    const { facts } = change(put(steer), put(queue));
    assert.deepEqual(facts?.pending, [
      { messageId: 's', text: 'x'.repeat(500), delivery: 'steer' },
      { messageId: 'q', text: 'later', delivery: 'queue' },
    ]);
    const { pending: _, ...delivered } = steer;
    assert.deepEqual(
      change(remove('s'), put(delivered)).facts?.pending.map(({ messageId }) => messageId),
      ['q'],
    );
    assert.deepEqual(change(remove('q')).facts?.pending, []);
    assert.equal(posted.length, 4);
  });

  it('comes in at most sixty messages a second', async () => {
    const posted: ToPanel[] = [];
    const told = new ToldConversation([answered('', { id: 'a' })], (message) => posted.push(message));
    told.feed.open();
    const start = performance.now();
    while (performance.now() - start < 300) {
      told.change({ op: 'append', id: 'a', text: 'x' });
      await new Promise((resolve) => setImmediate(resolve));
    }
    told.feed.stop();
    assert.ok(posted.length - 1 <= 18, `${posted.length - 1} messages in 300 ms`);
  });

  it('says once that an answer is finished', () => {
    const { change } = opened();
    change(put(answered('x', { id: 'a', state: 'streaming' })));
    assert.equal(change(put(answered('x', { id: 'a' }))).spoken, 'Gantry: x');
    assert.equal(change(put(answered('x', { id: 'a' }))).spoken, undefined);
  });

  it('says each question once, and that nobody answered it', () => {
    const { change } = opened();
    const running = tool('run_shell_command', { id: 't' });
    const again = asking('run_shell_command', 'ls', { id: 't' });
    const other = { ...again, approval: { ...again.approval, requestId: 'other' } } as Entry;
    const over: Entry = { ...running, unanswered: { requestId: 'other', minutes: 5 } };
    const spoken = [again, again, running, other, over, over].map((entry) => change(put(entry)).spoken !== undefined);
    assert.deepEqual(spoken, [true, false, false, true, true, false]);
  });

  it('tells a rewind from a message that was withdrawn, and what comes back from what is new', () => {
    const { change } = opened(said('u'), said('v', { id: 'v' }), answered('x', { id: 'a' }));
    assert.equal(change(remove('v', 'a', 'never')).rewind, 'made');
    const back = change(put(said('v', { id: 'v' })), put(answered('x', { id: 'a' })));
    assert.deepEqual([back.rewind, back.spoken, back.said], ['undone', undefined, undefined]);
    change(put(said('s', { id: 's', pending: 'steer' })));
    assert.equal(change(remove('s')).rewind, undefined);
  });

  it('tells what the user said once, also when it moves to where it was delivered', () => {
    const { change } = opened();
    assert.deepEqual(change(put(said('s', { id: 's', pending: 'steer' }))).said, ['s']);
    assert.equal(change(remove('s'), put(said('s', { id: 's' }))).said, undefined);
    assert.deepEqual(change(put(said('gone', { id: 'g' })), remove('g')).said, ['gone']);
  });

  it('says nothing when nothing is new', () => {
    const { change, posted } = opened(said('u'));
    change({ op: 'append', id: 'unknown', text: 'x' });
    change(remove('unknown'));
    assert.equal(posted.length, 1);
  });
});

describe('A message of which a page does not know whether it was taken', () => {
  const entries = [said('go on', { id: '1' }), answered('go on', { id: '2' }), said('go on', { id: '3' })];
  const command = tool('run_shell_command', { id: '4', command: { state: 'running', typed: 'npm test' } });
  for (const [what, text, after, expected] of [
    ['was, behind what was there', 'go on', '1', true],
    ['was not, when it is only there from before', 'go on', '3', false],
    ['was, in a conversation that began with it', 'go on', undefined, true],
    ['counts as not taken when nothing tells old from new', 'go on', 'gone', false],
    ['was, as a command', '! npm test', '3', true],
    ['was not, when a command has the same words', 'npm test', '3', false],
  ] as const) {
    it(what, () => assert.equal(wasSaid([...entries, command], { text, after }), expected));
  }
});
