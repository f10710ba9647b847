import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createReadFileTool } from '../../../../extension/tools/files/read-file.ts';
import { encodeWithBom } from '../../../support/encoded-text.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext, NO_OPEN_FILES } from '../../../support/tool-context.ts';

const MEGABYTE = 1024 * 1024;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

const readFileTool = createReadFileTool();

describe('read_file', () => {
  let workspace: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(() => workspace.dispose());

  const contextWith = (changes: Partial<ToolContext> = {}, roots = [workspace.path]): ToolContext =>
    createToolContext(roots, changes);
  const read = (args: Record<string, unknown>, context = contextWith()): Promise<ToolResult> =>
    readFileTool.execute(readFileTool.schema.parse(args), context);
  const textOf = ({ content, error }: ToolResult): string => {
    assert.equal(error, undefined);
    assert.equal(typeof content, 'string');
    return String(content);
  };
  const expectError = (result: ToolResult, type: string, message?: RegExp): void => {
    assert.equal(result.error?.type, type);
    if (message) assert.match(result.error?.message ?? '', message);
    assert.equal(result.content, '');
  };

  it('goes to the disk a few times only', async () => {
    await workspace.write({ 'src/a.txt': 'a' });
    let requests = 0;
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'FSREQPROMISE') requests++;
      },
    }).enable();
    try {
      assert.equal(textOf(await read({ file_path: 'src/a.txt' })), 'a');
    } finally {
      hook.disable();
    }
    // It is resolved, looked at, opened, checked, read and closed. Ignore files of a new folder take six more.
    assert.ok(requests <= 12, `${requests} requests`);
  });

  describe('text', () => {
    const cases: readonly [title: string, stored: string | Uint8Array, text: string][] = [
      ['plain text', 'a\nb\n', 'a\nb\n'],
      ['text without a last newline', 'a\nb', 'a\nb'],
      ['an empty file', '', ''],
      ['a lone newline', '\n', '\n'],
      ['CRLF, shown as LF', 'a\r\nb\r\n', 'a\nb\n'],
      ['old Mac line ends', 'a\rb\r', 'a\nb\n'],
      ['UTF-8 with a mark', encodeWithBom('ä\n', 'utf-8'), 'ä\n'],
      ['UTF-16 LE', encodeWithBom('ä🙂\n', 'utf-16le'), 'ä🙂\n'],
      ['UTF-16 BE', encodeWithBom('ä🙂\n', 'utf-16be'), 'ä🙂\n'],
      ['UTF-32 LE', encodeWithBom('ä🙂\n', 'utf-32le'), 'ä🙂\n'],
      ['UTF-32 BE', encodeWithBom('ä🙂\n', 'utf-32be'), 'ä🙂\n'],
    ];
    for (const [title, stored, text] of cases) {
      it(`returns ${title} whole`, async () => {
        await workspace.write({ 'a.txt': stored });
        const result = await read({ file_path: 'a.txt' });
        assert.equal(textOf(result), text);
        assert.deepEqual(result.display, { name: 'ReadFile', description: 'a.txt', resultSummary: '', result: null });
      });
    }
  });

  describe('ranges', () => {
    const lines = (from: number, to: number): string =>
      Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n');
    const NEXT = (line: number): string => ` To read on, call read_file with start_line ${line}.`;

    const cases: readonly {
      readonly total: number;
      readonly start?: number;
      readonly end?: number;
      readonly shown: readonly [number, number];
      readonly next?: number;
    }[] = [
      { total: 2001, shown: [1, 2000], next: 2001 },
      { total: 5321, start: 2001, shown: [2001, 4000], next: 4001 },
      { total: 5321, start: 4001, shown: [4001, 5321] },
      { total: 10, start: 3, end: 5, shown: [3, 5], next: 6 },
      { total: 10, end: 5, shown: [1, 5], next: 6 },
      { total: 10, start: 10, end: 99, shown: [10, 10] },
      { total: 6000, start: 1, end: 5000, shown: [1, 5000], next: 5001 },
    ];
    for (const { total, start, end, shown, next } of cases) {
      it(`lines ${start ?? ''}..${end ?? ''} of ${total}: ${shown.join('–')}`, async () => {
        await workspace.write({ 'a.txt': lines(1, total) });
        const result = await read({
          file_path: 'a.txt',
          ...(start === undefined ? {} : { start_line: start }),
          ...(end === undefined ? {} : { end_line: end }),
        });
        const [first, last] = shown;
        const notice = `[This is only part of the file: lines ${first}-${last} of ${total}.${next ? NEXT(next) : ''}]`;
        assert.equal(textOf(result), `${notice}\n\n${lines(first, last)}`);
        assert.equal(result.display?.resultSummary, `${first}–${last} of ${total}`);
      });
    }

    it('gives exactly 2000 lines without a notice', async () => {
      await workspace.write({ 'a.txt': `${lines(1, 2000)}\n` });
      assert.equal(textOf(await read({ file_path: 'a.txt' })), `${lines(1, 2000)}\n`);
    });

    it('takes an explicit range over the whole file for a full read', async () => {
      await workspace.write({ 'a.txt': `${lines(1, 3000)}\n` });
      const result = await read({ file_path: 'a.txt', start_line: 1, end_line: 3000 });
      assert.equal(textOf(result), `${lines(1, 3000)}\n`);
      assert.equal(result.display?.resultSummary, '');
    });

    it('says so when the start is past the end', async () => {
      await workspace.write({ 'a.txt': 'a\nb\n' });
      expectError(await read({ file_path: 'a.txt', start_line: 3 }), 'invalid_tool_params', /2 lines/);
    });

    it('cuts long lines, but not through a character', async () => {
      await workspace.write({ 'a.txt': `${'x'.repeat(2000)}\n${'y'.repeat(1999)}🙂🙂\n` });
      const [notice, , whole, cut] = textOf(await read({ file_path: 'a.txt' })).split('\n');
      assert.equal(notice, '[Lines longer than 2000 characters are cut.]');
      assert.equal(whole, 'x'.repeat(2000));
      assert.equal(cut, `${'y'.repeat(1999)}… [line cut]`);
    });
  });

  describe('arguments', () => {
    const wrong: readonly Record<string, unknown>[] = [
      {},
      { file_path: '' },
      { file_path: 1 },
      { file_path: 'a', start_line: 0 },
      { file_path: 'a', start_line: 1.5 },
      { file_path: 'a', end_line: -1 },
      { file_path: 'a', start_line: 5, end_line: 4 },
      { file_path: 'a', limit: 10 },
    ];
    for (const args of wrong) {
      it(`does not accept ${JSON.stringify(args)}`, () => {
        assert.equal(readFileTool.schema.safeParse(args).success, false);
      });
    }

    it('describes a call in one line, whatever the arguments', () => {
      const one = { roots: () => ['/work/app'], isTrusted: () => true };
      const two = { roots: () => ['/work/app', '/work/lib'], isTrusted: () => true };
      assert.equal(readFileTool.describe({ file_path: 'src/a.ts' }, one), 'src/a.ts');
      assert.equal(readFileTool.describe({ file_path: '/work/app/src/a.ts' }, one), 'src/a.ts');
      assert.equal(readFileTool.describe({ file_path: '/work/lib/a.ts' }, two), 'lib/a.ts');
      assert.equal(readFileTool.describe({ file_path: 'file:///work/app/a%20b.ts' }, one), 'a b.ts');
      assert.equal(readFileTool.describe({ file_path: 'file://%' }, one), 'file://%');
      assert.equal(readFileTool.describe({ file_path: '/etc/passwd' }, one), '/etc/passwd');
      assert.equal(readFileTool.describe({ file_path: 7 }, one), '');
      assert.equal(readFileTool.describe({}, one), '');
    });
  });

  describe('media', () => {
    const cases: readonly [name: string, bytes: Uint8Array, mimeType: string][] = [
      ['a.png', PNG, 'image/png'],
      ['a.pdf', Buffer.from('%PDF-1.7\n%%EOF'), 'application/pdf'],
      ['a.wav', Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), 'audio/wav'],
      ['a.mp4', Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), 'video/mp4'],
    ];
    for (const [name, bytes, mimeType] of cases) {
      it(`returns ${name} as ${mimeType}`, async () => {
        await workspace.write({ [name]: bytes });
        const { content, display } = await read({ file_path: name });
        assert.deepEqual(content, [{ inlineData: { data: Buffer.from(bytes).toString('base64'), mimeType } }]);
        assert.equal(display?.resultSummary, '');
      });
    }

    it('returns SVG as text, up to 1 MB', async () => {
      await workspace.write({ 'a.svg': '<svg/>', 'big.svg': ' '.repeat(MEGABYTE + 1) });
      assert.equal(textOf(await read({ file_path: 'a.svg' })), '<svg/>');
      expectError(await read({ file_path: 'big.svg' }), 'file_too_large', /1 MB/);
    });

    it('only names other binaries', async () => {
      await workspace.write({ 'a.bin': Buffer.from([0, 1, 2, 3]) });
      assert.match(textOf(await read({ file_path: 'a.bin' })), /^Cannot display .*binary file a\.bin/);
    });
  });

  describe('the editor', () => {
    it('shows unsaved text instead of what is on disk', async () => {
      await workspace.write({ 'a.ts': 'on disk' });
      const open = new Map([[join(workspace.path, 'a.ts'), 'in the editor']]);
      const context = contextWith({ files: { ...NO_OPEN_FILES, unsavedText: (path) => open.get(path) } });
      assert.equal(textOf(await read({ file_path: 'a.ts' }, context)), 'in the editor');
    });

    it('shows unsaved text of a file that was emptied or deleted', async () => {
      const context = contextWith({ files: { ...NO_OPEN_FILES, unsavedText: () => '' } });
      assert.equal(textOf(await read({ file_path: 'gone.ts' }, context)), '');
    });

    it('finds it when the folder was opened through a link', async () => {
      await workspace.write({ 'real/a.ts': 'on disk' });
      const opened = join(workspace.path, 'opened');
      await symlink('real', opened);
      const open = new Map([[join(opened, 'a.ts'), 'in the editor']]);
      const context = contextWith({ files: { ...NO_OPEN_FILES, unsavedText: (path) => open.get(path) } }, [opened]);
      assert.equal(textOf(await read({ file_path: 'a.ts' }, context)), 'in the editor');
    });

    it('does not show unsaved text of a hidden file', async () => {
      await workspace.write({ '.gitignore': '.env\n' });
      const context = contextWith({ files: { ...NO_OPEN_FILES, unsavedText: () => 'KEY=secret' } });
      expectError(await read({ file_path: '.env' }, context), 'invalid_tool_params', /\.gitignore/);
    });
  });

  it('names the root when several folders are open', async () => {
    const other = await createTempWorkspace({ 'src/b.ts': 'b' });
    try {
      const result = await read({ file_path: 'src/b.ts' }, contextWith({}, [workspace.path, other.path]));
      assert.equal(textOf(result), 'b');
      assert.equal(result.display?.description, `${basename(other.path)}/src/b.ts`);
    } finally {
      await other.dispose();
    }
  });
});
