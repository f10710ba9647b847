import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { presentable } from '../../../webview/markdown/unfinished.ts';

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
