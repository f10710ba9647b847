import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { diagnosticText, shortMessage } from '../../../../extension/vscode/context/problem-text.ts';

const SOURCE = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);

describe('A problem that is added to the chat', () => {
  it('says what is wrong, with the lines around it', () => {
    const problem = { severity: 'error', message: 'No such name', by: 'ts 2304', line: 5, endLine: 5 };
    assert.equal(
      diagnosticText(problem, SOURCE.slice(0, 7)),
      [
        'Line 5: error: No such name (ts 2304)',
        '',
        '  2 | line 2',
        '  3 | line 3',
        '  4 | line 4',
        '> 5 | line 5',
        '  6 | line 6',
        '  7 | line 7',
      ].join('\n'),
    );
  });

  it('does not bring the whole file when it spans it', () => {
    const problem = { severity: 'warning', message: 'Long', by: '', line: 1, endLine: 100 };
    assert.equal(diagnosticText(problem, SOURCE).split('\n').length, 2 + 44);
  });

  it('has a short name', () => {
    assert.equal(shortMessage('one\n two'), 'one two');
    assert.equal(shortMessage('x'.repeat(100)).length, 40);
  });
});
