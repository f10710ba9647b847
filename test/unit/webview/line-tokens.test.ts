import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parserFor } from '../../../webview/highlight/languages.ts';
import { tokensFor } from '../../../webview/later/highlight.ts';
import { processorTime } from '../../support/processor-time.ts';
import { runs } from '../../support/test-size.ts';

/** Each line as "word:role", in order. */
function roles(language: string, ...lines: string[]): string[] {
  const tokens = tokensFor(language);
  assert.ok(tokens, language);
  return lines.map((line) =>
    tokens
      .next(line)
      .map(({ start, end, role }) => `${line.slice(start, end)}:${role}`)
      .join(' '),
  );
}

describe('The colours of code', () => {
  it('tell words that lead the way from words that declare, and types from values', () => {
    assert.deepEqual(roles('ts', 'export const a: Map<string> = await run(1); // why'), [
      'export:control const:keyword a:variable Map:type string:type await:control run:function 1:number // why:comment',
    ]);
  });

  it('tell a method from a type by the dot before it', () => {
    assert.deepEqual(roles('go', 'fmt.Println(Reader{})'), ['fmt:variable Println:function Reader:type']);
  });

  it('tell the keys of data from its texts', () => {
    assert.deepEqual(roles('json', '{"a": "b", "c": true}'), ['"a":property "b":string "c":property true:constant']);
    assert.deepEqual(roles('yaml', 'on: push'), ['on:property']);
  });

  it('continue in the next line with what a line has begun', () => {
    assert.deepEqual(roles('js', '/* one', 'two */ return'), ['/* one:comment', 'two */:comment return:control']);
    assert.deepEqual(roles('py', '"""one', '', 'two"""'), ['"""one:string', '', 'two""":string']);
  });

  it('are those of a change in a diff', () => {
    assert.deepEqual(roles('diff', '-old', '+new'), ['-old:deleted', '+new:inserted']);
  });

  it('know the languages by the names that fences use, in any case', () => {
    for (const name of ['TypeScript', 'tsx', 'sh', 'C++', 'c#', 'yml', 'Dockerfile', 'php', 'rs', 'sql', 'html']) {
      assert.ok(parserFor(name), name);
    }
    for (const name of ['', 'text', 'constructor', '__proto__']) assert.equal(parserFor(name), undefined, name);
  });

  it('leave a line alone that is too long to be code', () => {
    assert.deepEqual(roles('js', `let a = ${'[['.repeat(2000)}`, 'let b'), ['', 'let:keyword b:variable']);
  });

  it('take about as long for a hostile text as for any other', () => {
    const unit = ['((((', '"\\"\\', '/*', '`${', '<a b="', '{{%', "'''", '#{', '$$(', '\\\\\\', '&&&&', '====', 'aaaa'];
    const names =
      'ts js json py sh css scss less html xml yaml toml ini java c cpp cs php go rust ruby swift sql diff docker';
    const more = 'lua perl r ps1 hs clj groovy proto nginx cmake jl elm ml fs http kt scala dart objc';
    for (const name of `${names} ${more}`.split(' ')) {
      for (const piece of unit) {
        const tokens = tokensFor(name);
        const line = piece.repeat(runs(400, 1000) / piece.length);
        const took = processorTime(() => {
          for (let count = 0; count < 2; count++) tokens?.next(line);
        });
        assert.ok(took < 1000, `${name} took ${took} ms for 2 lines of ${piece}`);
      }
    }
  }).timeout(60_000);
});
