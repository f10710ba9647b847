import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { editorContext } from '../../extension/context/editor-context.ts';
import { editorFacts } from '../../extension/context/editor-facts.ts';
import type { ReviewEntry } from '../../extension/protocol/panel/panel-messages.ts';
import type { RewindPreview } from '../../extension/protocol/panel/sheets-to-panel.ts';
import {
  agentProblems,
  extensionProblem,
  hookProblems,
  serverProblems,
  skillProblem,
} from '../../extension/runtime/problems/file-problems.ts';
import { planRewind } from '../../extension/sessions/files/restore-plan.ts';
import { FILE_START } from '../../extension/text/text-range.ts';
import { createReadManyFilesTool } from '../../extension/tools/files/read-many-files.ts';
import { createEditorTools } from '../../extension/tools/product-tools.ts';
import { createGlobTool } from '../../extension/tools/search/glob.ts';
import { createGrepSearchTool } from '../../extension/tools/search/grep-search.ts';
import { problemsDetail } from '../../extension/vscode/context/problem-text.ts';
import { filesWords } from '../../extension/vscode/git/action-texts.ts';
import { restoredText } from '../../extension/vscode/rewind/rewind-preview.ts';
import { putBackWords } from '../../webview/rewind/rewind-words.ts';
import { totals } from '../../webview/shelf/changed-files-words.ts';
import { fakeEditor, openEditor } from '../support/fake-editor.ts';
import { callTool, RIPGREP_HOME } from '../support/search-tool.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { createToolContext } from '../support/tool-context.ts';

/** Everything that is counted here comes more than once from some file: as a match, an edit, an error, a link or a folder in a folder. */
describe('A count of files', () => {
  let workspace: TempWorkspace;

  before(async () => {
    workspace = await createTempWorkspace({
      'a.ts': 'old(old);\nold();\n',
      'inner/b.ts': 'old\n',
      '.gitignore': 'hidden.ts\n',
      'hidden.ts': 'old\n',
    });
    await mkdir(inside('links'));
    await symlink(inside('a.ts'), inside('links/a.ts'));
  });
  after(() => workspace.dispose());

  const inside = (name: string): string => join(workspace.path, name);
  const EDITS = {
    rename: () =>
      Promise.resolve({
        files: [
          { path: inside('a.ts'), before: 'old(old);\nold();\n', after: 'fresh(fresh);\nfresh();\n' },
          { path: inside('inner/b.ts'), before: 'old\n', after: 'fresh\n' },
        ],
      }),
    openEditors: () => [
      openEditor(inside('a.ts'), { isVisible: true }),
      openEditor(inside('links/a.ts')),
      openEditor(inside('inner/b.ts')),
    ],
  };
  const editorTools = createEditorTools(fakeEditor(EDITS));
  const tools = [
    ...editorTools,
    createGrepSearchTool(RIPGREP_HOME),
    createGlobTool(RIPGREP_HOME),
    createReadManyFilesTool(),
  ];
  async function card(name: string, args: Readonly<Record<string, unknown>>): Promise<string | null | undefined> {
    const tool = tools.find((each) => each.name === name);
    assert.ok(tool);
    const context = createToolContext([workspace.path, inside('inner')], {
      writeFile: (path, bytes) => writeFile(path, bytes ?? ''),
    });
    const { display, error } = await callTool(tool, args, context);
    assert.equal(error, undefined, error?.message);
    return display?.resultSummary;
  }

  const ERRORS = ['/w/one', '/w/one', '/w/two'].map((file, index) => ({
    file,
    line: index + 1,
    range: FILE_START,
    text: 'It is wrong.',
  }));
  const CHANGES = ['/w/one', '/w/one', '/w/two'].map((path, index) => ({
    path,
    before: `${index}`,
    after: `${index + 1}`,
  }));
  const entry = (label: string, style: ReviewEntry['style'], id: string): ReviewEntry => {
    return { id, label, style, isNew: false, added: 1, removed: 1 };
  };
  const preview = (): RewindPreview => {
    const files = planRewind(CHANGES, 0).map(({ path }) => ({
      path,
      label: path,
      kind: 'restore' as const,
      removes: false,
    }));
    return { messageId: 'm', text: '', turn: 1, turns: 1, calls: 3, grants: [], files, commands: [] };
  };
  const chip = async (): Promise<string | undefined> => {
    const roots = { roots: () => [workspace.path], isTrusted: () => true };
    return editorContext(await editorFacts(fakeEditor(EDITS), roots, []))?.label;
  };

  const rows: readonly [what: string, said: () => unknown, words: string][] = [
    ['a search for text', () => card('grep_search', { pattern: 'old' }), '3 matches in 2 files'],
    ['a search for names only', () => card('grep_search', { pattern: 'old', names_only: true }), '2 files'],
    ['a search for files', () => card('glob', { pattern: '**/*.ts' }), '2 files (1 more ignored)'],
    [
      'reading many',
      () =>
        card('read_many_files', {
          include: ['a.ts', '*.ts', 'links/a.ts', 'hidden.ts', './hidden.ts', 'x.ts', './x.ts'],
        }),
      '2 files, 2 skipped',
    ],
    ['the open editors', () => card('get_open_editors', {}), '2 files'],
    ['the chip of the editor', chip, '2 open files'],
    [
      'a rename',
      () => card('rename_symbol', { file_path: 'a.ts', line: 1, symbol: 'old', new_name: 'fresh' }),
      '2 files',
    ],
    [
      'the shelf',
      () =>
        totals([entry('a.ts', 'applied', '1'), entry('a.ts', 'proposed', '2'), entry('b.ts', 'applied', '3')]).files,
      '2 files',
    ],
    ['what a rewind would do', () => putBackWords(preview()), 'Restore 2 files'],
    [
      'what a rewind did',
      () => restoredText(planRewind(CHANGES, 0).map(({ path }) => ({ path, kind: 'restored' }))),
      '2 files were restored.',
    ],
    ['changes of Git', () => filesWords(CHANGES), '2 changed files'],
    [
      'problems of the editor',
      () => problemsDetail(ERRORS.map(({ file, line }) => ({ file, isError: line < 3 }))),
      '2 errors, 1 warning in 2 files',
    ],
    ['hooks', () => hookProblems(ERRORS)[0]?.title, '2 files with hooks have errors'],
    ['MCP servers', () => serverProblems(ERRORS)[0]?.title, '2 files with MCP servers have errors'],
    ['agents', () => agentProblems(ERRORS)[0]?.title, '2 agents are ignored'],
    ['skills', () => skillProblem(ERRORS).title, '2 skills have errors'],
    ['extensions', () => extensionProblem(ERRORS).title, '2 files of extensions have errors'],
    [
      'damaged settings',
      () => hookProblems(ERRORS.map((error) => ({ ...error, damaged: true })))[0]?.title,
      '2 settings files are invalid',
    ],
  ];
  for (const [what, said, words] of rows) {
    it(`is one of files, each once: ${what}`, async () => assert.equal(await said(), words));
  }
});
