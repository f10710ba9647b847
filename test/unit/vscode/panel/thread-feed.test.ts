import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToPanel } from '../../../../extension/protocol/panel/panel-messages.ts';
import type { TranscriptChange } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import { ThreadFeed } from '../../../../extension/vscode/panel/thread-feed.ts';
import { answered, tool } from '../../../support/panel/entries.ts';
import { eventually } from '../../../support/poll.ts';

function threads() {
  const entries = [tool('glob', { id: 'n1' })];
  const watchers = new Set<(changes: readonly TranscriptChange[]) => void>();
  const replaced = new Set<() => void>();
  const posted: ToPanel[] = [];
  const thread = {
    entries,
    entry: (id: string) => entries.find((entry) => entry.id === id),
    watch: (listener: (changes: readonly TranscriptChange[]) => void) => {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
  const onDidReplace = (listener: () => void) => {
    replaced.add(listener);
    return { dispose: () => replaced.delete(listener) };
  };
  const feed = new ThreadFeed({ thread: (id) => (id === 't' ? thread : undefined), onDidReplace }, (message) =>
    posted.push(message),
  );
  return { feed, posted, watchers, replaced };
}

const SAID = { op: 'put', entry: answered('Done.', { id: 'a' }) } as const;

describe('What the panel receives of a thread', () => {
  it('is what is in it, and what happens in it, under its name', async () => {
    const { feed, posted, watchers } = threads();
    feed.open('t');
    for (const watcher of watchers) watcher([SAID]);
    const [first, then] = await eventually('two messages', () => (posted.length === 2 ? posted : undefined));
    assert.ok(first?.type === 'thread' && first.told.type === 'transcript');
    assert.deepEqual([first.threadId, first.told.entries.length], ['t', 1]);
    assert.ok(then?.type === 'thread' && then.told.type === 'changes');
    assert.deepEqual(then.told.changes, [SAID]);
    assert.equal(then.told.spoken, undefined);
    feed.show(0);
    const last = posted.at(-1);
    assert.equal(last?.type === 'thread' && last.told.type, 'window');
  });

  it('ends when it is closed, or when another conversation is shown', () => {
    const { feed, posted, watchers, replaced } = threads();
    feed.open('t');
    feed.close();
    assert.equal(watchers.size, 0);
    feed.open('t');
    for (const other of replaced) other();
    assert.equal(watchers.size, 0);
    feed.show(0);
    assert.equal(posted.length, 2);
    feed.dispose();
    assert.equal(replaced.size, 0);
  });

  it('is nothing where there is no such thread', () => {
    const { feed, posted } = threads();
    feed.open('other');
    feed.show(0);
    assert.deepEqual(posted, []);
  });
});
