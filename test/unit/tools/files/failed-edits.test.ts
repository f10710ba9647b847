import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createReplaceTool } from '../../../../extension/tools/files/replace.ts';
import { createEditWorkspace, type EditWorkspace } from '../../../support/edit-workspace.ts';

describe('Edits that fail again and again', () => {
  let files: EditWorkspace;

  beforeEach(async () => {
    files = await createEditWorkspace({ 'a.ts': 'const one = 1;\n', 'b.ts': 'const two = 2;\n' });
  });
  afterEach(() => files.dispose());

  it('get other advice with each failure of a file, until an edit matches', async () => {
    const tool = createReplaceTool();
    let calls = 0;
    const edit = async (file_path: string, old_string: string, new_string = 'const x = 1;'): Promise<string> => {
      const args = { file_path, instruction: 'Change it', old_string, new_string };
      const { error } = await files.run(tool, args, { callId: `call-${calls++}` });
      return error?.message ?? 'done';
    };
    assert.doesNotMatch(await edit('a.ts', 'nothing like it'), /in a row/);
    assert.doesNotMatch(await edit('b.ts', 'nothing like it'), /in a row/);
    assert.match(await edit('./a.ts', 'nothing like it'), /second edit of a\.ts in a row.*read_file/);
    assert.match(await edit('a.ts', 'nothing like it'), /number 3 of a\.ts.*Do not call replace with this text again/);
    assert.equal(await edit('a.ts', 'one = 1', 'one = 11'), 'done');
    assert.doesNotMatch(await edit('a.ts', 'nothing like it'), /in a row/);
  });

  it('count once for a call that is computed for the approval and for the write', async () => {
    const tool = createReplaceTool();
    const args = { file_path: 'a.ts', instruction: 'Change it', old_string: 'nothing like it', new_string: 'x' };
    for (let time = 0; time < 3; time++) {
      const { error } = await files.run(tool, args);
      assert.doesNotMatch(error?.message ?? '', /in a row/);
    }
  });
});
