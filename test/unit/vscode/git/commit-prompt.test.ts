import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cleanCommitMessage, commitPrompt } from '../../../../extension/vscode/git/commit-prompt.ts';

describe('What a commit message is written from', () => {
  const files = [{ path: 'a.ts', what: 'changed', content: { kind: 'diff', text: '+one' } }] as const;

  it('is the subjects, the changes and what the user has begun with', () => {
    const lastMessages = ['Fix the tide\n\nIt was late.', 'Say more'];
    assert.equal(
      commitPrompt({ files, lastMessages, draft: ' Make it\n' }, 'MARK'),
      [
        'Subjects of the last commits:\n<<<MARK\n- Fix the tide\n- Say more\nMARK>>>',
        'The changes:\n<<<MARK\n### changed: a.ts\n+one\nMARK>>>',
        'The user has begun with:\nMake it',
        'Write the commit message.',
      ].join('\n\n'),
    );
  });

  it('is the changes alone in a repository without commits', () => {
    assert.equal(
      commitPrompt({ files, lastMessages: [], draft: '' }, 'M'),
      'The changes:\n<<<M\n### changed: a.ts\n+one\nM>>>\n\nWrite the commit message.',
    );
  });

  it('has ten subjects at most, each short', () => {
    const lastMessages = Array.from({ length: 12 }, (_, index) => `${index} ${'x'.repeat(300)}`);
    const prompt = commitPrompt({ files, lastMessages, draft: '' }, 'M');
    assert.equal(prompt.match(/^- /gm)?.length, 10);
    assert.ok(Math.max(...prompt.split('\n').map(({ length }) => length)) <= 202);
  });
});

describe('The message in what a model answers', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Fix the tide', 'Fix the tide'],
    ['  Fix the tide \r\n\r\n\r\n\r\nIt was late.  \n', 'Fix the tide\n\nIt was late.'],
    ['```\nFix the tide\n\nIt was late.\n```', 'Fix the tide\n\nIt was late.'],
    ['```text\nFix the tide\n```', 'Fix the tide'],
    ['"Fix the tide"', 'Fix the tide'],
    ['`Fix` the `tide`', '`Fix` the `tide`'],
    ['Fix\u202e the\u0007 ti\u200bde 👩‍💻', 'Fix the tide 👩‍💻'],
    ['\n \n', ''],
  ];
  for (const [answer, message] of cases) {
    it(`is ${JSON.stringify(message)} in ${JSON.stringify(answer)}`, () => {
      assert.equal(cleanCommitMessage(answer), message);
    });
  }
});
