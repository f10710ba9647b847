import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Entry, TranscriptChange } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { Heights } from '../../../webview/conversation/heights.ts';
import { PanelTranscript } from '../../../webview/state/transcript.ts';
import { answered, said, tool } from '../../support/panel/entries.ts';
import { ToldConversation } from '../../support/panel/told-conversation.ts';
import { runs } from '../../support/test-size.ts';

/** A panel at the end of a wire, without its elements. */
class Reader {
  readonly transcript = new PanelTranscript();
  readonly told: ToldConversation;

  constructor(entries: readonly Entry[]) {
    this.told = new ToldConversation(entries, (message) => {
      if (message.type === 'transcript') this.transcript.reset(message, message.facts);
      if (message.type === 'window') this.transcript.hold(message);
      if (message.type === 'changes') this.transcript.apply(message.changes, message.facts);
    });
    this.told.feed.open();
  }

  change(...changes: TranscriptChange[]): void {
    this.told.change(...changes);
    this.told.feed.flush();
  }
}

const many = (count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => said(`message ${index}`, { id: `e${index}` }));

describe('The conversation in the panel', () => {
  it('grows by entries and by text', () => {
    const { transcript, ...reader } = wired([said('u')]);
    reader.change(
      { op: 'put', entry: answered('Hel', { id: 'a', state: 'streaming' }) },
      { op: 'append', id: 'a', text: 'lo' },
    );
    assert.deepEqual(transcript.entries, [said('u'), answered('Hello', { id: 'a', state: 'streaming' })]);
  });

  it('keeps the same list when only text was added, and tells only the entry that grew', () => {
    const { transcript, change } = wired([answered('', { id: 'a' }), answered('', { id: 'b' })]);
    const before = transcript.cells;
    const heard: string[] = [];
    for (const cell of before) {
      cell.subscribe((news) => heard.push(`${cell.entry.id} ${news.op === 'append' ? news.text : news.op}`));
    }
    change({ op: 'append', id: 'b', text: 'x' }, { op: 'append', id: 'b', text: 'y' });
    assert.equal(transcript.cells, before);
    assert.deepEqual(heard, ['b xy']);
  });

  it('moves a waiting message to where it was delivered', () => {
    const { transcript, change } = wired([said('s', { id: 's', pending: 'steer' }), tool('read_file', { id: 't' })]);
    change({ op: 'remove', ids: ['s'] }, { op: 'put', entry: said('s', { id: 's' }) });
    assert.deepEqual(
      transcript.entries.map(({ id }) => id),
      ['t', 's'],
    );
  });

  it('holds the end of a long conversation, and other parts when it asks for them', () => {
    const { transcript, told } = wired(many(10_000));
    assert.equal(transcript.total, 10_000);
    assert.equal(transcript.end, 10_000);
    assert.ok(transcript.cells.length <= 250);
    const kept = transcript.cells[0];
    told.feed.show(transcript.start);
    assert.equal(transcript.cells.includes(kept as never), true);
    told.feed.show(17);
    assert.equal(transcript.start, 0);
    assert.equal(transcript.cells[17]?.entry.id, 'e17');
    told.feed.show(-5);
    told.feed.show(99_999);
    assert.equal(transcript.end, 10_000);
  });

  it('is told how many entries come after those that it holds', () => {
    const { transcript, told, change } = wired(many(1000));
    told.feed.show(0);
    const { cells } = transcript;
    change(
      ...many(1100)
        .slice(1000)
        .map((entry) => ({ op: 'put', entry }) as const),
    );
    assert.equal(transcript.cells, cells);
    assert.equal(transcript.total, 1100);
    change({ op: 'put', entry: said('another', { id: 'e999' }) });
    assert.equal(transcript.cells, cells);
  });

  it('never holds more than a few hundred entries, however many come', () => {
    const { transcript, change } = wired([]);
    for (const entry of many(2000)) change({ op: 'put', entry });
    assert.equal(transcript.total, 2000);
    assert.ok(transcript.cells.length <= 400, String(transcript.cells.length));
  });

  it('gets what is left when a rewind takes all that it holds', () => {
    const { transcript, change } = wired(many(1000));
    change({
      op: 'remove',
      ids: many(1000)
        .slice(10)
        .map(({ id }) => id),
    });
    assert.deepEqual([transcript.total, transcript.start, transcript.cells.length], [10, 0, 10]);
  });

  it('knows what waits for the user outside of what it holds', () => {
    const asking = tool('write_file', {
      id: 't',
      subject: 'a.ts',
      approval: { requestId: 'r', title: 'Write?', message: '', decisions: ['once'] },
    });
    const { transcript, change } = wired([...many(3), asking, ...many(1000).slice(3)]);
    assert.equal(transcript.cell('t'), undefined);
    assert.deepEqual(transcript.questions, [{ id: 't', index: 3, requestId: 'r', title: 'Write?', subject: 'a.ts' }]);
    change({ op: 'put', entry: tool('write_file', { id: 't' }) });
    assert.equal(transcript.waiting, false);
  });

  it('is what the host has, whatever happens and whatever is asked for', () => {
    const id = fc.integer({ min: 0, max: 30 }).map((n) => `e${n}`);
    const step = fc.oneof(
      id.map((one) => ({ change: { op: 'put', entry: said('x', { id: one }) } as const })),
      id.map((one) => ({ change: { op: 'append', id: one, text: 'y' } as const })),
      fc.array(id, { maxLength: 12 }).map((ids) => ({ change: { op: 'remove', ids: [...new Set(ids)] } as const })),
      fc.integer({ min: -2, max: 40 }).map((around) => ({ around })),
      fc.constant({ flush: true }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.array(step, { maxLength: 60 }), (count, steps) => {
        const reader = new Reader(many(count));
        const heights = new Heights();
        heights.reset(reader.transcript.total);
        for (const one of steps) {
          if ('change' in one) reader.told.change(one.change);
          else if ('around' in one) reader.told.feed.show(one.around);
          else reader.told.feed.flush();
        }
        reader.told.feed.flush();
        const { transcript, told } = reader;
        heights.apply(transcript.takeReshapings());
        assert.equal(transcript.total, told.entries.length);
        assert.deepEqual(transcript.entries, told.entries.slice(transcript.start, transcript.end));
        assert.equal(heights.total, 48 * transcript.total);
      }),
      { numRuns: runs(100, 1000) },
    );
  });
});

function wired(entries: readonly Entry[]): Pick<Reader, 'transcript' | 'told' | 'change'> {
  const reader = new Reader(entries);
  return { transcript: reader.transcript, told: reader.told, change: (...changes) => reader.change(...changes) };
}
