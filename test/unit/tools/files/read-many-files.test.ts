import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createReadManyFilesTool } from '../../../../extension/tools/files/read-many-files.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const tool = createReadManyFilesTool();
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

describe('read_many_files', () => {
  let workspace: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(() => workspace.dispose());

  const read = (
    args: Record<string, unknown>,
    changes: Partial<ToolContext> = {},
    roots = [workspace.path],
  ): Promise<ToolResult> => tool.execute(tool.schema.parse(args), createToolContext(roots, changes));
  const textOf = ({ content, error }: ToolResult): string => {
    assert.equal(error, undefined, error?.message);
    assert.ok(Array.isArray(content));
    return content.map((part) => part.text ?? '[media]').join('');
  };
  const namesIn = (result: ToolResult): string[] =>
    [...textOf(result).matchAll(/^--- (.+) ---$/gm)].map(([, name = '']) => name).slice(0, -1);

  it('gives files in order, each after its path, with an end', async () => {
    await workspace.write({ 'b.ts': 'b\n', 'a.ts': 'a', 'c.md': 'c' });
    const result = await read({ include: ['*.ts'] });
    assert.equal(textOf(result), '--- a.ts ---\na\n--- b.ts ---\nb\n\n--- End of files ---');
    assert.equal(result.display?.resultSummary, '2 files');
    assert.deepEqual(result.display?.result, { type: 'text', text: 'a.ts\nb.ts' });
  });

  const cases: readonly [title: string, args: Record<string, unknown>, names: readonly string[]][] = [
    ['a pattern across folders', { include: ['src/**/*.ts'] }, ['src/a.ts', 'src/deep/b.ts']],
    ['a folder', { include: ['src'] }, ['src/a.ts', 'src/deep/b.ts', 'src/notes.md']],
    ['a folder without its folders', { include: ['src'], recursive: false }, ['src/a.ts', 'src/notes.md']],
    ['a file', { include: ['src/a.ts'] }, ['src/a.ts']],
    ['a file twice, once', { include: ['src/a.ts', 'src/*.ts'] }, ['src/a.ts']],
    ['a name with signs that patterns use', { include: ['app/[id].ts'] }, ['app/[id].ts']],
    ['alternatives', { include: ['{src,app}/*.ts'] }, ['app/[id].ts', 'src/a.ts']],
    ['less what is excluded', { include: ['src'], exclude: ['*.md', 'src/deep/**'] }, ['src/a.ts']],
    ['a start with ./', { include: ['./src/*.md'] }, ['src/notes.md']],
    ['everything but what is built or installed', { include: ['**/*.js'] }, ['top.js']],
    [
      'everything when asked to',
      { include: ['**/*.js'], useDefaultExcludes: false },
      ['dist/x.js', 'node_modules/m/i.js', 'top.js'],
    ],
    ['a built file by its name', { include: ['dist/x.js'] }, ['dist/x.js']],
  ];
  for (const [title, args, names] of cases) {
    it(`reads ${title}`, async () => {
      await workspace.write({
        'src/a.ts': 'a',
        'src/deep/b.ts': 'b',
        'src/notes.md': 'n',
        'app/[id].ts': 'i',
        'top.js': 't',
        'dist/x.js': 'x',
        'node_modules/m/i.js': 'm',
      });
      assert.deepEqual(namesIn(await read(args)), names);
    });
  }

  it('skips hidden and secret-looking files and says so, unless the user named them', async () => {
    await workspace.write({
      '.gitignore': '*.log\nout/\n',
      'a.log': 'l',
      'key.pem': 'k',
      'a.txt': 'a',
      'out/x.txt': 'x',
    });
    const result = await read({ include: ['*.{log,pem,txt}', 'out/**'] });
    assert.deepEqual(namesIn(result), ['a.txt']);
    assert.match(textOf(result), /a\.log is hidden by \.gitignore/);
    assert.match(textOf(result), /key\.pem looks like a file with secrets/);
    assert.match(textOf(result), /out is hidden by \.gitignore/);
    assert.equal(result.display?.resultSummary, '1 file, 3 skipped');
    const named = await read({ include: ['*.{log,pem}'] }, { isNamedByUser: (path) => path === 'a.log' });
    assert.deepEqual(namesIn(named), ['a.log']);
  });

  it('looks into ignored folders only when asked to, and only for files the user named', async () => {
    await workspace.write({ '.gitignore': 'out/\n', 'out/x.txt': 'x', 'out/y.txt': 'y' });
    const isNamedByUser = (path: string): boolean => path === 'out/x.txt';
    assert.deepEqual(namesIn(await read({ include: ['**/*.txt'] }, { isNamedByUser })), []);
    const options = { include: ['**/*.txt'], file_filtering_options: { respect_git_ignore: false } };
    assert.deepEqual(namesIn(await read(options, { isNamedByUser })), ['out/x.txt']);
  });

  it('reads nothing outside of the workspace', async () => {
    const outside = await createTempWorkspace({ 'secret.txt': 'secret' });
    try {
      await symlink(outside.path, join(workspace.path, 'link'));
      await symlink(join(outside.path, 'secret.txt'), join(workspace.path, 'a.txt'));
      for (const pattern of [`${outside.path}/*`, '../**', 'link/*', 'link', 'a.txt', '*.txt', '**']) {
        const result = await read({ include: [pattern] });
        assert.deepEqual(namesIn(result), [], pattern);
        assert.match(textOf(result), /No file was read\./);
      }
    } finally {
      await outside.dispose();
    }
  });

  it('includes media only where a pattern asks for it', async () => {
    await workspace.write({ 'a.png': PNG, 'b.dat': Buffer.from([0, 1]) });
    assert.match(textOf(await read({ include: ['*'] })), /- a\.png: image file.*\n- b\.dat: binary file/);
    for (const pattern of ['*.png', 'a.png', '*.{png,jpg}']) {
      assert.match(textOf(await read({ include: [pattern] })), /^--- a\.png ---\n\[media\]/);
    }
  });

  it('says what did not fit', async () => {
    const big = `${'x'.repeat(199)}\n`.repeat(1500);
    await workspace.write({ 'a.txt': big, 'b.txt': big, 'c.txt': 'c', 'long.md': 'l\n'.repeat(2001) });
    const result = await read({ include: ['*.txt'] });
    assert.deepEqual(namesIn(result), ['a.txt', 'c.txt']);
    assert.match(textOf(result), /- b\.txt: too much for one answer: read it with read_file/);
    assert.match(textOf(await read({ include: ['*.md'] })), /lines 1-2000 of 2001\. Read on .* start_line 2001/);
  });

  it('reads at most 200 files, and says so', async () => {
    await workspace.write(Object.fromEntries(Array.from({ length: 210 }, (_, index) => [`f${index}.txt`, 'x'])));
    const result = await read({ include: ['*.txt'] });
    assert.equal(namesIn(result).length, 200);
    assert.match(textOf(result), /Only 200 files were read; 10 more match\./);
  });

  it('looks in every open folder', async () => {
    const other = await createTempWorkspace({ 'src/b.ts': 'b' });
    try {
      await workspace.write({ 'src/a.ts': 'a' });
      const roots = [workspace.path, other.path];
      const [first, second] = roots.map((root) => basename(root));
      const both = namesIn(await read({ include: ['src/*.ts'] }, {}, roots));
      assert.deepEqual(both.sort(), [`${first}/src/a.ts`, `${second}/src/b.ts`].sort());
      assert.deepEqual(namesIn(await read({ include: [`${second}/src/*.ts`] }, {}, roots)), [`${second}/src/b.ts`]);
    } finally {
      await other.dispose();
    }
  });

  it('stops when it is told to', async () => {
    await workspace.write({ 'a.txt': 'a' });
    const result = await read({ include: ['**'] }, { signal: AbortSignal.abort() });
    assert.equal(result.error?.type, 'cancelled');
  });

  it('says where it is going to look', () => {
    const touched = tool.touches?.({ include: ['src/**/*.ts', '*.md', '/etc/*', 'a.txt'] });
    assert.deepEqual(touched, [
      { path: 'src', access: 'read' },
      { path: '.', access: 'read' },
      { path: '/etc', access: 'read' },
      { path: 'a.txt', access: 'read' },
    ]);
  });
});
