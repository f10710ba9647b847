import assert from 'node:assert/strict';
import Mocha, { describe, it } from 'mocha';
import { lineReporter, runMocha } from '../../support/reporter.ts';

describe('The reporter', () => {
  it('writes lines, counts, and tells hooks why a test failed', async () => {
    const lines: string[] = [];
    const seen: (string | undefined)[] = [];
    const mocha = new Mocha({ reporter: lineReporter((line) => lines.push(line)) });
    const suite = Mocha.Suite.create(mocha.suite, 'Sums');
    suite.addTest(new Mocha.Test('add up', () => undefined));
    suite.addTest(
      new Mocha.Test('break', () => {
        throw new Error('no sum');
      }),
    );
    suite.afterEach(function () {
      seen.push(this.currentTest?.err?.message);
    });
    const { failures, tests, ...counts } = await runMocha(mocha);
    assert.deepEqual(counts, { passed: 1, failed: 1, pending: 0 });
    assert.deepEqual(
      tests?.map(({ title }) => title),
      ['Sums add up', 'Sums break'],
    );
    assert.match(failures?.join() ?? '', /^Sums break\nError: no sum/);
    assert.deepEqual(seen, [undefined, 'no sum']);
    assert.deepEqual(lines.slice(0, 3), ['Sums', '  ✓ add up', '  ✗ 1) break']);
    assert.match(lines.join('\n'), /✗ 1\) Sums break\nError: no sum/);
  });
});
