import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type AppliedTexts, viewOf as view } from '../../../../extension/vscode/review/applied-view.ts';
import { withHunkAccepted, withHunkRejected } from '../../../../extension/vscode/review/hunks.ts';

const viewOf = (texts: Omit<AppliedTexts, 'holdsOthersEdits'>) => view({ ...texts, holdsOthersEdits: false });
const lines = (...of: readonly string[]): string => of.map((line) => `${line}\n`).join('');
const BASELINE = lines('a', 'b', 'c', 'd', 'e', 'f', 'g');
const AGENT = lines('a', 'B', 'c', 'd', 'e', 'f', 'g');

describe('A change that was made without asking', () => {
  it('is what the agent did, and a no leaves what was there to the letter', () => {
    const seen = viewOf({ baseline: 'a\r\nb\n', current: 'a\r\nB\n', now: 'a\r\nB\n' });
    assert.deepEqual([seen.added, seen.removed], [1, 1]);
    assert.equal(seen.undone, 'a\r\nb\n');
    assert.equal(seen.conflict, undefined);
  });

  it("has the user's own edits elsewhere on both sides: they are nothing to decide, and outlive a no", () => {
    const now = lines('a', 'B', 'c', 'd', 'e', 'f', 'mine', 'g');
    const seen = viewOf({ baseline: BASELINE, current: AGENT, now });
    assert.deepEqual(
      seen.hunks.map(({ start, end, before }) => [start, end, before]),
      [[1, 2, 'b\n']],
    );
    assert.equal(seen.undone, lines('a', 'b', 'c', 'd', 'e', 'f', 'mine', 'g'));
  });

  it('keeps the line ends that the editor has', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    const now = crlf(lines('a', 'B', 'c', 'd', 'e', 'f', 'mine'));
    const { undone } = viewOf({ baseline: crlf(BASELINE), current: crlf(AGENT), now });
    assert.equal(undone, crlf(lines('a', 'b', 'c', 'd', 'e', 'f', 'mine')));
  });

  it('cannot be taken back as a whole in a file whose lines end in different ways, once the user edited it', () => {
    for (const other of ['\r\n', '\r']) {
      const mixed = (text: string): string => text.replace('c\n', `c${other}`);
      const now = mixed(lines('a', 'B', 'c', 'd', 'e', 'f', 'mine', 'g'));
      const seen = viewOf({ baseline: mixed(BASELINE), current: mixed(AGENT), now });
      assert.equal(seen.undone, undefined);
      assert.match(seen.conflict ?? '', /mixed line endings/);
      assert.equal(seen.hunks.length, 1);
      const byHand = viewOf({ baseline: mixed(BASELINE), current: mixed(AGENT), now: mixed(BASELINE) });
      assert.deepEqual([byHand.hunks, byHand.conflict], [[], undefined]);
    }
  });

  it('cannot be taken back as a whole where the user edited the same or neighbouring lines', () => {
    for (const now of [
      lines('a', 'B mine', 'c', 'd', 'e', 'f', 'g'),
      lines('a', 'B', 'mine', 'd', 'e', 'f', 'g'),
      lines('a', 'mine', 'B', 'c', 'd', 'e', 'f', 'g'),
    ]) {
      const seen = viewOf({ baseline: BASELINE, current: AGENT, now });
      assert.equal(seen.undone, undefined);
      assert.match(seen.conflict ?? '', /same lines/);
      assert.equal(seen.left, BASELINE);
    }
  });

  it('cannot be taken back as a whole when the user edited the file between two changes', () => {
    const seen = view({ baseline: BASELINE, current: AGENT, now: AGENT, holdsOthersEdits: true });
    assert.equal(seen.undone, undefined);
    assert.match(seen.conflict ?? '', /between two of Gantry's changes/);
    assert.equal(seen.hunks.length, 1);
  });

  it('is nothing to decide once the user took it back by hand', () => {
    const seen = viewOf({ baseline: BASELINE, current: AGENT, now: BASELINE });
    assert.deepEqual([seen.hunks, seen.conflict], [[], undefined]);
  });

  it('is a new file that a no removes, unless the user worked on it', () => {
    assert.equal(viewOf({ baseline: null, current: 'x\n', now: 'x\n' }).undone, null);
    const edited = viewOf({ baseline: null, current: 'x\n', now: 'x\nmine\n' });
    assert.equal(edited.undone, undefined);
    assert.match(edited.conflict ?? '', /edited the file after Gantry created it/);
  });

  it('is a removed file that a no brings back', () => {
    const seen = viewOf({ baseline: 'x\n', current: null, now: null });
    assert.deepEqual([seen.removed, seen.undone], [1, 'x\n']);
    assert.match(viewOf({ baseline: 'x\n', current: null, now: 'mine' }).conflict ?? '', /exists again/);
  });

  it('cannot be taken back from a file that was moved or deleted', () => {
    const seen = viewOf({ baseline: BASELINE, current: AGENT, now: null });
    assert.equal(seen.undone, undefined);
    assert.match(seen.conflict ?? '', /moved or deleted/);
  });

  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 }).map((of) => lines(...of));
  const texts = fc.tuple(text, text, text).map(([baseline, current, now]) => ({ baseline, current, now }));

  it('is decided when each place has a verdict, whatever the verdicts are', () => {
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.boolean()), ({ baseline, current, now }, verdicts) => {
        let left = viewOf({ baseline, current, now }).left;
        let text = now;
        for (let rounds = 0; rounds < 50; rounds++) {
          const { hunks } = viewOf({ baseline: left, current: text, now: text });
          const [hunk] = hunks;
          if (!hunk) return;
          if (verdicts.next().value) left = withHunkAccepted(left, text, hunk);
          else text = withHunkRejected(text, hunk);
          assert.ok(viewOf({ baseline: left, current: text, now: text }).hunks.length < hunks.length);
        }
        assert.fail('There was always something left.');
      }),
    );
  });

  it('and edits of the user far from it come apart again', () => {
    const middle = lines('1', '2', '3');
    fc.assert(
      fc.property(text, text, text, text, (before, after, theirs, mine) => {
        const undone = viewOf({
          baseline: `${before}${middle}${theirs}`,
          current: `${after}${middle}${theirs}`,
          now: `${after}${middle}${mine}`,
        }).undone;
        assert.equal(undone, `${before}${middle}${mine}`);
      }),
    );
  });
});
