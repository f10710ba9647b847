import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { inputWords, parsePromptLink } from '../../../../extension/vscode/actions/prompt-uri.ts';

describe('A link into Gantry', () => {
  const parse = (query: string, path = '/new') => parsePromptLink({ path, query });
  /** As VS Code hands it over: decoded. */
  const promptOf = (prompt: string) => parse(`prompt=${prompt}`);

  it('brings words and files', () => {
    assert.deepEqual(parse('prompt=Explain this\nplease&file=src/app.ts&file=README.md'), {
      prompt: 'Explain this\nplease',
      files: ['src/app.ts', 'README.md'],
      notes: [],
    });
  });

  it('brings nothing when it is not one that we know', () => {
    const unknown = [
      ['prompt=Hi', '/run'],
      ['prompt=Hi', '/new/'],
      ['prompt=Hi', ''],
      ['prompt=Hi', '/NEW'],
      ['', '/new'],
      ['prompt=', '/new'],
      ['prompt= \n', '/new'],
      ['send=true', '/new'],
      ['approvalMode=yolo&Prompt=Hi', '/new'],
      ['file=', '/new'],
    ] as const;
    for (const [query, path] of unknown) assert.equal(parse(query, path), undefined, `${path}?${query}`);
  });

  it('never makes a command of its words', () => {
    for (const words of ['!rm -rf .', ' !! rm -rf .', '!\n!rm -rf .', '\u200b!rm -rf .']) {
      assert.equal(promptOf(words)?.prompt, 'rm -rf .');
      assert.match(promptOf(words)?.notes.join(' ') ?? '', /nothing runs/);
      assert.equal(inputWords(words), 'rm -rf .', 'nor does a command link');
    }
    assert.equal(promptOf('!'), undefined);
    assert.deepEqual(promptOf('Stop! Why?')?.notes, []);
  });

  it('brings what it does not know as words, for the user to read', () => {
    assert.equal(promptOf('a & b + 100% = c')?.prompt, 'a & b + 100% = c');
    assert.deepEqual(parse('x=1&prompt=Hi&send=true&file=a&b.ts'), {
      prompt: 'Hi&send=true',
      files: ['a&b.ts'],
      notes: [],
    });
  });

  it('loses what a reader could not see, and says so', () => {
    const hidden = [
      '\u200b',
      '\u202e',
      '\u2066',
      '\u0000',
      '\u001b',
      '\u{e0041}',
      '\ufe0f',
      '\u3164',
      '\u2028',
      '\ue000',
    ];
    for (const character of hidden) {
      const link = promptOf(`Read ${character}this`);
      assert.equal(link?.prompt, 'Read this', `U+${character.codePointAt(0)?.toString(16)}`);
      assert.deepEqual(link.notes, ['1 invisible character was removed.']);
    }
    assert.deepEqual(promptOf('\u200b\u200cHi')?.notes, ['2 invisible characters were removed.']);
  });

  it('keeps line ends and tabs, whatever the system they come from', () => {
    assert.deepEqual(promptOf('a\r\nb\rc\td'), { prompt: 'a\nb\nc\td', files: [], notes: [] });
  });

  it('is cut when it is long, and says so', () => {
    const link = promptOf('😀'.repeat(5000));
    assert.equal([...(link?.prompt ?? '')].length, 4000);
    assert.deepEqual(link?.notes, ['Only the first 4000 characters were used.']);
  });

  it('brings a few files with names that can be read', () => {
    const names = ['a\u202eb.ts', 'a%00b', `${'x'.repeat(501)}`, 'line\nbreak', '1', '2', '3', '4', '5', '6'];
    const link = parse(names.map((name) => `file=${name}`).join('&'));
    assert.deepEqual(link?.files, ['a%00b', '1', '2', '3', '4']);
    assert.deepEqual(link.notes, ['Some of its files were ignored.']);
  });

  it('never brings anything hidden, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const link = promptOf(text);
        assert.doesNotMatch(link?.prompt ?? '', /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
