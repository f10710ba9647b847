import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';
import { z } from 'zod';
import type { EditorPort } from '../../extension/ports/editor.ts';
import { productTools } from '../../extension/tools/product-tools.ts';
import { fakeEditor, openEditor, problem, symbol } from '../support/fake-editor.ts';
import {
  ALLOW_EVERYTHING,
  type Attempt,
  contentsOf,
  type Obedient,
  useObedientModel,
} from '../support/obedient-model.ts';
import { toolParts } from '../support/tool-parts.ts';

type ArgsWith = (path: string) => Record<string, unknown>;

/** Every argument of every tool that leads to a file, with the rest of a call that would work. */
const PATH_ARGUMENTS: Readonly<Record<string, ArgsWith>> = {
  'read_file.file_path': (path) => ({ file_path: path }),
  'read_many_files.include': (path) => ({ include: [path] }),
  'list_directory.dir_path': (path) => ({ dir_path: dirname(path) }),
  'glob.dir_path': (path) => ({ pattern: '*', dir_path: dirname(path) }),
  'glob.pattern': (path) => ({ pattern: path }),
  'grep_search.dir_path': (path) => ({ pattern: 'hunter', dir_path: path }),
  'grep_search.include_pattern': (path) => ({ pattern: 'hunter', include_pattern: path }),
  'write_file.file_path': (path) => ({ file_path: path, content: 'pwned' }),
  'replace.file_path': (path) => ({ file_path: path, instruction: 'x', old_string: 'hunter2', new_string: 'pwned' }),
  'run_shell_command.dir_path': (path) => ({ command: 'pwd', dir_path: dirname(path) }),
  'exit_plan_mode.plan_filename': (path) => ({ plan_filename: path }),
  'get_diagnostics.file_path': (path) => ({ file_path: path }),
  'find_symbol.file_path': (path) => ({ query: 'hunter', file_path: path }),
  'go_to_definition.file_path': (path) => ({ file_path: path, line: 1, symbol: 'hunter2' }),
  'find_references.file_path': (path) => ({ file_path: path, line: 1, symbol: 'hunter2' }),
  'rename_symbol.file_path': (path) => ({ file_path: path, line: 1, symbol: 'hunter2', new_name: 'pwned' }),
};

/** Arguments with such a name that lead nowhere: what they say is only compared with what was found. */
const NO_PATHS = [
  'grep_search.pattern',
  'grep_search.exclude_pattern',
  'read_many_files.exclude',
  'read_many_files.useDefaultExcludes',
];

const READING = Object.keys(PATH_ARGUMENTS).filter((key) => !/^(run_shell|exit_plan)/.test(key));

const attempt = (key: string, path: string): Attempt => ({
  name: key.split('.')[0] ?? '',
  args: PATH_ARGUMENTS[key]?.(path) ?? {},
});

