import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rememberParsed } from '../../../../extension/policy/shell/parse-shell.ts';

describe('reading a command again', () => {
  const counting = (parsed: boolean) => {
    const read: string[] = [];
    const parser = rememberParsed((command) => {
      read.push(command);
      return parsed
        ? {
            parsed,
            commands: [],
            hasRedirection: false,
            concerns: [command],
            variables: undefined,
            written: undefined,
            isPlain: false,
          }
        : { parsed, reason: 'reading it took too long' };
    });
    return { read, parser };
  };

  it('takes what was read before, by the exact text', () => {
    const { read, parser } = counting(true);
    assert.equal(parser.parse('ls'), parser.parse('ls'));
    parser.parse('ls ');
    assert.deepEqual(read, ['ls', 'ls ']);
  });

  it('tries once more what could not be read', () => {
    const { read, parser } = counting(false);
    parser.parse('ls');
    parser.parse('ls');
    assert.deepEqual(read, ['ls', 'ls']);
  });

  it('forgets what was not asked about for longest', () => {
    const { read, parser } = counting(true);
    parser.parse('first');
    parser.parse('second');
    for (let count = 0; count < 49; count++) {
      parser.parse('first');
      parser.parse(`other ${count}`);
    }
    read.length = 0;
    parser.parse('first');
    parser.parse('second');
    assert.deepEqual(read, ['second']);
  });
});
