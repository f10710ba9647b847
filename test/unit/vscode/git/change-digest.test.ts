import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ChangedFile, diffOfNew, digestOf, isBinaryDiff } from '../../../../extension/vscode/git/change-digest.ts';

describe('Changes as a model is shown them', () => {
  const diff = (path: string, text: string): ChangedFile => ({
    path,
    what: 'changed',
    content: { kind: 'diff', text },
  });

  it('name every file, with its diff', () => {
    const files: ChangedFile[] = [
      diff('src/a.ts', '@@ -1 +1 @@\n-one\n+two\n'),
      { path: '.env', what: 'added', content: { kind: 'left-out', why: 'secret' } },
      { path: 'logo.png', what: 'deleted', content: { kind: 'left-out', why: 'binary' } },
    ];
    assert.equal(
      digestOf(files),
      [
        '### changed: src/a.ts\n@@ -1 +1 @@\n-one\n+two',
        '### added: .env\n(its name says that it may hold secrets, so its content is left out)',
        '### deleted: logo.png\n(binary, so its content is left out)',
      ].join('\n\n'),
    );
  });

  it('are cut at a line, and say how much is missing', () => {
    const limits = { total: 1000, perFile: 14 };
    assert.equal(
      digestOf([diff('a', '+first\n+second\n+third\n+fourth')], limits),
      '### changed: a\n+first\n+second\n(cut here: 2 more lines)',
    );
    assert.equal(digestOf([diff('a', `+${'x'.repeat(50)}`)], limits), '### changed: a\n(cut here: 1 more line)');
  });

  it('share the room: later files are named when nothing is left of it', () => {
    const text = digestOf([diff('a', '+12345678'), diff('b', '+12345678')], { total: 10, perFile: 10 });
    assert.equal(text, '### changed: a\n+12345678\n\n### changed: b\n(cut here: 1 more line)');
  });

  it('have file names that stay on their line', () => {
    assert.match(digestOf([diff('a\nb\u202ec', '+x')]), /^### changed: a\?b\?c\n/);
  });

  it('tell binary files from texts that speak of them', () => {
    assert.equal(isBinaryDiff('diff --git a/x b/x\nBinary files a/x and b/x differ\n'), true);
    assert.equal(isBinaryDiff('index 1..2\nGIT binary patch\nliteral 3'), true);
    assert.equal(isBinaryDiff('+\0'), true);
    assert.equal(isBinaryDiff('+Binary files a/x and b/x differ\n'), false);
  });

  it('show a new file as added lines', () => {
    assert.equal(diffOfNew('one\r\ntwo\n'), '@@ -0,0 +1,2 @@\n+one\n+two');
  });
});
