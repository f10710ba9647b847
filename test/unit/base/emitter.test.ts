import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Emitter } from '../../../extension/base/emitter.ts';

describe('An event', () => {
  it('is told to all that listen, in their order, until they stop', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const stop = emitter.on((value) => heard.push(`a${value}`));
    emitter.on((value) => heard.push(`b${value}`));
    emitter.fire(1);
    stop();
    emitter.fire(2);
    emitter.clear();
    emitter.fire(3);
    assert.deepEqual([heard, emitter.hasListeners], [['a1', 'b1', 'b2'], false]);
  });

  it('is not told to one that was removed meanwhile, and only the next one to one that came', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    let stop = (): void => undefined;
    emitter.on((value) => {
      heard.push(`first${value}`);
      stop();
      if (value === 1) emitter.on((later) => heard.push(`new${later}`));
    });
    stop = emitter.on(() => heard.push('removed'));
    emitter.fire(1);
    assert.deepEqual(heard, ['first1']);
    emitter.fire(2);
    assert.deepEqual(heard, ['first1', 'first2', 'new2']);
  });

  it('reaches the others when a listener throws, where somebody takes the failure', () => {
    const failures: unknown[] = [];
    const heard: string[] = [];
    const emitter = new Emitter<string>((error, value) => failures.push([String(error), value]));
    emitter.on(() => {
      throw new Error('broken');
    });
    emitter.on((value) => heard.push(value));
    emitter.fire('x');
    assert.deepEqual([failures, heard], [[['Error: broken', 'x']], ['x']]);
    const plain = new Emitter();
    plain.on(() => {
      throw new Error('broken');
    });
    assert.throws(() => plain.fire(), /broken/);
  });
});
