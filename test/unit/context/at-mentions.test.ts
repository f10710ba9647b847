import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { atMentions, looksLikePath } from '../../../extension/context/at-mentions.ts';

describe('What a text mentions with @', () => {
  const cases: readonly { text: string; names: readonly (readonly string[])[]; platform?: NodeJS.Platform }[] = [
    { text: 'Explain @notes.txt', names: [['notes.txt']] },
    { text: '@a.ts and @src/b.ts.', names: [['a.ts'], ['src/b.ts.', 'src/b.ts']] },
    {
      text: '(see @a.ts), "@b.ts": `@c.ts`',
      names: [
        ['a.ts),', 'a.ts'],
        ['b.ts":', 'b.ts'],
        ['c.ts`', 'c.ts'],
      ],
    },
    { text: '@my\\ file.txt now', names: [['my file.txt']] },
    { text: '@"my file.txt" now', names: [['my file.txt']] },
    { text: '@app/[id]/page.tsx', names: [['app/[id]/page.tsx', 'app/']] },
    { text: '@a.ts,@b.ts', names: [['a.ts'], ['b.ts']] },
    { text: '@a.ts @a.ts', names: [['a.ts']] },
    { text: '@docs:note://a', names: [['docs:note://a']] },
    { text: '@src\\app.ts', platform: 'win32', names: [['src\\app.ts']] },
    { text: '@../x @./', names: [['../x'], ['./']] },
    { text: 'ada@example.com, \\@a.ts, a@b', names: [] },
    { text: '@ @. @... @"" @{x.md}', names: [['{x.md}', '{x.md']] },
  ];
  for (const { text, names, platform = 'linux' } of cases) {
    it(`is ${JSON.stringify(names)} in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(
        atMentions(text, platform).map((mention) => mention.names),
        names,
      );
    });
  }

  it('is limited, and never throws', () => {
    const many = Array.from({ length: 999 }, (_, at) => `@x${at}`).join(' ');
    assert.equal(atMentions(many).length, 100);
    const odd = fc.string({ unit: fc.constantFrom('@', '\\', '"', ' ', '.', 'a', '/', ':', '(', '\n') });
    fc.assert(fc.property(odd, (text) => void atMentions(text)));
  });

  it('is worth a word only where it looks like a file', () => {
    for (const path of ['notes.txt', './bin', '../x', '/etc/hosts', 'src/a/b', '~/x'])
      assert.ok(looksLikePath(path), path);
    for (const word of ['Component', 'ada', 'scope/pkg', 'types/node', 'generalist'])
      assert.ok(!looksLikePath(word), word);
  });
});
