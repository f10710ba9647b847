import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ApprovalDetails, UserQuestion } from '../../../extension/protocol/agent/approval.ts';
import { linkedPieces } from '../../../extension/protocol/words/rule-links.ts';
import { gateOf } from '../../../webview/conversation/approval-answer.ts';
import { changedDiffLines, diffLines } from '../../../webview/conversation/diff-view.ts';
import { answersOf, changedReply, type Reply } from '../../../webview/conversation/question-answers.ts';

describe('A change on a card', () => {
  const PATCH = [
    '--- a.ts',
    '+++ a.ts',
    '@@ -3,3 +3,4 @@',
    ' three',
    '-four',
    '+4',
    '+4.5',
    ' five',
    '@@ -20,2 +21,1 @@',
    ' twenty',
    '-twenty-one',
    '\\ No newline at end of file',
  ].join('\n');

  it('has the numbers of its lines, and gaps where nothing changes', () => {
    const lines = diffLines(PATCH).map(({ kind, number, text }) => `${kind} ${number ?? ''} ${text}`);
    assert.deepEqual(lines, [
      'gap  2 unchanged lines',
      'same 3 three',
      'removed 4 four',
      'added 4 4',
      'added 5 4.5',
      'same 6 five',
      'gap  14 unchanged lines',
      'same 21 twenty',
      'removed 21 twenty-one',
      'gap  No newline at end of file',
    ]);
  });

  it('is only what changes, with gaps between places that are apart', () => {
    assert.deepEqual(
      changedDiffLines(PATCH).map(({ kind, number, text }) => `${kind} ${number ?? ''} ${text}`),
      [
        'removed 4 four',
        'added 4 4',
        'added 5 4.5',
        'gap  16 unchanged lines',
        'removed 21 twenty-one',
        'gap  No newline at end of file',
      ],
    );
  });

  it('can be allowed there when all of it is there and was read, or when its diff is open', () => {
    const file = { path: 'a.ts', isNew: false, patch: PATCH, added: 2, removed: 2 };
    const edit = (isCut: boolean): ApprovalDetails => ({
      type: 'edit',
      files: [file, { ...file, ...(isCut && { isCut }) }],
    });
    const exec: ApprovalDetails = { type: 'exec', command: 'ls', folder: '.' };
    const gates = [edit(false), edit(true), exec].map((details) =>
      [false, true].flatMap((isInEditor) => [false, true].map((isUnread) => gateOf(details, { isUnread, isInEditor }))),
    );
    const tooLong = 'Too long for this card. Open the diff to allow it.';
    assert.deepEqual(gates, [
      [undefined, 'Open the diff or scroll to the end to allow.', undefined, undefined],
      [tooLong, tooLong, undefined, undefined],
      [undefined, 'Scroll to the end to allow.', undefined, 'Scroll to the end to allow.'],
    ]);
  });

  it('of a new file begins with its first line', () => {
    const lines = diffLines('--- a\n+++ a\n@@ -0,0 +1,2 @@\n+one\n+two');
    assert.deepEqual(
      lines.map(({ number, text }) => [number, text]),
      [
        [1, 'one'],
        [2, 'two'],
      ],
    );
  });

  it('with text that looks like a header stays a change', () => {
    assert.deepEqual(
      diffLines('--- a\n+++ a\n@@ -1,1 +1,1 @@\n--- not a header\n++++ neither').map(({ kind, text }) => [kind, text]),
      [
        ['removed', '-- not a header'],
        ['added', '+++ neither'],
      ],
    );
  });
});

describe('A sentence about a call', () => {
  const pieces = (sentence: string): string[] =>
    linkedPieces(sentence).map((piece) =>
      piece.kind === 'rule' ? `[${piece.file}|${piece.line ?? ''}|${piece.tier}]` : `${piece.kind}:${piece.text}`,
    );

  it('has the place of its rule as a link', () => {
    assert.deepEqual(pieces('Edits require approval. Rule write.toml:3 (shipped).'), [
      'text:Edits require approval. Rule ',
      '[write.toml|3|shipped]',
      'text: (shipped).',
    ]);
    assert.deepEqual(pieces('Rule mine.toml (user)'), ['text:Rule ', '[mine.toml||user]', 'text: (user)']);
  });

  it('has code in it as code', () => {
    assert.deepEqual(pieces('No rule allows `tee a`.'), ['text:No rule allows ', 'code:tee a', 'text:.']);
  });

  it('is left alone where it only looks like one', () => {
    for (const text of [
      'Rule a/b.toml:3 (user)',
      'Rule b.json:3 (user)',
      'Rules b.toml:3 (user)',
      'a ` b',
      'b.toml:3',
    ]) {
      assert.deepEqual(pieces(text), [`text:${text}`]);
    }
    assert.deepEqual(pieces(''), []);
  });
});

describe('The answers to questions', () => {
  const choice: UserQuestion = { question: 'Which?', header: 'Which', type: 'choice', options: [] };
  const several: UserQuestion = { ...choice, multiSelect: true };
  const text: UserQuestion = { question: 'Why?', header: 'Why', type: 'text' };
  const none: Reply = { picked: [], other: undefined };

  it('are omitted where there is none', () => {
    assert.deepEqual(answersOf([choice, several, text], []), {});
    assert.deepEqual(answersOf([text], [{ picked: [], other: '  ' }]), {});
  });

  it('are one pick, several, or the words of the user', () => {
    const one = changedReply(changedReply(none, false, 'A', true), false, 'B', true);
    const both = changedReply(changedReply(none, true, 'A', true), true, 'B', true);
    const own = { ...changedReply(both, true, undefined, true), other: ' mine ' };
    assert.deepEqual(answersOf([choice, several, several, text], [one, both, own, { picked: [], other: 'x' }]), {
      0: 'B',
      1: 'A, B',
      2: 'A, B, mine',
      3: 'x',
    });
  });

  it('let go of a pick that was taken back, and of words when another was picked', () => {
    const both = changedReply(changedReply(none, true, 'A', true), true, 'B', true);
    assert.deepEqual(changedReply(both, true, 'A', false).picked, ['B']);
    assert.deepEqual(changedReply({ picked: [], other: 'mine' }, false, 'A', true), {
      picked: ['A'],
      other: undefined,
    });
  });
});
