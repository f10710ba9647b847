import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { checkVisibility } from '../../../../extension/policy/ignore-rules.ts';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createGrepSearchTool } from '../../../../extension/tools/search/grep-search.ts';
import { callTool, expectError, RIPGREP_HOME, textOf } from '../../../support/search-tool.ts';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from '../../../support/temp-workspace.ts';
import { runs } from '../../../support/test-size.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const grepTool = createGrepSearchTool(RIPGREP_HOME);

const RUNS = runs(15, 100);

describe('grep_search and what is hidden', () => {
  let workspace: TempWorkspace;

  afterEach(() => workspace.dispose());

  /** Files with these names hold the word that is searched for. */
  const open = async (names: readonly string[], rules: WorkspaceFiles): Promise<void> => {
    workspace = await createTempWorkspace({ ...Object.fromEntries(names.map((name) => [name, 'needle\n'])), ...rules });
  };
  const grep = (args: Record<string, unknown> = {}, changes: Partial<ToolContext> = {}): Promise<ToolResult> =>
    callTool(grepTool, { pattern: 'needle', names_only: true, ...args }, createToolContext([workspace.path], changes));
  const found = async (args?: Record<string, unknown>, changes?: Partial<ToolContext>): Promise<string[]> => {
    const lines = textOf(await grep(args, changes)).split('\n');
    return lines.slice(lines.indexOf('---') + 1).filter((line) => !line.startsWith('No matches'));
  };

  it('follows ignore files of every folder, negations and all', async () => {
    await open(['a.ts', 'a.gen', 'keep.gen', 'out/x.ts', 'pkg/a.gen', 'pkg/tmp/b.ts', 'pkg/b.ts', 'pkg/out.ts'], {
      '.gitignore': '*.gen\n!keep.gen\n/out/\n',
      'pkg/.gitignore': '!a.gen\n/tmp\n',
      '.geminiignore': 'out.ts\n',
    });
    assert.deepEqual(await found(), ['a.ts', 'keep.gen', 'pkg/a.gen', 'pkg/b.ts']);
    assert.deepEqual(await found({ dir_path: 'pkg' }), ['pkg/a.gen', 'pkg/b.ts']);
  });

  it('lets .geminiignore hide what .gitignore shows, and the other way round', async () => {
    await open(['a.key', 'dist2/a.js', 'b.ts'], {
      '.gitignore': '!a.key\ndist2\n',
      '.geminiignore': '*.key\n!dist2\n',
    });
    assert.deepEqual(await found(), ['b.ts']);
  });

  it('knows no other ignore files: not of folders above, not .ignore, not of the home folder', async () => {
    await open(['root/a.ts', 'root/b.ts'], { '.gitignore': '*\n', 'root/.ignore': 'b.ts\n', 'root/.rgignore': '*\n' });
    const roots = [join(workspace.path, 'root')];
    const result = await callTool(grepTool, { pattern: 'needle' }, createToolContext(roots));
    assert.deepEqual(result.data, { matches: 2, files: 2, limited: false });
  });

  it('searches what Git ignores when told to, but neither secrets nor what the user keeps from the agent', async () => {
    const names = ['dist/a.js', 'node_modules/m/i.js', 'a.log', '.env', 'keys/id_rsa', '.git/config', 'private/a.ts'];
    await open([...names, 'a.ts'], { '.gitignore': 'dist\n.env\n', '.geminiignore': 'private\n' });
    assert.deepEqual(await found(), ['a.ts']);
    assert.deepEqual(await found({ no_ignore: true }), ['a.log', 'a.ts', 'dist/a.js', 'node_modules/m/i.js']);
    assert.deepEqual(await found({ no_ignore: true, dir_path: 'dist' }), ['dist/a.js']);
    assert.deepEqual(await found({ no_ignore: true, include_pattern: '**/*' }), [
      'a.log',
      'a.ts',
      'dist/a.js',
      'node_modules/m/i.js',
    ]);
  });

  const refused: readonly [args: Record<string, unknown>, message: RegExp][] = [
    [{ dir_path: 'dist' }, /hidden by \.gitignore\. Set no_ignore/],
    [{ dir_path: 'dist/a.js' }, /hidden by \.gitignore/],
    [{ dir_path: 'private' }, /hidden by \.geminiignore\. Continue without it/],
    [{ dir_path: 'private', no_ignore: true }, /hidden by \.geminiignore\. Continue without it/],
    [{ dir_path: '.env' }, /secrets/],
    [{ dir_path: '.env', no_ignore: true }, /secrets/],
    [{ dir_path: '.git' }, /Git's own data/],
    [{ dir_path: '.git/config', no_ignore: true }, /Git's own data/],
  ];
  for (const [args, message] of refused) {
    it(`refuses ${JSON.stringify(args)}`, async () => {
      const rules = { '.gitignore': 'dist\n', '.geminiignore': 'private\n' };
      await open(['dist/a.js', 'private/a.ts', '.env', '.git/config'], rules);
      expectError(await grep(args), 'invalid_tool_params', message);
    });
  }

  for (const dir_path of ['dist', 'dist/a.js', 'private/a.ts', '.env']) {
    it(`searches ${dir_path} when the user names it`, async () => {
      const rules = { '.gitignore': 'dist\n*.js\n', '.geminiignore': 'private\n' };
      await open(['dist/a.js', 'private/a.ts', '.env', '.git/config'], rules);
      const isNamedByUser = (name: string): boolean => name === dir_path;
      assert.deepEqual(await found({ dir_path }, { isNamedByUser }), [dir_path === 'dist' ? 'dist/a.js' : dir_path]);
    });
  }

  it('does not show hidden files of a folder because the user named the folder', async () => {
    await open(['src/a.ts', 'src/b.gen'], { '.gitignore': '*.gen\n' });
    assert.deepEqual(await found({ dir_path: 'src' }, { isNamedByUser: () => true }), ['src/a.ts']);
  });

  it('does not go into Git data inside a folder that the user named', async () => {
    await open(['.git/config'], {});
    expectError(await grep({ dir_path: '.git' }, { isNamedByUser: () => true }), 'invalid_tool_params', /Git's own/);
  });

  it('shows nothing where rules cannot be read, and does not wait for them', async () => {
    await open(['a.ts', 'sub/b.ts'], {});
    execFileSync('mkfifo', [join(workspace.path, '.gitignore')]);
    expectError(await grep(), 'invalid_tool_params', /rules in \.gitignore could not be checked/);
    expectError(await grep({ dir_path: 'sub' }), 'invalid_tool_params', /could not be checked/);
  });

  it('follows an ignore file that is a link', async () => {
    await open(['a.ts', 'hidden.ts'], { rules: 'hidden.ts\n' });
    await symlink('rules', join(workspace.path, '.geminiignore'));
    assert.deepEqual(await found(), ['a.ts']);
  });

  /** Names and patterns that meet often, so that rules really apply. */
  const name = fc.constantFrom('a', 'b', 'c.ts', 'd.gen', 'e e', '[x]');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const rule = fc
    .tuple(
      fc.boolean(),
      fc.boolean(),
      fc.oneof(path, fc.constantFrom('*', '*.gen', '**/b', 'a/**', '?', 'c.*')),
      fc.boolean(),
    )
    .map(([not, anchored, what, folder]) => `${not ? '!' : ''}${anchored ? '/' : ''}${what}${folder ? '/' : ''}`);
  const rules = fc.array(rule, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);
  const tree = fc.record({
    files: fc.array(path, { minLength: 1, maxLength: 12 }),
    root: rules,
    nested: fc.array(fc.tuple(path, rules), { maxLength: 2 }),
    gemini: rules,
    within: fc.option(path),
    everything: fc.boolean(),
  });

  it('never finds what checkVisibility hides, and everything it shows', async function () {
    // A search of its own for each tree.
    this.timeout(30_000 + RUNS * 2000);
    await fc.assert(
      fc.asyncProperty(tree, async ({ files, root, nested, gemini, within, everything }) => {
        const taken = prefixFree(files);
        const inFolders = nested.filter(
          ([folder]) => !taken.some((file) => file === folder || folder.startsWith(`${file}/`)),
        );
        await open(taken, {
          ...Object.fromEntries(inFolders.map(([folder, text]) => [`${folder}/.gitignore`, text])),
          '.gitignore': root,
          '.geminiignore': gemini,
        });
        const at = { realRoot: workspace.path };
        const visible: string[] = [];
        for (const relativePath of taken) {
          const verdict = await checkVisibility({ ...at, relativePath });
          if (!verdict.hidden) visible.push(relativePath);
          else if (everything && verdict.by === 'gitignore') visible.push(relativePath);
        }
        const place = within !== null && taken.some((file) => file.startsWith(`${within}/`)) ? within : undefined;
        const result = await grep({ no_ignore: everything, ...(place === undefined ? {} : { dir_path: place }) });
        if (result.error) {
          // The folder itself is hidden, and so is all that is in it.
          assert.equal(result.error.type, 'invalid_tool_params');
          assert.deepEqual(
            visible.filter((file) => file.startsWith(`${place}/`)),
            [],
          );
        } else {
          const lines = textOf(result).split('\n');
          const expected = visible.filter((file) => place === undefined || file.startsWith(`${place}/`));
          assert.deepEqual(lines.includes('---') ? lines.slice(lines.indexOf('---') + 1).sort() : [], expected.sort());
        }
        await workspace.dispose();
      }),
      { numRuns: RUNS },
    );
  });
});

/** Without paths that would have to be a file and a folder at once. */
function prefixFree(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other.startsWith(`${path}/`)));
}