describe('reading stays where it belongs', () => {
  const suite = useObedientModel();
  /** What the model was told, all in all. */
  const leaked = (): string => JSON.stringify(suite.endpoint.requests.map(({ body }) => body.contents));

  it('is said here for every argument that names a file', () => {
    const named = productTools({ ...toolParts(), editor: fakeEditor() }).flatMap(({ name, schema }) =>
      Object.keys(z.toJSONSchema(schema, { io: 'input' }).properties ?? {})
        .filter((argument) => /path|filename|dir|folder|^include$|exclude|pattern|uri/i.test(argument))
        .map((argument) => `${name}.${argument}`),
    );
    assert.deepEqual(named.sort(), [...Object.keys(PATH_ARGUMENTS), ...NO_PATHS].sort());
  });

  for (const mode of ['yolo', 'default'] as const) {
    it(`leaves the workspace on no way (${mode})`, async () => {
      const world = await suite.obedient({
        approvalMode: mode,
        home: { ...ALLOW_EVERYTHING, 'outside/f.md': 'the hunter2\n' },
        files: { 'in/a.txt': 'nothing\n' },
        editor: tellTale(() => outside),
      });
      const outside = join(world.home.path, 'outside/f.md');
      await symlink(outside, join(world.root, 'f.md'));
      await symlink(dirname(outside), join(world.root, 'in/link'));
      const before = [await contentsOf(world.root), await contentsOf(world.home.path)];
      const ways = [
        outside,
        `../${outside.split('/').slice(2).join('/')}`,
        `in/../../${outside.split('/').slice(2).join('/')}`,
        'in/link/f.md',
        'f.md',
        pathToFileURL(outside).href,
        `${world.root}-evil/f.md`,
        `/proc/self/root${outside}`,
        `in/a.txt\0${outside}`,
        `@${outside}`,
      ];
      const sibling = `${world.root}-evil`;
      await mkdir(sibling);
      await writeFile(join(sibling, 'f.md'), 'the hunter2\n');
      const fates = await world.tries(
        ...Object.keys(PATH_ARGUMENTS).flatMap((key) => ways.map((path) => attempt(key, path))),
      );
      await world.ended();
      await rm(sibling, { recursive: true });
      const ran = fates.filter(({ end }) => end === 'ran' || end === 'asked').map(({ name, args }) => ({ name, args }));
      // Their results are empty; those of the others are errors.
      for (const { name } of ran)
        assert.match(name, /^(glob|grep_search|list_directory|read_many_files|run_shell_command)$/);
      assert.doesNotMatch(leaked(), /the hunter2/);
      assert.deepEqual([await contentsOf(world.root), await contentsOf(world.home.path)], before);
    });
  }

  it('follows no link that took the place of a folder between two calls', async () => {
    const world = await suite.obedient({
      approvalMode: 'yolo',
      home: { ...ALLOW_EVERYTHING, 'outside/f.md': 'the hunter2\n' },
      files: { 'in/deep/f.md': 'open\n' },
    });
    const reading = attempt('read_file.file_path', 'in/deep/f.md');
    const ends = async (): Promise<string[]> => (await world.tries(reading)).map(({ end }) => end);
    assert.deepEqual(await ends(), ['ran']);
    await world.ended();
    await rename(join(world.root, 'in/deep'), join(world.root, 'in/aside'));
    await symlink(join(world.home.path, 'outside'), join(world.root, 'in/deep'));
    assert.deepEqual(await ends(), ['path_not_in_workspace']);
    await world.ended();
    await world.tries(...Object.keys(PATH_ARGUMENTS).map((key) => attempt(key, 'in/deep/f.md')));
    await world.ended();
    assert.doesNotMatch(leaked(), /the hunter2/);
    assert.equal(await readFile(join(world.home.path, 'outside/f.md'), 'utf8'), 'the hunter2\n');
  });

  const HIDDEN = ['.env', 'keys/id_rsa', 'ignored.txt', 'kept-out.txt', '.git/config'];
  const files = {
    ...Object.fromEntries(HIDDEN.map((name) => [name, 'the hunter2\n'])),
    '.gitignore': 'ignored.txt\n',
    '.geminiignore': 'kept-out.txt\n',
    'open.txt': 'open\n',
  };
  const tryAll = async (world: Obedient, names: readonly string[]): Promise<string> => {
    await world.tries(...names.flatMap((name) => READING.map((key) => attempt(key, name))));
    await world.ended();
    await world.tries(
      { name: 'grep_search', args: { pattern: 'hunter2', context: 3 } },
      { name: 'read_many_files', args: { include: ['**/*', '**/.*'] } },
      { name: 'get_diagnostics', args: {} },
      { name: 'find_symbol', args: { query: 'hunter' } },
      { name: 'find_references', args: { file_path: 'open.txt', line: 1, symbol: 'open' } },
      { name: 'go_to_definition', args: { file_path: 'open.txt', line: 1, symbol: 'open' } },
      { name: 'get_open_editors', args: {} },
    );
    await world.ended();
    return leaked();
  };

  it('omits files that are ignored or look like secrets, on every way', async () => {
    const world = await suite.obedient({
      files,
      approvalMode: 'yolo',
      home: ALLOW_EVERYTHING,
      editor: tellTale(() => join(world.root, '.env')),
    });
    const before = await contentsOf(world.root);
    assert.doesNotMatch(await tryAll(world, HIDDEN), /the hunter2/);
    assert.deepEqual(await contentsOf(world.root), before);
  });

  it('reads them when the user names them, but never internal data of a repository', async () => {
    const world = await suite.obedient({ files });
    suite.endpoint.reply('Yes?');
    await world.session.send({ message: { content: [{ type: 'text', text: 'Look at .env and at .git/config.' }] } });
    await world.ended();
    const fates = await world.tries(
      ...['.env', '.git/config', 'ignored.txt'].map((path) => attempt('read_file.file_path', path)),
    );
    assert.deepEqual(
      fates.map(({ end }) => end),
      ['ran', 'invalid_tool_params', 'invalid_tool_params'],
    );
  });
});

/** An editor that knows of one file only, and tells everything about it. */
function tellTale(path: () => string): EditorPort {
  const at = { line: 1, column: 1, endLine: 1, endColumn: 4 };
  const selection = { startLine: 1, endLine: 1, text: 'the hunter2' };
  return fakeEditor({
    problems: () => [problem(path(), 1, { message: 'the hunter2' })],
    symbols: () => Promise.resolve([symbol(path(), 1)]),
    definitions: () => Promise.resolve([{ path: path(), ...at }]),
    references: () => Promise.resolve([{ path: path(), ...at }]),
    rename: () => Promise.resolve({ files: [{ path: path(), before: 'the hunter2\n', after: 'pwned\n' }] }),
    openEditors: () => [openEditor(path(), { isActive: true, selection })],
  });
}
