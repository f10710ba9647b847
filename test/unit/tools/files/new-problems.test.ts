import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { EditorPort, EditorProblem } from '../../../../extension/ports/editor.ts';
import { addedProblems } from '../../../../extension/tools/files/edit-tool.ts';
import { createWriteFileTool } from '../../../../extension/tools/files/write-file.ts';
import { createEditWorkspace, type EditWorkspace } from '../../../support/edit-workspace.ts';

const problem = (message: string, changes: Partial<EditorProblem> = {}): EditorProblem => ({
  path: '/a.ts',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
  severity: 'error',
  message,
  source: 'ts',
  ...changes,
});

describe('New problems after an edit', () => {
  let files: EditWorkspace;

  beforeEach(async () => {
    files = await createEditWorkspace({ 'a.ts': 'old\n' });
  });
  afterEach(() => files.dispose());

  const messages = (before: EditorProblem[], after: EditorProblem[]): string[] =>
    addedProblems(before, after).map(({ message }) => message);

  it('are the ones that were not there, wherever the others moved', () => {
    const before = [problem('known'), problem('twice')];
    const after = [problem('known', { line: 9 }), problem('twice'), problem('twice', { line: 3 }), problem('new')];
    assert.deepEqual(messages(before, after), ['twice', 'new']);
    assert.deepEqual(messages([problem('x', { code: '1' })], [problem('x', { code: '2' })]), ['x']);
  });

  it('are errors and warnings only', () => {
    const after = (['error', 'warning', 'information', 'hint'] as const).map((severity) =>
      problem(severity, { severity }),
    );
    assert.deepEqual(messages([], after), ['error', 'warning']);
  });

  const editorWith = (after: () => Promise<readonly EditorProblem[]>): EditorPort => ({
    problems: () => [problem('known')],
    problemsAfterChange: after,
    symbols: () => Promise.resolve([]),
    definitions: () => Promise.resolve([]),
    references: () => Promise.resolve([]),
    rename: () => Promise.resolve({ files: [] }),
    openEditors: () => [],
  });
  const contentAfter = async (after: () => Promise<readonly EditorProblem[]>): Promise<string> => {
    const tool = createWriteFileTool({ editor: editorWith(after) });
    const result = await tool.execute({ file_path: 'a.ts', content: 'new\n' }, files.context());
    assert.equal(result.error, undefined);
    return String(result.content);
  };

  it('are part of the result, ten of them', async () => {
    const many = Array.from({ length: 12 }, (_, index) => problem(`p${index}`, { line: index + 1, code: '2304' }));
    const content = await contentAfter(() => Promise.resolve([problem('known'), ...many]));
    assert.match(content, /New problems in a\.ts:\n- line 1, error: p0 \(ts 2304\)\n/);
    assert.match(content, /- line 10, error: p9 \(ts 2304\)\n- and 2 more$/);
  });

  it('are not mentioned when there are none', async () => {
    assert.doesNotMatch(await contentAfter(() => Promise.resolve([problem('known')])), /problems/);
  });

  it('do not make an edit fail when the editor cannot say', async () => {
    assert.match(await contentAfter(() => Promise.reject(new Error('gone'))), /not known/);
    assert.equal(await files.text('a.ts'), 'new\n');
  });
});
