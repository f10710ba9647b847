import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ViewWatch } from '../../../../extension/vscode/panel/view-watch.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

function watched(): { time: VirtualTime; watch: ViewWatch; asked: number[]; stuck(): number } {
  const time = new VirtualTime();
  const asked: number[] = [];
  let stuck = 0;
  const page = { ask: (count: number) => void asked.push(count), stuck: () => void stuck++ };
  const watch = new ViewWatch(page, time.clock.now, time.alarm);
  watch.start();
  return { time, watch, asked, stuck: () => stuck };
}

describe('A view that may have stopped', () => {
  it('is asked again and again while it answers', () => {
    const { time, watch, asked, stuck } = watched();
    for (let n = 1; n <= 3; n++) {
      time.pass(0.25);
      watch.takeAnswer(n);
    }
    assert.deepEqual([asked, stuck()], [[1, 2, 3], 0]);
  });

  it('is reported once when it does not answer', () => {
    const { time, stuck } = watched();
    time.pass(10);
    assert.equal(stuck(), 1);
  });

  it('is asked on when it answers late after all', () => {
    const { time, watch, asked, stuck } = watched();
    time.pass(1);
    watch.takeAnswer(1);
    time.pass(0.25);
    assert.deepEqual([asked, stuck()], [[1, 2], 1]);
  });

  it('is left alone when it is gone, and answers of an earlier page do not count', () => {
    const { time, watch, asked, stuck } = watched();
    time.pass(0.25);
    watch.stop();
    time.pass(1);
    watch.start();
    watch.takeAnswer(1);
    time.pass(0.25);
    watch.takeAnswer(1);
    time.pass(1);
    assert.deepEqual([asked, stuck()], [[1, 2], 1]);
  });

  it('is not blamed for a machine that slept', () => {
    let now = 0;
    const rings: (() => void)[] = [];
    const asked: number[] = [];
    const page = { ask: (count: number) => void asked.push(count), stuck: () => assert.fail('It only slept.') };
    const alarm = (_ms: number, ring: () => void): (() => void) => {
      rings.push(ring);
      return () => undefined;
    };
    new ViewWatch(page, () => now, alarm).start();
    now = 15_000;
    rings.at(-1)?.();
    now = 3_600_000;
    rings.at(-1)?.();
    assert.deepEqual(asked, [1, 2]);
  });

  it('is not blamed while the extension host is too busy to read its answer', () => {
    let now = 0;
    let next = { at: 0, ring: (): void => undefined };
    const asked: number[] = [];
    const page = {
      ask: (count: number) => void asked.push(count),
      stuck: () => assert.fail('Nobody read its answer.'),
    };
    const alarm = (ms: number, ring: () => void): (() => void) => {
      next = { at: now + ms, ring };
      return () => undefined;
    };
    const watch = new ViewWatch(page, () => now, alarm);
    watch.start();
    const blocked = (ms: number): void => {
      now = next.at + ms;
      next.ring();
    };
    blocked(0);
    for (let count = 1; count < 20; count++) {
      assert.equal(asked.at(-1), count);
      blocked(0);
      // The answer has come, but it is read only after the timer.
      blocked(12_000);
      watch.takeAnswer(count);
    }
    watch.takeAnswer(20);
    assert.equal(asked.length, 20);
  });
});
