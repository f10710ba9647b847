import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainTerminalText } from '../../../../extension/protocol/words/terminal-lines.ts';
import { processorTime } from '../../../support/processor-time.ts';

describe('Output of a terminal as text', () => {
  for (const [name, ansi, text] of [
    ['has no colours and titles', '\x1b[31mred\x1b[0m \x1b]0;title\x07plain', 'red plain'],
    ['has what was written over last', 'a 10%\ra 20%\ra 30%', 'a 30%'],
    ['keeps a line whose end is a return', 'done\r', 'done'],
    ['knows both line ends', 'one\r\ntwo\nthree', 'one\ntwo\nthree'],
  ] as const) {
    it(name, () => assert.equal(plainTerminalText(ansi), text));
  }

  it('is there at once for a line without an end', () => {
    const took = processorTime(() => {
      plainTerminalText('x'.repeat(2_000_000));
      plainTerminalText('\r'.repeat(2_000_000));
    });
    assert.ok(took < 5000);
  });
});
