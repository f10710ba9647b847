import assert from 'node:assert/strict';
import type { ToHost } from '../../../extension/protocol/panel/host-messages.ts';
import { Find } from '../../../webview/state/find.ts';

type Request = Extract<ToHost, { type: 'find' }>;

/** An open search that has found the first of three. */
function searching(): { readonly find: Find; readonly sent: Request[] } {
  const sent: Request[] = [];
  const find = new Find((request) => sent.push(request));
  find.open(undefined);
  find.ask('tide', 'here', 'e1');
  assert.ok(answer(find, sent.at(-1)?.ref ?? 0, 1));
  return { find, sent };
}

function answer(find: Find, ref: number, n: number): boolean {
  return find.take({ type: 'found', ref, total: 3, current: { n, id: `e${n}`, index: n, nth: 1 } });
}

describe('finding in the conversation, in the page', () => {
  it('goes to the next match, also when the conversation changes before the answer', () => {
    const { find, sent } = searching();
    find.ask('tide', 'next', 'e1');
    find.refresh();
    assert.deepEqual(
      sent.map(({ go }) => go),
      ['here', 'next'],
    );
    assert.ok(answer(find, sent.at(-1)?.ref ?? 0, 2));
    assert.deepEqual([find.current?.n, find.isRefresh], [2, false]);
  });

  it('counts anew when the conversation changes later, and stays where the reader is', () => {
    const { find, sent } = searching();
    find.refresh();
    assert.deepEqual(sent.at(-1), { type: 'find', ref: 2, query: 'tide', go: 'here', from: { id: 'e1', nth: 1 } });
    assert.equal(find.isRefresh, true);
  });

  for (const [what, stop] of [
    ['was closed', (find: Find) => find.close()],
    ['looks for nothing', (find: Find) => find.ask('', 'here', 'e1')],
  ] as const) {
    it(`takes no answer when it ${what}, and counts again when it continues`, () => {
      const { find, sent } = searching();
      find.ask('tide', 'next', 'e1');
      stop(find);
      assert.equal(answer(find, sent.at(-1)?.ref ?? 0, 2), false);
      find.open('tide');
      find.refresh();
      assert.equal(sent.at(-1)?.go, 'here');
    });
  }
});
