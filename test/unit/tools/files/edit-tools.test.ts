import assert from 'node:assert/strict';
import { chmod, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { withLf } from '../../../../extension/files/line-ends.ts';
import { decodeText } from '../../../../extension/files/text-codec.ts';
import { createEditWorkspace, type EditWorkspace } from '../../../support/edit-workspace.ts';
import { encodeWithBom } from '../../../support/encoded-text.ts';
import { createTempWorkspace } from '../../../support/temp-workspace.ts';
import { editCalls, expectError, replaceTool, textOf } from '../../../support/tool-results.ts';

describe('The tools that edit files', () => {
  let files: EditWorkspace;

  beforeEach(async () => {
    files = await createEditWorkspace();
  });
  afterEach(() => files.dispose());

  const { write, replace } = editCalls(() => files);

  describe('keep how a file is stored', () => {
    const cases: readonly [title: string, before: string | Uint8Array, after: string | Uint8Array][] = [
      ['LF', 'a\nold\nc\n', 'a\nnew\nc\n'],
      ['CRLF', 'a\r\nold\r\nc\r\n', 'a\r\nnew\r\nc\r\n'],
      ['a mixture of line ends', 'a\r\nb\nold\r\n', 'a\r\nb\nnew\r\n'],
      ['no last newline', 'a\nold', 'a\nnew'],
      ['UTF-8 with a mark', encodeWithBom('ä\r\nold\r\n', 'utf-8'), encodeWithBom('ä\r\nnew\r\n', 'utf-8')],
      ['UTF-16 LE', encodeWithBom('🙂\nold\n', 'utf-16le'), encodeWithBom('🙂\nnew\n', 'utf-16le')],
      ['UTF-16 BE', encodeWithBom('🙂\r\nold', 'utf-16be'), encodeWithBom('🙂\r\nnew', 'utf-16be')],
      ['UTF-32 LE', encodeWithBom('🙂\nold\n', 'utf-32le'), encodeWithBom('🙂\nnew\n', 'utf-32le')],
      ['UTF-32 BE', encodeWithBom('🙂\nold\n', 'utf-32be'), encodeWithBom('🙂\nnew\n', 'utf-32be')],
    ];
    for (const [title, before, after] of cases) {
      it(`${title}, in replace`, async () => {
        await files.write({ 'a.txt': before });
        textOf(await replace('a.txt', 'old', 'new'));
        assert.deepEqual(await files.bytes('a.txt'), Buffer.from(after));
      });

      it(`${title}, in write_file`, async () => {
        await files.write({ 'a.txt': before });
        textOf(await write('a.txt', withLf(decodeText(Buffer.from(after)).text)));
        assert.deepEqual(await files.bytes('a.txt'), Buffer.from(after));
      });
    }

    it('the line ends of lines that write_file leaves as they are', async () => {
      await files.write({ 'a.txt': 'a\r\nb\nc\r\nd\r\n' });
      textOf(await write('a.txt', 'a\nb\nnew\nd\n'));
      assert.equal(await files.text('a.txt'), 'a\r\nb\nnew\r\nd\r\n');
    });

    it('nothing of a mark the model adds', async () => {
      await files.write({ 'a.txt': 'a\n', 'b.txt': encodeWithBom('a\n', 'utf-8') });
      textOf(await write('a.txt', '\uFEFFb\n'));
      textOf(await write('b.txt', '\uFEFFb\n'));
      assert.equal(await files.text('a.txt'), 'b\n');
      assert.deepEqual(await files.bytes('b.txt'), Buffer.from(encodeWithBom('b\n', 'utf-8')));
    });

    it('the permissions of a file', async () => {
      await files.write({ 'run.sh': 'old\n' });
      await chmod(files.at('run.sh'), 0o755);
      textOf(await replace('run.sh', 'old', 'new'));
      assert.equal((await stat(files.at('run.sh'))).mode & 0o777, 0o755);
    });
  });

  describe('create files', () => {
    it('in folders that do not exist yet', async () => {
      const result = await write('src/deep/new.ts', 'export {};\n');
      assert.equal(textOf(result), 'Created src/deep/new.ts.');
      assert.equal(await files.text('src/deep/new.ts'), 'export {};\n');
      assert.deepEqual(result.display, {
        name: 'WriteFile',
        description: 'src/deep/new.ts',
        resultSummary: '+1 −0',
        result: {
          type: 'diff',
          path: 'src/deep/new.ts',
          beforeText: '',
          afterText: 'export {};\n',
          patch: '@@ -0,0 +1,1 @@\n+export {};',
        },
      });
    });

    it('with replace and an empty old_string, shown as a diff and taken back by a rewind', async () => {
      const result = await replace('new.txt', '', 'text\n');
      textOf(result);
      assert.equal(result.display?.result?.type, 'diff');
      assert.deepEqual(await files.rewind(), [{ path: files.at('new.txt'), kind: 'removed' }]);
      assert.deepEqual(await readdir(files.path), []);
    });

    it('not with replace where there is one', async () => {
      await files.write({ 'a.txt': 'a' });
      expectError(await replace('a.txt', '', 'b'), 'attempt_to_create_existing_file', /old_string/);
    });

    it('that are empty, and fill them', async () => {
      textOf(await write('empty.txt', ''));
      assert.equal(await files.text('empty.txt'), '');
      textOf(await write('empty.txt', 'now\n'));
      assert.equal(await files.text('empty.txt'), 'now\n');
    });
  });

  describe('tell the model', () => {
    it('what is in the file now, around the change', async () => {
      const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
      await files.write({ 'a.txt': `${lines.join('\n')}\n` });
      const text = textOf(await replace('a.txt', 'line 15', 'new 15'));
      assert.match(text, /^Replaced one place in a\.txt\.\n\n {3}10 {3}line 10\n/);
      assert.match(text, /\n {3}15 \+ new 15\n/);
      assert.match(text, /\n {3}20 {3}line 20$/);
    });

    it('where old_string was found more often', async () => {
      await files.write({ 'a.txt': 'x\ny\nx\n' });
      expectError(await replace('a.txt', 'x', 'z'), 'edit_expected_occurrence_mismatch', /2 times .*lines 1, 3/);
      const all = { file_path: 'a.txt', instruction: '', old_string: 'x', new_string: 'z', allow_multiple: true };
      assert.match(textOf(await files.run(replaceTool, all)), /^Replaced 2 places/);
      assert.equal(await files.text('a.txt'), 'z\ny\nz\n');
    });

    it('what is closest to an old_string that was not found, with the difference', async () => {
      await files.write({ 'a.ts': 'function a() {\n  const value = "one  two";\n  return value + 1;\n}\n' });
      const result = await replace('a.ts', 'const value = "one two";\n  return value + 2000000;', 'x');
      expectError(result, 'edit_no_occurrence_found');
      assert.equal(
        result.error?.message,
        'old_string was not found in a.ts. Nothing was written. The closest text, with "-" for lines of old_string and ' +
          '"+" for lines of the file:\n' +
          '-   | const·value·=·"one·two";\n' +
          '-   |   return value + 2000000;\n' +
          '+ 2 | ··const·value·=·"one··two";\n' +
          '+ 3 |   return value + 1;',
      );
    });

    it('when nothing is like it', async () => {
      await files.write({ 'a.ts': 'alpha\nbeta\n' });
      expectError(await replace('a.ts', 'some(quite, other);', 'x'), 'edit_no_occurrence_found', /Nothing in the file/);
    });

    it('that a near match was taken', async () => {
      await files.write({ 'a.ts': 'const total = computeTotal(items, prices);\n' });
      const text = textOf(await replace('a.ts', 'const total = computTotal(items, prices);', 'const total = 0;'));
      assert.match(text, /nearest text was taken, at line 1/);
    });

    it('that nothing would change', async () => {
      await files.write({ 'a.txt': 'a\r\nb\r\n' });
      expectError(await write('a.txt', 'a\nb\n'), 'edit_no_change');
      expectError(await replace('a.txt', 'a', 'a'), 'edit_no_change');
    });

    it('which file a wrong path may have meant, and uses none of them', async () => {
      await files.write({ 'src/lib/util.ts': 'old', 'other/util.ts': 'old', '.vscode/util.ts': 'old' });
      expectError(await replace('lib/util.ts', 'old', 'new'), 'file_not_found', /Did you mean src\/lib\/util\.ts\?/);
      expectError(
        await replace('util.ts', 'old', 'new'),
        'file_not_found',
        /mean other\/util\.ts or src\/lib\/util\.ts\?/,
      );
      expectError(await replace('none.ts', 'old', 'new'), 'file_not_found', /leave old_string empty/);
      assert.equal(await files.text('src/lib/util.ts'), 'old');
    });
  });

  it('write where a link inside the workspace leads', async () => {
    await files.write({ 'real.txt': 'old\n' });
    await symlink('real.txt', files.at('link.txt'));
    textOf(await replace('link.txt', 'old', 'new'));
    assert.equal(await files.text('real.txt'), 'new\n');
  });

  it('write plans into their folder', async () => {
    const plans = await createTempWorkspace();
    try {
      const session = { ...files.context().session, plansFolder: plans.path };
      const written: string[] = [];
      const writeFile = (path: string): Promise<void> => Promise.resolve(void written.push(path));
      textOf(await write(join(plans.path, 'plan.md'), '# Plan\n', { session, writeFile }));
      assert.deepEqual(written, [join(plans.path, 'plan.md')]);
    } finally {
      await plans.dispose();
    }
  });
});
