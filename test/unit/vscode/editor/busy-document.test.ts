import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { whileBusy } from '../../../../extension/vscode/editor/busy-document.ts';

describe('An edit of a document that VS Code is busy with', () => {
  for (const outcome of [true, false]) {
    it(`is repeated until it is ${outcome ? 'accepted' : 'refused'}`, async () => {
      const outcomes = [undefined, undefined, outcome];
      const waits: number[] = [];
      const edited = await whileBusy(
        async () => outcomes.shift(),
        async (ms) => void waits.push(ms),
      );
      assert.deepEqual([edited, waits], [outcome, [50, 50]]);
    });
  }

  it('is given up after ten seconds', async () => {
    let waited = 0;
    const edited = await whileBusy(
      async () => undefined,
      async (ms) => {
        waited += ms;
        assert.ok(waited <= 10_000);
      },
    );
    assert.deepEqual([edited, waited], [undefined, 10_000]);
  });
});
