import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { problemList, Requests } from '../../../../extension/vscode/git/action-texts.ts';

describe('What an action says for the user', () => {
  it('is as short as they would have typed it, and right for one and for many', () => {
    assert.equal(Requests.fixProblem(1), 'Fix this problem.');
    assert.equal(Requests.fixProblem(3), 'Fix these 3 problems.');
    assert.equal(Requests.explainProblem(2), 'Explain these problems.');
  });

  it('goes with fifty problems at most', () => {
    assert.equal(problemList(['a', 'b']), 'a\n\nb');
    assert.match(
      problemList(Array.from({ length: 60 }, (_, index) => `problem ${index}`)),
      /problem 49\n\n\(and 10 more\)$/,
    );
  });
});
