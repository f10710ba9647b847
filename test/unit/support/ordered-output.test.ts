import assert from 'node:assert/strict';
import { OrderedOutput } from '../../support/run/ordered-output.ts';

describe('The output of steps that run beside each other', () => {
  it('is written as it comes for the first, and for the others when it is their turn', () => {
    const printed: string[] = [];
    const output = new OrderedOutput((line) => printed.push(line));
    const [first, second, third] = [output.section(), output.section(), output.section()];
    second.write('second');
    third.write('third');
    third.end();
    first.write('first');
    assert.deepEqual(printed, ['first']);
    first.end();
    assert.deepEqual(printed, ['first', 'second']);
    second.write('second, again');
    second.end();
    assert.deepEqual(printed, ['first', 'second', 'second, again', 'third']);
  });
});
