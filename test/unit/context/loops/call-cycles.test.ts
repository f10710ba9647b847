import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CallCycles } from '../../../../extension/context/loops/call-cycles.ts';

interface Step {
  readonly name: string;
  readonly args?: Record<string, unknown>;
  readonly result?: string;
  readonly waits?: boolean;
}

/** After how many calls a loop is found; 0 for never. */
function foundAfter(steps: readonly Step[]): number {
  const cycles = new CallCycles();
  for (const [at, { name, args = {}, result = 'the same', waits = false }] of steps.entries()) {
    if (cycles.add({ id: `call-${at}`, name, args })) return at + 1;
    cycles.finished(`call-${at}`, { text: result, waits });
  }
  return 0;
}

const times = (count: number, step: (at: number) => Step): Step[] => Array.from({ length: count }, (_, at) => step(at));

describe('Calls that are made again and again', () => {
  for (let length = 1; length <= 5; length++) {
    it(`are found with the fifth repetition of ${length}`, () => {
      assert.equal(foundAfter(times(60, (at) => ({ name: `tool_${at % length}` }))), 5 * length);
    });
  }

  it('are not found when a cycle is longer than five', () => {
    assert.equal(foundAfter(times(100, (at) => ({ name: `tool_${at % 6}` }))), 0);
  });

  it('are found after other calls', () => {
    const steps = [...times(30, (at) => ({ name: 'read', args: { at } })), ...times(9, () => ({ name: 'read' }))];
    assert.equal(foundAfter(steps), 35);
  });

  it('are the same whatever the order of their arguments', () => {
    const orders = [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
    ];
    assert.equal(foundAfter(times(9, (at) => ({ name: 'read', args: orders[at % 2] ?? {} }))), 5);
  });

  it('are different with different arguments', () => {
    assert.equal(foundAfter(times(50, (at) => ({ name: 'read', args: { line: at } }))), 0);
  });

  it('are no loop while their results change', () => {
    assert.equal(foundAfter(times(50, (at) => ({ name: 'look', result: `${at} %` }))), 0);
  });

  it('are one as soon as the results stay the same', () => {
    assert.equal(foundAfter(times(50, (at) => ({ name: 'look', result: `${Math.min(at, 20)} %` }))), 25);
  });

  it('are no loop when one of a cycle has other results', () => {
    assert.equal(foundAfter(times(50, (at) => (at % 2 ? { name: 'look', result: `${at}` } : { name: 'build' }))), 0);
  });

  it('are no loop while they wait for something', () => {
    assert.equal(foundAfter(times(50, () => ({ name: 'read_output', waits: true }))), 0);
    assert.equal(foundAfter(times(50, (at) => (at % 2 ? { name: 'read_output', waits: true } : { name: 'fetch' }))), 0);
  });

  it('are one when there is nothing to wait for any more', () => {
    const ended = times(50, (at) =>
      at < 20 ? { name: 'read_output', waits: true } : { name: 'read_output', result: 'ended' },
    );
    assert.equal(foundAfter(ended), 25);
  });

  it('are found inside one answer, where no result is known', () => {
    const cycles = new CallCycles();
    const found = times(5, () => ({ name: 'look' })).map(({ name }, at) => cycles.add({ id: `${at}`, name, args: {} }));
    assert.deepEqual(found, [false, false, false, false, true]);
  });

  it('do not count after a fresh start', () => {
    const cycles = new CallCycles();
    for (let at = 0; at < 4; at++) cycles.add({ id: `${at}`, name: 'look', args: {} });
    cycles.clear();
    assert.equal(cycles.add({ id: 'x', name: 'look', args: {} }), false);
  });
});
