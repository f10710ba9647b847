import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readStoredAttachments } from '../../../../extension/protocol/agent/stored-attachment.ts';

const FILE = {
  attachment: { id: 'a', kind: 'file', label: 'a.ts', path: 'src/a.ts' },
  content: { uri: 'file:///a.ts' },
};
const LINES = {
  attachment: { id: 'b', kind: 'selection', label: 'a.ts:1-2', startLine: 1, endLine: 2 },
  content: { text: 'let a' },
};

describe('What was attached before a reload', () => {
  it('is there again as it was', () => {
    assert.deepEqual(readStoredAttachments([FILE, LINES]), [FILE, LINES]);
  });

  const wrong: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined],
    ['no list', { 0: FILE }],
    ['a word', ['file']],
    ['no content', [{ attachment: FILE.attachment }]],
    ['a content that is neither text nor address', [{ ...FILE, content: { path: '/a.ts' } }]],
    ['a kind nobody knows', [{ ...FILE, attachment: { ...FILE.attachment, kind: 'planet' } }]],
    ['a kind that every object has', [{ ...FILE, attachment: { ...FILE.attachment, kind: 'constructor' } }]],
    ['a line that is no number', [{ ...LINES, attachment: { ...LINES.attachment, startLine: '1' } }]],
    ['one that is wrong beside one that is right', [FILE, { attachment: {}, content: {} }]],
  ];
  for (const [name, stored] of wrong) {
    it(`is forgotten when another version stored ${name}`, () => {
      assert.deepEqual(readStoredAttachments(stored), []);
    });
  }
});
