import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { orThrowAborted, unlessAborted, untilAborted } from '../../../extension/base/abort.ts';
import { InOrder } from '../../../extension/base/in-order.ts';

const never = new Promise<string>(() => undefined);

describe('Work that can be stopped', () => {
  it('is waited for, and no longer when the signal fires', async () => {
    const { signal } = new AbortController();
    assert.equal(await unlessAborted(Promise.resolve('done'), signal), 'done');
    assert.equal(await orThrowAborted(Promise.resolve('done'), signal), 'done');
    const stop = new AbortController();
    const [left, thrown] = [unlessAborted(never, stop.signal), orThrowAborted(never, stop.signal)];
    stop.abort(new Error('stopped'));
    assert.equal(await left, undefined);
    await assert.rejects(thrown, /stopped/);
  });

  it('is not begun to be waited for after that, and its failure is nobody’s', async () => {
    const failed = Promise.reject(new Error('too late'));
    await assert.rejects(orThrowAborted(failed, AbortSignal.abort(new Error('stopped'))), /stopped/);
    assert.equal(await unlessAborted(never, AbortSignal.abort()), undefined);
  });

  it('ends a stream of items', async () => {
    const stop = new AbortController();
    const items = async function* (): AsyncGenerator<number> {
      yield 1;
      yield 2;
      await never;
    };
    const taken: number[] = [];
    for await (const item of untilAborted(items(), stop.signal)) {
      taken.push(item);
      if (item === 2) stop.abort();
    }
    assert.deepEqual(taken, [1, 2]);
  });
});

describe('Things in order', () => {
  it('happen one after the other, also after one that failed', async () => {
    const order = new InOrder();
    const done: string[] = [];
    const first = order.run(async () => {
      await Promise.resolve();
      done.push('first');
      throw new Error('broken');
    });
    const second = order.run(async () => done.push('second'));
    await assert.rejects(first, /broken/);
    await order.idle();
    assert.deepEqual([done, await second], [['first', 'second'], 2]);
  });
});
