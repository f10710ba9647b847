import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resultRows, searchedText } from '../../../webview/conversation/tool-results.ts';
import { tool } from '../../support/panel/entries.ts';

describe('What a tool found', () => {
  it('are matches below their files', () => {
    const detail =
      'Found 2 matches in 1 file for "x".\n---\nFile: src/a.ts\nL3- before\nL4:   x()\nL9: x\n---\n[1 very long line left out.]';
    assert.deepEqual(resultRows(tool('grep_search', { detail })), [
      { kind: 'file', path: 'src/a.ts', count: 2 },
      { kind: 'line', path: 'src/a.ts', line: 4, text: 'x()' },
      { kind: 'line', path: 'src/a.ts', line: 9, text: 'x' },
      { kind: 'words', text: '[1 very long line left out.]' },
    ]);
  });

  it('are files', () => {
    assert.deepEqual(
      resultRows(tool('glob', { detail: 'Found 2 files, newest first:\nsrc/a.ts\nREADME\n[There are more.]' })),
      [
        { kind: 'words', text: 'Found 2 files, newest first:' },
        { kind: 'file', path: 'src/a.ts', count: 0 },
        { kind: 'file', path: 'README', count: 0 },
        { kind: 'words', text: '[There are more.]' },
      ],
    );
  });

  it('are places that the editor knows', () => {
    assert.deepEqual(
      resultRows(tool('find_references', { detail: 'src/a.ts\n  12:5  call()\n1 outside the workspace: not shown.' })),
      [
        { kind: 'file', path: 'src/a.ts', count: 1 },
        { kind: 'line', path: 'src/a.ts', line: 12, text: 'call()' },
        { kind: 'words', text: '1 outside the workspace: not shown.' },
      ],
    );
  });

  it('are sources on the web', () => {
    assert.deepEqual(
      resultRows(tool('google_web_search', { detail: '[1] Timer mocks (https://vitest.dev/x)\n[2] Other' })),
      [
        { kind: 'source', title: 'Timer mocks', url: 'https://vitest.dev/x' },
        { kind: 'source', title: 'Other' },
      ],
    );
    assert.deepEqual(resultRows(tool('web_fetch', { detail: 'https://a.b/c: 200, 12 characters' })), [
      { kind: 'source', title: '200, 12 characters', url: 'https://a.b/c' },
    ]);
  });

  it('are a text where nothing leads anywhere', () => {
    assert.equal(resultRows(tool('grep_search', { detail: 'No matches for "x" in src.' })), undefined);
    assert.equal(resultRows(tool('constructor', { detail: 'src/a.ts' })), undefined);
    assert.equal(resultRows(tool('glob', { detail: 'src/a.ts', status: 'error' })), undefined);
    assert.deepEqual(resultRows(tool('google_web_search', { detail: '[1] Bad (javascript:x)' })), [
      { kind: 'source', title: 'Bad (javascript:x)' },
    ]);
  });

  it('is marked where the pattern is a plain text', () => {
    const searched = (pattern: string): string | undefined => searchedText({ name: 'grep_search', subject: pattern });
    assert.equal(searched("'withRetry\\(' in src (*.ts)"), 'withRetry(');
    assert.equal(searched("'\\bfoo\\b'"), 'foo');
    assert.equal(searched("'a+b'"), undefined);
    assert.equal(searched("'(a|b)'"), undefined);
  });
});
