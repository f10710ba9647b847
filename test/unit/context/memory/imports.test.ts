import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { processImports } from '@google/gemini-cli-core/dist/src/utils/memoryImportProcessor.js';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { expandImports, findImports } from '../../../../extension/context/memory/expand-imports.ts';
import { readBeginning } from '../../../../extension/files/read-beginning.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

describe('An import in a file with instructions', () => {
  let folder: TempWorkspace;
  beforeEach(async () => {
    folder = await createTempWorkspace();
  });
  afterEach(() => folder.dispose());

  const expand = (text: string) =>
    expandImports(text, join(folder.path, 'GEMINI.md'), (path) => readBeginning(path, 1000));

  const FOUND: readonly [string, readonly string[]][] = [
    ['@a.md', ['a.md']],
    ['See @./docs/a.md and\n@/etc/b.md', ['./docs/a.md', '/etc/b.md']],
    ['me@example.org, @1 and @-x', []],
    ['`@a.md` and ``x ` @b.md`` but @c.md', ['c.md']],
    ['```\n@a.md\n```\n@b.md', ['b.md']],
    ['one ` alone @a.md', ['a.md']],
  ];
  for (const [text, paths] of FOUND) {
    it(`is found in ${JSON.stringify(text)}: ${paths.join(', ') || 'none'}`, () => {
      assert.deepEqual(
        findImports(text).map(({ path }) => path),
        paths,
      );
    });
  }

  it('is looked for in one pass, whatever the text is made of', () => {
    const hostile = `${'`'.repeat(50_000)} @a.md ${Array.from({ length: 400 }, (_, n) => `${'`'.repeat(n)}x`).join('')}`;
    const begun = process.hrtime.bigint();
    findImports(hostile);
    assert.ok(process.hrtime.bigint() - begun < 1_000_000_000n);
  });

  it('is replaced by the file, and by what that imports', async () => {
    await folder.write({ 'docs/a.md': 'A, then @b.md', 'docs/b.md': 'B' });
    const { text, imported, faults } = await expand('Before @docs/a.md after');
    assert.equal(
      text,
      'Before <!-- From: docs/a.md -->\nA, then <!-- From: b.md -->\nB\n<!-- End of: b.md -->\n<!-- End of: docs/a.md --> after',
    );
    assert.deepEqual(imported, [join(folder.path, 'docs/a.md'), join(folder.path, 'docs/b.md')]);
    assert.deepEqual(faults, []);
  });

  it('is given once, whatever it is called and whoever imports it', async () => {
    await folder.write({ 'docs/a.md': 'A, then @b.md', 'docs/b.md': 'B', 'c.md': 'C' });
    await symlink('docs/b.md', join(folder.path, 'link.md'));
    const marks = '@docs/a.md @docs/b.md @./docs/../docs/b.md @link.md @c.md';
    const { text, faults } = await expandImports(
      marks,
      join(folder.path, 'GEMINI.md'),
      (path) => readBeginning(path, 1000),
      new Set([join(folder.path, 'c.md')]),
    );
    assert.deepEqual([text.match(/\bB\b/g)?.length, text.match(/\bC\b/g)], [1, null]);
    assert.deepEqual(
      [...text.matchAll(/Already given: (\S+)/g)].map(([, path]) => path),
      ['docs/b.md', './docs/../docs/b.md', 'link.md', 'c.md'],
    );
    assert.deepEqual(faults, []);
  });

  it('that leads back, is not there or is a URL leaves a comment and is reported with file and line', async () => {
    await folder.write({ 'a.md': 'A\n\n@GEMINI.md', 'GEMINI.md': '' });
    const { text, faults } = await expand('@a.md\n@missing.md @somebody\n@https://example.org/x.md');
    assert.match(text, /Not imported: GEMINI\.md \(it imports itself\)/);
    assert.match(text, /@somebody/);
    assert.deepEqual(
      faults.map(({ file, line, path, reason }) => [file.slice(folder.path.length + 1), line, path, reason]),
      [
        ['a.md', 3, 'GEMINI.md', 'cycle'],
        ['GEMINI.md', 2, 'missing.md', 'missing'],
        ['GEMINI.md', 3, 'https://example.org/x.md', 'outside'],
      ],
    );
  });

  it('goes five deep, and never blows up', async () => {
    const chain = Array.from({ length: 8 }, (_, n) => [`n${n}.md`, `${n} @n${n + 1}.md`] as const);
    const wide = Array.from({ length: 60 }, (_, n) => [`w${n}.md`, 'w'] as const);
    await folder.write(Object.fromEntries([...chain, ...wide]));
    const deep = await expand('@n0.md');
    assert.equal(deep.imported.length, 5);
    assert.deepEqual(
      deep.faults.map(({ reason }) => reason),
      ['depth'],
    );
    const blown = await expand(wide.map(([name]) => `@${name}`).join(' '));
    assert.ok(blown.imported.length <= 50 && blown.faults.some(({ reason }) => reason === 'count'));
  });

  it('is what Gemini CLI takes for one', async () => {
    const { error } = console;
    console.error = () => undefined;
    const token = fc.constantFrom(
      'word',
      '@a.md',
      '@./b.md',
      '@sub/c.md',
      '`@a.md`',
      '\n```\n@b.md\n```\n',
      'x@a.md',
      '\n',
    );
    const text = fc.array(token, { maxLength: 3 }).map((tokens) => tokens.join(' '));
    const alike = fc.assert(
      fc.asyncProperty(text, text, text, text, async (root, a, b, c) => {
        await folder.write({ 'a.md': a, 'b.md': b, 'sub/c.md': c });
        const file = join(folder.path, 'GEMINI.md');
        const state = { processedFiles: new Set([file]), maxDepth: 5, currentDepth: 0 };
        const theirs = await processImports(root, folder.path, false, state, folder.path, 'tree');
        const ours = await expand(root);
        // There a file is sent as often as it is imported.
        fc.pre(new Set(ours.lookedAt).size === ours.lookedAt.length);
        assert.equal(words(ours.text), words(theirs.content));
      }),
      { numRuns: 60 },
    );
    await alike.finally(() => {
      console.error = error;
    });
  });
});

/** Without what is said about the imports: that is worded differently. */
function words(text: string): string {
  return text.replace(/<!--.*?-->/g, ' ').replace(/\s+/g, ' ');
}
