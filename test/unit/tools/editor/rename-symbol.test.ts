import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { RenameOutcome } from '../../../../extension/ports/editor.ts';
import type { ProposedEdit, TextChange, ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import type { OpenDocument } from '../../../../extension/ports/workspace.ts';
import { createRenameSymbolTool } from '../../../../extension/tools/editor/rename-symbol.ts';
import { encodeWithBom } from '../../../support/encoded-text.ts';
import { fakeEditor, latin1Document } from '../../../support/fake-editor.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const ARGS = { file_path: 'a.ts', line: 1, symbol: 'old', new_name: 'fresh' };

describe('rename_symbol', () => {
  let workspace: TempWorkspace;
  let written: { readonly path: string; readonly change: TextChange | undefined }[];
  let documents: Map<string, OpenDocument>;

  beforeEach(async () => {
    workspace = await createTempWorkspace({
      'a.ts': 'old();\n',
      'b.ts': 'old + old\r\n',
      '.gitignore': 'hidden.ts\n',
      'hidden.ts': 'old\n',
    });
    written = [];
    documents = new Map();
  });
  afterEach(() => workspace.dispose());

  const inside = (name: string): string => join(workspace.path, name);
  const content = (name: string): Promise<string> => readFile(inside(name), 'utf8');

  function contextWith(changes: Partial<ToolContext> = {}): ToolContext {
    return createToolContext([workspace.path], {
      files: { unsavedText: () => undefined, openDocument: (path) => documents.get(path) },
      writeFile: async (path, bytes, change) => {
        assert.ok(bytes);
        written.push({ path, change });
        await writeFile(path, bytes);
      },
      ...changes,
    });
  }

  /** Replaces the word in these files, as they are on disk or in the editor now. */
  function toolFor(names: readonly string[], paths = names.map(inside)): ReturnType<typeof createRenameSymbolTool> {
    const rename = async (_at: unknown, newName: string): Promise<RenameOutcome> => ({
      files: await Promise.all(
        paths.map(async (path) => {
          const before = documents.get(path)?.text ?? (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
          return { path, before, after: before.replaceAll('old', newName) };
        }),
      ),
    });
    return createRenameSymbolTool(fakeEditor({ rename }));
  }

  async function propose(tool: ReturnType<typeof createRenameSymbolTool>): Promise<readonly ProposedEdit[]> {
    const outcome = await tool.propose?.(ARGS, contextWith());
    assert.ok(outcome && 'proposal' in outcome && outcome.proposal.kind === 'edit', JSON.stringify(outcome));
    return outcome.proposal.edits;
  }

  function expectError(result: ToolResult, type: string, message: RegExp): void {
    assert.equal(result.error?.type, type, JSON.stringify(result));
    assert.match(result.error?.message ?? '', message);
  }

  it('proposes every file with its text before and after, and changes nothing', async () => {
    assert.deepEqual(await propose(toolFor(['a.ts', 'b.ts'])), [
      { path: inside('a.ts'), label: 'a.ts', before: 'old();\n', after: 'fresh();\n' },
      { path: inside('b.ts'), label: 'b.ts', before: 'old + old\r\n', after: 'fresh + fresh\r\n' },
    ]);
    assert.deepEqual(written, []);
  });

  it('writes every file, with what it was worked out on', async () => {
    const result = await toolFor(['a.ts', 'b.ts']).execute(ARGS, contextWith());
    assert.equal(result.content, 'Renamed to "fresh". 2 files changed and saved:\n  a.ts\n  b.ts');
    assert.equal(result.display?.description, 'old in a.ts:1 to fresh');
    assert.deepEqual(written, [
      { path: inside('a.ts'), change: { expected: 'old();\n', text: 'fresh();\n' } },
      { path: inside('b.ts'), change: { expected: 'old + old\r\n', text: 'fresh + fresh\r\n' } },
    ]);
    assert.equal(await content('b.ts'), 'fresh + fresh\r\n');
  });

  it('writes what was said yes to, not what the editor would make of it now', async () => {
    const [edit] = await propose(toolFor(['a.ts']));
    assert.ok(edit);
    const approve = (edits: readonly ProposedEdit[], theirs?: string): Partial<ToolContext> => ({
      approved: {
        proposal: { kind: 'edit', edits },
        answer: { decision: 'once', ...(theirs !== undefined && { contents: { [edit.path]: theirs } }) },
      },
    });
    const other = toolFor(['b.ts']);
    await other.execute(ARGS, contextWith(approve([{ ...edit, after: 'shown\n' }])));
    assert.equal(await content('a.ts'), 'shown\n');
    assert.equal(await content('b.ts'), 'old + old\r\n');
    await writeFile(inside('a.ts'), 'old();\n');
    const result = await other.execute(ARGS, contextWith(approve([edit], 'mine\n')));
    assert.equal(await content('a.ts'), 'mine\n');
    assert.deepEqual(result.display?.result, {
      type: 'diff',
      path: 'a.ts',
      beforeText: 'old();\n',
      afterText: 'mine\n',
    });
  });

  it('leaves files out that the user took back, and says what the user made of the others', async () => {
    const edits = await propose(toolFor(['a.ts', 'b.ts']));
    const contents = { [edits[0]?.path ?? '']: edits[0]?.before ?? '', [edits[1]?.path ?? '']: 'mine\n' };
    const approved = { proposal: { kind: 'edit', edits }, answer: { decision: 'once', contents } } as const;
    const told = String((await toolFor([]).execute(ARGS, contextWith({ approved }))).content);
    assert.equal(await content('a.ts'), edits[0]?.before);
    assert.match(told, /1 file changed and saved:\n {2}b\.ts/);
    assert.match(told, /a\.ts was left as it was: the user did not want it changed/);
    assert.match(told, /b\.ts: The user changed your edit/);
    assert.equal(await content('b.ts'), 'mine\r\n');
  });

  it('is refused as a whole when it would change a file outside the workspace', async () => {
    const outside = await createTempWorkspace({ 'x.ts': 'old\n' });
    await symlink(outside.path, inside('link'));
    for (const path of [join(outside.path, 'x.ts'), inside('link/x.ts')]) {
      const tool = toolFor([], [inside('a.ts'), path]);
      expectError(await tool.execute(ARGS, contextWith()), 'path_not_in_workspace', /outside the workspace. Nothing/);
      const outcome = await tool.propose?.(ARGS, contextWith());
      assert.ok(outcome && 'failed' in outcome);
      expectError(outcome.failed, 'path_not_in_workspace', /outside the workspace/);
    }
    assert.deepEqual(written, []);
    await outside.dispose();
  });

  it('is refused as a whole when it would change a hidden file, or one file twice', async () => {
    const hidden = await toolFor(['a.ts', 'hidden.ts']).execute(ARGS, contextWith());
    expectError(hidden, 'invalid_tool_params', /change hidden\.ts\. hidden\.ts is hidden by \.gitignore/);
    await symlink(inside('b.ts'), inside('c.ts'));
    const twice = await toolFor(['b.ts', 'c.ts']).execute(ARGS, contextWith());
    expectError(twice, 'edit_preparation_failure', /b\.ts by two names/);
    assert.deepEqual(written, []);
  });

  it('is refused as a whole when one of the files was changed or removed after the proposal', async () => {
    const edits = await propose(toolFor(['a.ts', 'b.ts']));
    const context = contextWith({ approved: { proposal: { kind: 'edit', edits }, answer: { decision: 'once' } } });
    await writeFile(inside('b.ts'), 'old, edited by hand\n');
    const changed = await toolFor([]).execute(ARGS, context);
    expectError(changed, 'edit_preparation_failure', /b\.ts was changed in the meantime.*call rename_symbol again/);
    await rm(inside('b.ts'));
    expectError(await toolFor([]).execute(ARGS, context), 'edit_preparation_failure', /b\.ts was changed/);
    await symlink(inside('hidden.ts'), inside('b.ts'));
    expectError(await toolFor([]).execute(ARGS, context), 'path_not_in_workspace', /b\.ts may no longer be changed/);
    assert.deepEqual(written, []);
    assert.equal(await content('a.ts'), 'old();\n');
  });

  it('says which files were changed and which were not when writing fails half-way', async () => {
    await workspace.write({ 'c.ts': 'old\n' });
    const writeFailing: ToolContext['writeFile'] = (path) =>
      path.endsWith('b.ts') ? Promise.reject(new Error('disk full')) : Promise.resolve();
    const result = await toolFor(['a.ts', 'b.ts', 'c.ts']).execute(ARGS, contextWith({ writeFile: writeFailing }));
    expectError(
      result,
      'file_write_failure',
      /^b\.ts could not be written: disk full\nChanged: a\.ts\.\nNot changed: b\.ts, c\.ts\.$/,
    );
  });

  it('stops between two files, and says where it stopped', async () => {
    const stop = new AbortController();
    const writeFile = async (): Promise<void> => stop.abort();
    const context = contextWith({ writeFile, signal: stop.signal });
    const result = await toolFor(['a.ts', 'b.ts']).execute(ARGS, context);
    expectError(result, 'cancelled', /cancelled\.\nChanged: a\.ts\.\nNot changed: b\.ts\.$/);
  });

  it('keeps the byte order mark, and the encoding of an open document', async () => {
    await workspace.write({ 'a.ts': encodeWithBom('old ä\n', 'utf-8'), 'b.ts': Buffer.from('old \xe4\n', 'latin1') });
    documents.set(inside('b.ts'), latin1Document('old ä\n'));
    const result = await toolFor(['a.ts', 'b.ts']).execute(ARGS, contextWith());
    assert.equal(result.error, undefined);
    assert.deepEqual(new Uint8Array(await readFile(inside('a.ts'))), encodeToBytes('fresh ä\n'));
    assert.deepEqual(await readFile(inside('b.ts')), Buffer.from('fresh \xe4\n', 'latin1'));
  });

  it('does not touch bytes of an encoding nobody knows', async () => {
    await workspace.write({ 'b.ts': Buffer.from('old \xe4\n', 'latin1') });
    const result = await toolFor(['a.ts', 'b.ts']).execute(ARGS, contextWith());
    expectError(result, 'edit_preparation_failure', /b\.ts is neither valid UTF-8/);
    assert.deepEqual(written, []);
  });

  it('passes on why the editor cannot rename', async () => {
    const tool = createRenameSymbolTool(fakeEditor());
    const result = await tool.execute(ARGS, contextWith());
    expectError(result, 'edit_preparation_failure', /"old" was not renamed: The editor cannot rename/);
    const unchanged = await toolFor(['a.ts']).execute({ ...ARGS, new_name: 'old' }, contextWith());
    expectError(unchanged, 'edit_no_change', /changes nothing/);
  });

  const wrong: readonly Record<string, unknown>[] = [
    { ...ARGS, new_name: '' },
    { ...ARGS, new_name: ' ' },
    { ...ARGS, new_name: 'a\nb' },
    { ...ARGS, line: 0 },
    { ...ARGS, symbol: undefined },
    { ...ARGS, more: 1 },
  ];
  for (const args of wrong) {
    it(`does not accept ${JSON.stringify(args)}`, () => {
      assert.equal(toolFor([]).schema.safeParse(args).success, false);
    });
  }
});

function encodeToBytes(text: string): Uint8Array {
  return new Uint8Array(encodeWithBom(text, 'utf-8'));
}
