import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ListedProblem, problemsLabel, problemsText } from '../../../../extension/vscode/actions/action-texts.ts';

describe('A problem that is attached to a message', () => {
  const problem = (startLine: number, more: Partial<ListedProblem> = {}): ListedProblem => ({
    startLine,
    endLine: startLine,
    severity: 'error',
    message: `Wrong ${startLine}`,
    ...more,
  });
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);

  it('says what is wrong and shows the lines around it', () => {
    assert.equal(
      problemsText([problem(2, { source: 'ts', code: '2304' })], lines.slice(0, 4)),
      [
        'error in line 2 (ts 2304): Wrong 2',
        '     1 | line 1',
        '>    2 | line 2',
        '     3 | line 3',
        '     4 | line 4',
      ].join('\n'),
    );
  });

  it('shows few lines of one that covers many', () => {
    const text = problemsText([problem(1, { endLine: 20 })], lines);
    assert.equal(text.split('\n').length, 12);
  });

  it('is one of fifty at most', () => {
    const text = problemsText(
      Array.from({ length: 60 }, (_, index) => problem(index + 1)),
      lines,
    );
    assert.match(text, /\(and 10 more\)$/);
  });

  it('has a short name', () => {
    assert.equal(problemsLabel('src/app.ts', [problem(3, { endLine: 9 })]), 'app.ts:3');
    assert.equal(problemsLabel('src/app.ts', [problem(3), problem(4)]), '2 problems in app.ts');
  });
});
