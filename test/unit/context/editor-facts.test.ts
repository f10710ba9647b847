import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { editorFacts } from '../../../extension/context/editor-facts.ts';
import type { OpenEditor } from '../../../extension/ports/editor.ts';
import { fakeEditor, openEditor, problem } from '../../support/fake-editor.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('What may be told of the editor', () => {
  let folder: TempWorkspace;
  before(async () => {
    folder = await createTempWorkspace({
      'web/.gitignore': 'build/\n',
      'web/a.ts': '',
      'web/b.ts': '',
      'web/.env': 'KEY=1',
      'web/build/out.js': '',
      'api/a.ts': '',
      'outside.ts': '',
      ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`web/many/${index}.ts`, ''])),
    });
  });
  after(() => folder.dispose());

  const at = (name: string): string => join(folder.path, name);
  const selection = { startLine: 1, endLine: 1, text: 'KEY=1' };

  function told(open: readonly OpenEditor[], recent: readonly string[] = [], roots = ['web']) {
    const workspace = { roots: () => roots.map(at), isTrusted: () => true };
    const editor = fakeEditor({ openEditors: () => open, problems: (path = '') => [problem(path, 1)] });
    return editorFacts(editor, workspace, recent.map(at));
  }

  it('is the active file with its problems, what is visible, and what is open, the last used first', async () => {
    const open = [
      openEditor(at('web/many/1.ts')),
      openEditor(at('web/many/2.ts')),
      openEditor(at('web/a.ts'), { isActive: true, isVisible: true, cursor: { line: 3, column: 1 } }),
      openEditor(at('web/b.ts'), { isVisible: true }),
    ];
    const facts = await told(open, ['web/many/2.ts', 'web/a.ts', 'web/many/1.ts']);
    assert.equal(facts.active?.label, 'a.ts');
    assert.deepEqual(facts.active?.cursor, { line: 3, column: 1 });
    assert.deepEqual(
      facts.active?.problems.map(({ line }) => line),
      [1],
    );
    assert.deepEqual(facts.visible, ['b.ts']);
    assert.deepEqual(facts.open, ['many/2.ts', 'many/1.ts']);
  });

  for (const name of ['web/.env', 'web/build/out.js']) {
    it(`is neither the name nor the text of ${name}`, async () => {
      const facts = await told([
        openEditor(at(name), { isActive: true, isVisible: true, selection }),
        openEditor(at(name)),
        openEditor(at('web/a.ts')),
      ]);
      assert.equal(facts.activeIsHidden, true);
      assert.equal(facts.active, undefined);
      assert.deepEqual([facts.visible, facts.open], [[], ['a.ts']]);
    });
  }

  it('is nothing of a file outside the workspace', async () => {
    const facts = await told([openEditor(at('outside.ts'), { isActive: true, isVisible: true, selection })]);
    assert.deepEqual(facts, { activeIsHidden: false, visible: [], open: [], severalFolders: false });
  });

  it('is at most ten open files', async () => {
    const { open } = await told(Array.from({ length: 12 }, (_, index) => openEditor(at(`web/many/${index}.ts`))));
    assert.equal(open.length, 10);
  });

  it('names files with their folder when there are several', async () => {
    const open = [openEditor(at('web/a.ts'), { isActive: true, isVisible: true }), openEditor(at('api/a.ts'))];
    const facts = await told(open, [], ['web', 'api']);
    assert.equal(facts.active?.label, 'web/a.ts');
    assert.deepEqual(facts.open, ['api/a.ts']);
    assert.equal(facts.severalFolders, true);
  });
});
