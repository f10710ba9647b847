import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Lexer, type Token } from 'marked';
import { describe, it } from 'mocha';
import { BlockStream, presentable } from '../../../webview/markdown/block-stream.ts';
import { tokensToHtml } from '../../../webview/markdown/html.ts';
import { runs } from '../../support/test-size.ts';

function kinds(blocks: readonly Token[]): string[] {
  return blocks.map((block) => `${block.type}: ${block.raw.trim()}`);
}

/** Feeds the pieces and gathers the blocks in the order in which they became final. */
function streamed(pieces: readonly string[]): string[] {
  const stream = new BlockStream();
  const blocks: Token[] = [];
  for (const piece of pieces) {
    stream.append(piece);
    blocks.push(...stream.settle());
    stream.live();
  }
  return kinds([...blocks, ...stream.finish()]);
}

function whole(text: string): string[] {
  return kinds(new Lexer().lex(text).filter((block) => block.type !== 'space' && block.type !== 'def'));
}

const PARTS = [
  'A paragraph with **bold** and `code`.\n\n',
  'Two lines\nof text\n\n',
  '# Heading\n',
  'Setext\n===\n\n',
  '- one\n- two\n  - nested\n',
  '- loose\n\n- list\n\n',
  '1. first\n2. second\n\n',
  '2. goes on\n',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```\n',
  '~~~\n```\n~~~\n\n',
  '    indented code\n\n',
  '> quote\n> more\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '---\n\n',
  '<div>\nraw\n</div>\n\n',
  '\n',
  'tail without an end',
];

describe('Markdown that is still being written', () => {
  it('settles a block when the next one has begun', () => {
    const stream = new BlockStream();
    stream.append('First.\n\nSec');
    assert.deepEqual(kinds(stream.settle()), []);
    stream.append('ond.\n');
    assert.deepEqual(kinds(stream.settle()), ['paragraph: First.']);
    assert.deepEqual(kinds(stream.live()), ['paragraph: Second.']);
    assert.deepEqual(kinds(stream.finish()), ['paragraph: Second.']);
  });

  it('hands out each settled block once', () => {
    const stream = new BlockStream();
    stream.append('a\n\nb\n\nc\n');
    assert.equal(stream.settle().length, 2);
    assert.equal(stream.settle().length, 0);
  });

  it('does not take a line that is still being written for the end of a list', () => {
    assert.deepEqual(streamed(['1. a\n\n2', '. b\n']), ['list: 1. a\n\n2. b']);
  });

  it('keeps an open code block together', () => {
    const stream = new BlockStream();
    stream.append('```ts\nlet a;\n\nlet b;\n');
    assert.deepEqual(stream.settle(), []);
    assert.deepEqual(kinds(stream.live()), ['code: ```ts\nlet a;\n\nlet b;']);
  });

  it('notices link definitions, which may belong to settled blocks', () => {
    const stream = new BlockStream();
    stream.append('[a][1]\n\n[1]: https://example.com\n');
    stream.settle();
    stream.finish();
    assert.equal(stream.hasDefinitions, true);
  });

  it('ends as the same blocks, whatever the pieces were', async () => {
    await fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        (parts, sizes) => {
          const text = parts.join('');
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          assert.deepEqual(streamed(pieces), whole(text));
        },
      ),
      { numRuns: runs(100, 1000) },
    );
  });

  for (const [name, deep] of [
    ['quotes', '>'.repeat(6000)],
    ['lists', '- '.repeat(3000)],
  ] as const) {
    it(`continue as plain text where ${name} are nested too deep`, () => {
      const stream = new BlockStream();
      stream.append(`# Before\n\n${deep}x\n\nAfter **it**.\n\nLast`);
      const blocks = [...stream.settle(), ...stream.live()];
      assert.deepEqual(
        blocks.map(({ type }) => type),
        ['heading', 'paragraph', 'paragraph', 'paragraph'],
      );
      assert.equal(blocks[1]?.raw.trim(), `${deep}x`);
      assert.equal(tokensToHtml(blocks.slice(2, 3)), '<p>After <strong>it</strong>.</p>\n');
    });
  }
});

const CASES: readonly [string, string, string][] = [
  ['a lone dash is not yet an underline that makes a heading', 'Text\n-', 'Text\n'],
  ['a lone number may become a list item', '1. a\n2', '1. a\n'],
  ['a list sign waits for its words', '- a\n- ', '- a\n'],
  ['a hash waits for its heading', 'Text\n\n## ', 'Text\n\n'],
  ['a table head waits for its rule', 'Text\n\n| a | b |', 'Text\n'],
  ['a whole table head waits too', 'Text\n\n| a | b |\n', 'Text\n'],
  ['a rule waits until it is whole', '| a | b |\n|--', ''],
  ['a row waits until it is whole', '| a |\n|---|\n| 1', '| a |\n|---|\n'],
  ['whole rows are shown', '| a |\n|---|\n| 1 |\n', '| a |\n|---|\n| 1 |\n'],
  ['open bold is bold already', 'so **very im', 'so **very im**'],
  ['bold that has just been opened is not shown', 'so **', 'so '],
  ['half of the closing sign is not shown', 'so **very*', 'so **very**'],
  ['open code is code already', 'call `foo(', 'call `foo(`'],
  ['stars inside code are left alone', 'call `a ** b', 'call `a ** b`'],
  ['a link shows its words while its address arrives', 'see [the docs](https://exa', 'see the docs'],
  ['a link shows its words while they arrive', 'see [the do', 'see the do'],
  ['a whole link is a link', 'see [a](b.ts) ', 'see [a](b.ts) '],
  ['half a closing fence is not code', '```ts\nlet a;\n``', '```ts\nlet a;\n'],
  ['signs inside a code block are code', '```sh\necho **', '```sh\necho **'],
  ['a table inside a code block is code', '```\n| a', '```\n| a'],
  ['plain text stays as it is', 'Hello, wor', 'Hello, wor'],
];

describe('What can be shown of unfinished markdown', () => {
  for (const [name, source, shown] of CASES) {
    it(name, () => assert.equal(presentable(source), shown));
  }
});
