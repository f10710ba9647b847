import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { feedbackText, whenSent } from '../../../../extension/vscode/review/comment-texts.ts';

describe('Comments on a diff', () => {
  it('name the place and quote it, in the order of the text', () => {
    const remarks = [
      { start: 2, end: 3, text: 'Both.' },
      { start: 0, end: 0, text: 'Why?' },
    ];
    assert.equal(
      feedbackText('src/a.ts', 'one\r\ntwo\r\nthree\r\nfour\r\n', remarks),
      'src/a.ts, line 1:\n> one\nWhy?\n\nsrc/a.ts, lines 3–4:\n> three\n> four\nBoth.',
    );
  });

  it('quote no more than it takes to know what is meant', () => {
    const text = Array.from({ length: 100 }, (_, line) => `${line}`).join('\n');
    assert.match(feedbackText('a', text, [{ start: 0, end: 99, text: 'All.' }]), /> 19\n> … 80 more lines\nAll\.$/);
  });

  it('say when they go, on a change that was made already', () => {
    assert.deepEqual(
      [whenSent(false, false), whenSent(false, true), whenSent(true, true)],
      ['Goes to Gantry with your next message', 'Goes to Gantry with its next step', 'Sent to Gantry'],
    );
  });

  it('are nothing when there are none', () => {
    assert.equal(feedbackText('a', 'one\n', []), '');
  });
});
