import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isOffered } from '../../../../extension/policy/gates.ts';
import type { EditorPort, EditorPosition } from '../../../../extension/ports/editor.ts';
import type { Tool, ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createEditorTools } from '../../../../extension/tools/product-tools.ts';
import { fakeEditor, latin1Document, openEditor, place, problem, symbol } from '../../../support/fake-editor.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext, NO_OPEN_FILES } from '../../../support/tool-context.ts';

describe('The tools that look through the editor', () => {
  let workspace: TempWorkspace;
  let outside: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace({
      'src/a.ts': 'const one = 1;\r\n\tuse(one, one2, one);\r\nfunction use() {}\r\n',
      'src/b.ts': 'one();\n',
      '.gitignore': 'secret.ts\nnode_modules/\n',
      'secret.ts': 'const password = 1;\n',
      'node_modules/lib/index.d.ts': 'export const lib: 1;\n',
    });
    outside = await createTempWorkspace({ 'lib.d.ts': 'export const far: 1;\n' });
  });
  afterEach(async () => {
    await workspace.dispose();
    await outside.dispose();
  });

  const inside = (name: string): string => join(workspace.path, name);
  const far = (): string => join(outside.path, 'lib.d.ts');
  const contextWith = (changes: Partial<ToolContext> = {}): ToolContext => createToolContext([workspace.path], changes);

  function toolNamed(name: string, knows: Partial<EditorPort> = {}): Tool {
    const tool = createEditorTools(fakeEditor(knows)).find((each) => each.name === name);
    assert.ok(tool, `there is no ${name}`);
    return tool;
  }
  function call(
    name: string,
    args: Record<string, unknown>,
    knows: Partial<EditorPort> = {},
    context = contextWith(),
  ): Promise<ToolResult> {
    const tool = toolNamed(name, knows);
    return tool.execute(tool.schema.parse(args), context);
  }
  async function textOf(answer: Promise<ToolResult>): Promise<string> {
    const { content, error } = await answer;
    assert.equal(error, undefined, error?.message);
    return String(content);
  }
  async function expectError(answer: Promise<ToolResult>, type: string, message: RegExp): Promise<void> {
    const { content, error } = await answer;
    assert.equal(error?.type, type, JSON.stringify({ content, error }));
    assert.match(error?.message ?? '', message);
  }

  it('are absent without an editor', () => {
    assert.deepEqual(createEditorTools(undefined), []);
  });

  it('exist in Restricted Mode, all but the one that changes files', () => {
    const tools = createEditorTools(fakeEditor());
    assert.deepEqual(
      tools
        .filter((tool) => !isOffered(tool, { roots: () => [], isTrusted: () => false }, 'default'))
        .map(({ name, kind }) => [name, kind]),
      [['rename_symbol', 'edit']],
    );
    assert.equal(tools.length, 6);
  });

  describe('get_diagnostics', () => {
    it('lists problems by file, errors first, with the line they are on', async () => {
      const problems = [
        problem(inside('src/b.ts'), 1, { severity: 'warning', message: 'Unused\n  at all' }),
        problem(inside('src/a.ts'), 2, { severity: 'hint' }),
        problem(inside('src/a.ts'), 1, { severity: 'warning' }),
        problem(inside('src/a.ts'), 3, { source: 'ts', code: '2304' }),
      ];
      const result = await call('get_diagnostics', {}, { problems: () => problems });
      assert.equal(
        result.content,
        [
          'src/a.ts',
          '  3:1  error: Wrong [ts 2304]',
          '      | function use() {}',
          '  1:1  warning: Wrong',
          '      | const one = 1;',
          '  2:1  hint: Wrong',
          '      | use(one, one2, one);',
          'src/b.ts',
          '  1:1  warning: Unused / at all',
          '      | one();',
        ].join('\n'),
      );
      assert.equal(result.display?.resultSummary, '4 problems');
    });

    it('omits what is less severe than asked for', async () => {
      const severities = ['error', 'warning', 'information', 'hint'] as const;
      const problems = severities.map((severity) => problem(inside('src/b.ts'), 1, { severity, message: severity }));
      const text = await textOf(call('get_diagnostics', { severity: 'warning' }, { problems: () => problems }));
      assert.deepEqual(
        [...text.matchAll(/: (\w+)$/gm)].map(([, severity]) => severity),
        ['error', 'warning'],
      );
    });

    it('shows 200 problems and says that there are more, errors never among those omitted', async () => {
      const many = Array.from({ length: 400 }, (_, index) =>
        problem(inside('src/b.ts'), 1, { severity: index === 399 ? 'error' : 'hint', message: `Number ${index}` }),
      );
      const text = await textOf(call('get_diagnostics', {}, { problems: () => many }));
      assert.match(text, /^src\/b\.ts\n {2}1:1 {2}error: Number 399\n/);
      assert.equal([...text.matchAll(/Number/g)].length, 200);
      assert.match(text, /Only the first 200 of 400 are shown\. Ask for one file/);
    });

    it('tells nothing about files outside the workspace and hidden ones, except how many', async () => {
      const problems = [
        problem(far(), 1, { message: 'About far' }),
        problem(inside('secret.ts'), 1, { message: 'About password' }),
      ];
      const text = await textOf(call('get_diagnostics', {}, { problems: () => problems }));
      assert.equal(
        text,
        [
          'The editor reports no problems.',
          '1 outside the workspace: not shown.',
          '1 in hidden files: not shown.',
        ].join('\n'),
      );
    });

    it('has the editor look at a file that is not open, and does not wait for one that is', async () => {
      const waited: string[] = [];
      const knows: Partial<EditorPort> = {
        problems: (path) => (path === inside('src/b.ts') ? [problem(path, 1)] : []),
        problemsAfterChange: async (path) => {
          waited.push(path);
          return [];
        },
      };
      assert.match(await textOf(call('get_diagnostics', { file_path: 'src/b.ts' }, knows)), /1:1 {2}error: Wrong/);
      assert.deepEqual(waited, [inside('src/b.ts')]);
      const files = { ...NO_OPEN_FILES, openDocument: () => latin1Document('as in the editor') };
      const text = await textOf(call('get_diagnostics', { file_path: 'src/b.ts' }, knows, contextWith({ files })));
      assert.match(text, /\| as in the editor$/);
      assert.equal(waited.length, 1);
    });

    it('does not promise that a file without a tab has no problems', async () => {
      const args = { file_path: 'src/b.ts' };
      assert.match(await textOf(call('get_diagnostics', args)), /no problems\. But src\/b\.ts has no tab/);
      const openEditors = (): ReturnType<EditorPort['openEditors']> => [openEditor(inside('src/b.ts'))];
      assert.match(await textOf(call('get_diagnostics', args, { openEditors })), /no problems\.$/);
    });
  });

  describe('paths', () => {
    const refusals: readonly [path: () => string, type: string, message: RegExp][] = [
      [() => far(), 'path_not_in_workspace', /leads outside/],
      [() => '../x.ts', 'path_not_in_workspace', /leads outside/],
      [() => 'secret.ts', 'invalid_tool_params', /secret\.ts is hidden by \.gitignore/],
      [() => '.git/config', 'file_not_found', /not found/],
      [() => 'missing.ts', 'file_not_found', /File not found: missing\.ts/],
      [() => 'src', 'target_is_directory', /src is a folder/],
    ];
    for (const [path, type, message] of refusals) {
      for (const [name, rest] of [
        ['get_diagnostics', {}],
        ['find_symbol', { query: 'x' }],
        ['go_to_definition', { line: 1, symbol: 'x' }],
        ['find_references', { line: 1, column: 1 }],
        ['rename_symbol', { line: 1, symbol: 'x', new_name: 'y' }],
      ] as const) {
        it(`${name} refuses ${type}: ${message.source}`, () =>
          expectError(call(name, { ...rest, file_path: path() }), type, message));
      }
    }

    it('a hidden file may be looked into when the user named it', async () => {
      const context = contextWith({ isNamedByUser: (path) => path === 'secret.ts' });
      const problems = (): ReturnType<EditorPort['problems']> => [problem(inside('secret.ts'), 1)];
      const text = await textOf(call('get_diagnostics', { file_path: 'secret.ts' }, { problems }, context));
      assert.match(text, /\| const password = 1;/);
    });

    it('are told to the gates', () => {
      assert.deepEqual(toolNamed('get_diagnostics').touches?.({}), []);
      assert.deepEqual(toolNamed('find_symbol').touches?.({ query: '', file_path: 'a' }), [
        { path: 'a', access: 'read' },
      ]);
      const args = { file_path: 'a', line: 1, symbol: 'x', new_name: 'y' };
      assert.deepEqual(toolNamed('find_references').touches?.(args), [{ path: 'a', access: 'read' }]);
      assert.deepEqual(toolNamed('rename_symbol').touches?.(args), [{ path: 'a', access: 'write' }]);
    });
  });

  describe('find_symbol', () => {
    it('lists symbols of the workspace with what they are', async () => {
      const asked: unknown[] = [];
      const symbols: EditorPort['symbols'] = async (query, path) => {
        asked.push([query, path]);
        return [
          symbol(inside('src/a.ts'), 3, { name: 'use' }),
          symbol(inside('node_modules/lib/index.d.ts'), 1, { name: 'useLib', kind: 'constant', container: 'lib' }),
          symbol(far(), 1, { name: 'useFar' }),
        ];
      };
      const text = await textOf(call('find_symbol', { query: ' use ' }, { symbols }));
      assert.deepEqual(asked, [['use', undefined]]);
      assert.equal(
        text,
        [
          'src/a.ts',
          '  3:1  function use',
          '      | function use() {}',
          'node_modules/lib/index.d.ts (hidden file: without its text)',
          '  1:1  constant useLib in lib',
          '1 outside the workspace: not shown.',
        ].join('\n'),
      );
    });

    it('gives the outline of a file for an empty query, and does not take one without a file', async () => {
      const asked: unknown[] = [];
      const symbols: EditorPort['symbols'] = async (query, path) => {
        asked.push([query, path]);
        return [];
      };
      const text = await textOf(call('find_symbol', { query: '', file_path: 'src/a.ts' }, { symbols }));
      assert.match(text, /knows no symbol in src\/a\.ts/);
      assert.deepEqual(asked, [['', inside('src/a.ts')]]);
      assert.equal(toolNamed('find_symbol').schema.safeParse({ query: ' ' }).success, false);
    });
  });

  describe('go_to_definition and find_references', () => {
    it('find the column of the name by themselves', async () => {
      const asked: EditorPosition[] = [];
      const definitions: EditorPort['definitions'] = async (at) => {
        asked.push(at);
        return [place(inside('src/a.ts'), 1, 7), place(far(), 1, 1)];
      };
      const args = { file_path: 'src/a.ts', line: 2, symbol: 'one' };
      assert.equal(
        await textOf(call('go_to_definition', args, { definitions })),
        'src/a.ts\n  1:7  const one = 1;\n1 outside the workspace: not shown.',
      );
      await call('go_to_definition', { ...args, column: 20 }, { definitions });
      await call('go_to_definition', { ...args, symbol: undefined, column: 7 }, { definitions });
      assert.deepEqual(
        asked.map(({ line, column }) => [line, column]),
        [
          [2, 6],
          [2, 17],
          [2, 7],
        ],
      );
    });

    const wrong: readonly [args: Record<string, unknown>, message: RegExp][] = [
      [{ line: 2, symbol: 'on' }, /"on" is not on line 2 .*use\(one, one2, one\);\nIt is nowhere in this file/],
      [{ line: 3, symbol: 'one' }, /"one" is not on line 3 .*\nIt is on line 2, 1\./],
      [{ line: 9, symbol: 'one' }, /has only 4 lines/],
      [{ line: 1, column: 99 }, /ends before column 99: const one = 1;/],
    ];
    for (const [args, message] of wrong) {
      it(`say what is wrong with ${JSON.stringify(args)}`, () =>
        expectError(call('find_references', { file_path: 'src/a.ts', ...args }), 'invalid_tool_params', message));
    }

    it('look at the text in the editor, not at the one on disk', async () => {
      const files = { ...NO_OPEN_FILES, openDocument: () => latin1Document('\n\n  unsaved') };
      const definitions: EditorPort['definitions'] = async (at) => [place(at.path, at.line, at.column)];
      const args = { file_path: 'src/a.ts', line: 3, symbol: 'unsaved' };
      assert.equal(
        await textOf(call('go_to_definition', args, { definitions }, contextWith({ files }))),
        'src/a.ts\n  3:3  unsaved',
      );
    });

    it('list references by file and line, without the declaration if asked', async () => {
      const declaration = place(inside('src/a.ts'), 1, 7);
      const knows: Partial<EditorPort> = {
        references: async () => [
          place(inside('src/b.ts'), 1, 1),
          place(inside('src/a.ts'), 2, 17),
          place(inside('src/a.ts'), 2, 6),
          declaration,
        ],
        definitions: async () => [declaration],
      };
      const args = { file_path: 'src/a.ts', line: 1, symbol: 'one' };
      const uses = ['  2:6  use(one, one2, one);', '  2:17  use(one, one2, one);', 'src/b.ts', '  1:1  one();'];
      assert.equal(
        await textOf(call('find_references', args, knows)),
        ['src/a.ts', '  1:7  const one = 1;', ...uses].join('\n'),
      );
      assert.equal(
        await textOf(call('find_references', { ...args, include_declaration: false }, knows)),
        ['src/a.ts', ...uses].join('\n'),
      );
    });

    it('list a place once that the editor knows by two names', async () => {
      await symlink(inside('src'), inside('link'));
      const definitions: EditorPort['definitions'] = async () => [
        place(inside('link/b.ts'), 1, 1),
        place(inside('src/b.ts'), 1, 1),
      ];
      const args = { file_path: 'src/b.ts', line: 1, symbol: 'one' };
      assert.equal(await textOf(call('go_to_definition', args, { definitions })), 'src/b.ts\n  1:1  one();');
    });

    it('need a symbol or a column', () => {
      for (const name of ['go_to_definition', 'find_references']) {
        assert.equal(toolNamed(name).schema.safeParse({ file_path: 'a', line: 1 }).success, false);
      }
    });

    it('name a file without its text when it is gone, too large or binary', async () => {
      await workspace.write({ 'bin.ts': Buffer.from([0, 1, 2]), 'huge.ts': 'x'.repeat(6 * 1024 * 1024) });
      await mkdir(inside('folder.ts'));
      const names = ['bin.ts', 'folder.ts', 'gone.ts', 'huge.ts'];
      const definitions: EditorPort['definitions'] = async () => names.map((name) => place(inside(name), 1, 1));
      const args = { file_path: 'src/b.ts', line: 1, symbol: 'one' };
      assert.equal(
        await textOf(call('go_to_definition', args, { definitions })),
        names.map((name) => `${name}\n  1:1`).join('\n'),
      );
    });
  });

  describe('get_open_editors', () => {
    it('tells what is open, active, unsaved and selected', async () => {
      const open = [
        openEditor(inside('src/a.ts'), {
          ...{ isActive: true, isVisible: true, isDirty: true, cursor: { line: 2, column: 3 } },
          selection: { startLine: 1, endLine: 2, text: 'one\r\ntwo' },
        }),
        openEditor(inside('src/b.ts')),
        openEditor(inside('secret.ts'), { selection: { startLine: 1, endLine: 1, text: 'password' }, isVisible: true }),
        openEditor(far()),
      ];
      assert.equal(
        await textOf(call('get_open_editors', {}, { openEditors: () => open })),
        [
          'src/a.ts (active, unsaved changes, cursor at 2:3, lines 1-2 selected)',
          '  | one',
          '  | two',
          'src/b.ts',
          'secret.ts (visible, lines 1-1 selected, hidden file: without its text)',
          '1 outside the workspace: not shown.',
        ].join('\n'),
      );
    });

    it('cuts a long selection, and a long list', async () => {
      const open = Array.from({ length: 60 }, (_, index) =>
        openEditor(inside(`${index}.ts`), { selection: { startLine: 1, endLine: 1, text: '#'.repeat(10_000) } }),
      );
      const result = await call('get_open_editors', {}, { openEditors: () => open });
      const text = String(result.content);
      assert.equal([...text.matchAll(/#/g)].length, 16_384);
      assert.match(text, /Selected text is cut after 16384 characters/);
      assert.match(text, /Only the first 50 of 60 open files are shown/);
      assert.equal(result.display?.resultSummary, '50 files');
    });

    it('says so when nothing is open', async () => {
      assert.equal(await textOf(call('get_open_editors', {})), 'No file of the workspace is open.');
    });
  });

  describe('failures', () => {
    const args = { file_path: 'src/b.ts', line: 1, symbol: 'one' };

    it('of the language support reach the model', () => {
      const definitions: EditorPort['definitions'] = () => Promise.reject(new Error('It did not answer in 10 s.'));
      return expectError(
        call('go_to_definition', args, { definitions }),
        'execution_failed',
        /could not answer: It did not answer in 10 s/,
      );
    });

    it('after Stop are a cancelled call', async () => {
      const stop = new AbortController();
      const definitions: EditorPort['definitions'] = (_at, signal) => {
        stop.abort();
        return Promise.reject(signal.reason);
      };
      const context = contextWith({ signal: stop.signal });
      await expectError(call('go_to_definition', args, { definitions }, context), 'cancelled', /cancelled/);
      await expectError(call('get_open_editors', {}, {}, context), 'cancelled', /cancelled/);
    });
  });

  it('describe a call in one line, whatever the arguments', () => {
    const { workspace: port } = contextWith();
    const texts: readonly [name: string, args: Record<string, unknown>, text: string][] = [
      ['get_diagnostics', {}, 'all files'],
      ['get_diagnostics', { file_path: inside('src/a.ts') }, 'src/a.ts'],
      ['find_symbol', { query: 'x' }, 'x'],
      ['find_symbol', { query: '', file_path: 'a.ts' }, 'outline in a.ts'],
      ['find_symbol', { query: 7 }, ''],
      ['go_to_definition', { file_path: 'a.ts', line: 3, symbol: 'x' }, 'x in a.ts:3'],
      ['find_references', { file_path: 'a.ts', line: 3, column: 1 }, 'a.ts:3'],
      ['find_references', {}, ''],
      ['rename_symbol', { file_path: 'a.ts', line: 3, symbol: 'x', new_name: 'y' }, 'x in a.ts:3 to y'],
      ['rename_symbol', { new_name: 1, line: 'x' }, ''],
      ['get_open_editors', { more: 1 }, ''],
    ];
    for (const [name, args, text] of texts) assert.equal(toolNamed(name).describe(args, port), text);
  });
});
