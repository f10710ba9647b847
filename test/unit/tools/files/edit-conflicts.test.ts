import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Tool, ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createEditWorkspace, type EditWorkspace } from '../../../support/edit-workspace.ts';
import { LATIN1 } from '../../../support/open-documents.ts';
import { editCalls, expectError, replaceTool, textOf, writeFileTool } from '../../../support/tool-results.ts';

describe('The tools that edit files', () => {
  let files: EditWorkspace;

  beforeEach(async () => {
    files = await createEditWorkspace();
  });
  afterEach(() => files.dispose());

  const { write, replace } = editCalls(() => files);

  describe('with a file open in the editor', () => {
    it('edit the unsaved text, and save it', async () => {
      await files.write({ 'a.txt': 'on disk\n' });
      const document = await files.documents.open(files.at('a.txt'));
      document.type('old, unsaved\n');
      textOf(await replace('a.txt', 'old', 'new'));
      assert.equal(await files.text('a.txt'), 'new, unsaved\n');
      assert.equal(document.text, 'new, unsaved\n');
      assert.equal(document.isDirty, false);
    });

    it('take the encoding from the editor', async () => {
      await files.write({ 'a.txt': Buffer.from('caf\xe9 old\r\n', 'latin1') });
      await files.documents.open(files.at('a.txt'), LATIN1);
      textOf(await replace('a.txt', 'old', 'né'));
      assert.deepEqual(await files.bytes('a.txt'), Buffer.from('caf\xe9 n\xe9\r\n', 'latin1'));
    });

    it('go by the disk when the editor has not noticed a change yet', async () => {
      await files.write({ 'a.txt': 'stale\n' });
      await files.documents.open(files.at('a.txt'));
      await files.write({ 'a.txt': 'old\n' });
      textOf(await replace('a.txt', 'old', 'new'));
      assert.equal(await files.text('a.txt'), 'new\n');
    });

    it('say that the text could not be saved', async () => {
      await files.write({ 'a.txt': 'old\n' });
      (await files.documents.open(files.at('a.txt'))).canSave = false;
      expectError(await replace('a.txt', 'old', 'new'), 'file_write_failure', /could not save/);
    });

    it('write nothing when the user types at the same moment', async () => {
      await files.write({ 'a.txt': 'old\n' });
      const document = await files.documents.open(files.at('a.txt'));
      const { writeFile } = files.context();
      const late: ToolContext['writeFile'] = (...all) => {
        document.type('typed\n');
        return writeFile(...all);
      };
      const result = await write('a.txt', 'new\n', { writeFile: late });
      expectError(result, 'edit_preparation_failure', /Nothing was written/);
      assert.equal(document.text, 'typed\n');
      assert.equal(await files.text('a.txt'), 'old\n');
    });

    it('are taken back through the editor, to the unsaved text there was', async () => {
      await files.write({ 'a.txt': 'on disk\n' });
      const document = await files.documents.open(files.at('a.txt'));
      document.type('old, unsaved\n');
      textOf(await replace('a.txt', 'old', 'new'));
      document.isDirty = true;
      assert.deepEqual(await files.rewind(), [{ path: files.at('a.txt'), kind: 'restored' }]);
      assert.equal(document.text, 'old, unsaved\n');
    });

    it('can be taken back after the editor formatted the file while saving it', async () => {
      await files.write({ 'a.txt': 'old\n' });
      const document = await files.documents.open(files.at('a.txt'));
      document.onSave = (text) => text.toUpperCase();
      textOf(await replace('a.txt', 'old', 'new'));
      assert.equal(await files.text('a.txt'), 'NEW\n');
      assert.deepEqual(await files.rewind(), [{ path: files.at('a.txt'), kind: 'restored' }]);
      assert.equal(await files.text('a.txt'), 'old\n');
    });
  });

  describe('after approval', () => {
    const args = { file_path: 'a.txt', instruction: 'test', old_string: 'old', new_string: 'new' };
    const approved = async (
      tool: Tool,
      toolArgs: Record<string, unknown>,
      meanwhile: () => Promise<void>,
      theirs?: string,
    ): Promise<ToolResult> => {
      const proposal = await files.propose(tool, toolArgs);
      await meanwhile();
      const answer = {
        decision: 'once',
        ...(theirs !== undefined && { contents: { [files.at('a.txt')]: theirs } }),
      } as const;
      return files.run(tool, toolArgs, { approved: { proposal, answer } });
    };
    const nothing = (): Promise<void> => Promise.resolve();

    it('nothing was written before it', async () => {
      await files.write({ 'a.txt': 'old\n' });
      const proposal = await files.propose(replaceTool, args);
      assert.deepEqual(proposal, {
        kind: 'edit',
        edits: [{ path: files.at('a.txt'), label: 'a.txt', before: 'old\n', after: 'new\n' }],
      });
      assert.equal(await files.text('a.txt'), 'old\n');
    });

    it('write what was shown', async () => {
      await files.write({ 'a.txt': 'old\r\n' });
      textOf(await approved(replaceTool, args, nothing));
      assert.equal(await files.text('a.txt'), 'new\r\n');
    });

    it("write the user's version and tell the model how it differs", async () => {
      await files.write({ 'a.txt': 'one\r\nold\r\n' });
      const text = textOf(await approved(replaceTool, args, nothing, 'one\nnewer\n'));
      assert.equal(await files.text('a.txt'), 'one\r\nnewer\r\n');
      assert.match(text, /The user changed your edit/);
      assert.match(text, /-new\r?\n\+newer/);
    });

    it('tell what the editor made of it on save apart from what the user did', async () => {
      await files.write({ 'a.txt': 'old\n' });
      (await files.documents.open(files.at('a.txt'))).onSave = (text) => `// formatted\n${text}`;
      const result = await approved(replaceTool, args, nothing, 'mine\n');
      assert.match(
        textOf(result),
        /The user changed your edit.*-new\n\+mine.*The editor changed the file further.*\+\/\/ formatted/s,
      );
      assert.equal(result.display?.resultSummary, '+1 −1 · changed by you · changed on save');
      assert.equal(await files.text('a.txt'), '// formatted\nmine\n');
    });

    it('do nothing when the user made the file as it was', async () => {
      await files.write({ 'a.txt': 'old\n' });
      assert.match(textOf(await approved(replaceTool, args, nothing, 'old\n')), /is what it was/);
      assert.deepEqual(files.log, []);
    });

    it('make the same replacement in a text that changed elsewhere', async () => {
      await files.write({ 'a.txt': 'old\nrest\n' });
      textOf(await approved(replaceTool, args, () => files.write({ 'a.txt': 'old\nother\n' })));
      assert.equal(await files.text('a.txt'), 'new\nother\n');
    });

    it('make no other replacement than the one that was shown', async () => {
      await files.write({ 'a.txt': 'old old\n' });
      const all = { ...args, allow_multiple: true };
      const result = await approved(replaceTool, all, () => files.write({ 'a.txt': 'old\n' }));
      expectError(result, 'edit_preparation_failure', /read it again/);
      assert.equal(await files.text('a.txt'), 'old\n');
    });

    const changes: readonly [title: string, change: () => Promise<void>][] = [
      ['changed', () => files.write({ 'a.txt': 'mine\n' })],
      ['deleted', () => rm(files.at('a.txt'))],
    ];
    for (const [title, change] of changes) {
      it(`write nothing over a file that was ${title} meanwhile`, async () => {
        await files.write({ 'a.txt': 'old\n' });
        const result = await approved(writeFileTool, { file_path: 'a.txt', content: 'new\n' }, change);
        expectError(result, 'edit_preparation_failure', /Nothing was written/);
        assert.deepEqual(files.log, []);
      });
    }

    it('write nothing over a file that appeared meanwhile', async () => {
      const change = (): Promise<void> => files.write({ 'new.txt': 'mine\n' });
      const result = await approved(writeFileTool, { file_path: 'new.txt', content: 'new\n' }, change);
      expectError(result, 'edit_preparation_failure');
      assert.equal(await files.text('new.txt'), 'mine\n');
    });

    it('write nothing over a change in the very last moment', async () => {
      await files.write({ 'a.txt': 'old\n' });
      const { writeFile } = files.context();
      const late: ToolContext['writeFile'] = async (...all) => {
        await files.write({ 'a.txt': 'mine\n' });
        return writeFile(...all);
      };
      expectError(await write('a.txt', 'new\n', { writeFile: late }), 'edit_preparation_failure');
      assert.equal(await files.text('a.txt'), 'mine\n');
    });
  });
});
