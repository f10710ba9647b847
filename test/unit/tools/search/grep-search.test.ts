import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createGrepSearchTool } from '../../../../extension/tools/search/grep-search.ts';
import { encodeWithBom } from '../../../support/encoded-text.ts';
import { callTool, expectError, RIPGREP_HOME, textOf } from '../../../support/search-tool.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const grepTool = createGrepSearchTool(RIPGREP_HOME);

describe('grep_search', () => {
  let workspace: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(() => workspace.dispose());

  const contextWith = (changes: Partial<ToolContext> = {}, roots = [workspace.path]): ToolContext =>
    createToolContext(roots, changes);
  const grep = (args: Record<string, unknown>, context = contextWith()): Promise<ToolResult> =>
    callTool(grepTool, args, context);
  const filesOf = (result: ToolResult): string[] =>
    [...textOf(result).matchAll(/^File: (.*)$/gm)].map((match) => match[1] ?? '');
  const hitsOf = (result: ToolResult): string[] => [...textOf(result).matchAll(/^L\d+: .*$/gm)].map(([hit]) => hit);
  const numbered = (count: number, line = (n: number): string => `line ${n}`): string =>
    Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('');

  describe('what it says', () => {
    it('lists matches by file, with line numbers and a count', async () => {
      await workspace.write({
        'b.ts': 'tide\nx\nTide\n',
        'a/c.ts': 'no\nlow tide, high tide\n',
        'd.ts': 'tide 4\n',
        'e.ts': 'none',
      });
      const result = await grep({ pattern: 'tide' });
      const text = [
        'Found 4 matches in 3 files for "tide" in the workspace.',
        '---',
        'File: a/c.ts',
        'L2: low tide, high tide',
        'File: b.ts',
        'L1: tide',
        'L3: Tide',
        'File: d.ts',
        'L1: tide 4',
        '---',
      ].join('\n');
      assert.equal(textOf(result), text);
      assert.deepEqual(result.display, {
        name: 'SearchText',
        description: "'tide'",
        resultSummary: '4 matches in 3 files',
        result: { type: 'text', text },
      });
      assert.deepEqual(result.data, { matches: 4, files: 3, limited: false });
    });

    it('says that there is nothing', async () => {
      const result = await grep({ pattern: 'absent' });
      assert.equal(textOf(result), 'No matches for "absent" in the workspace.');
      assert.equal(result.display?.resultSummary, 'No matches');
    });

    for (const [matches, around] of [
      [1, 50],
      [2, 15],
      [3, 15],
      [4, 0],
    ] as const) {
      it(`shows ${around} lines around ${matches} of them`, async () => {
        await workspace.write({
          'a.txt': numbered(500, (n) => (n % 110 === 0 && n / 110 <= matches ? `needle ${n}` : `line ${n}`)),
        });
        const text = textOf(await grep({ pattern: 'needle' }));
        assert.equal([...text.matchAll(/^L\d+- /gm)].length, matches * around * 2);
        assert.equal(text.includes(`\nL${110 - around}- line ${110 - around}\nL`), around > 0);
        assert.ok(!text.includes(`L${110 - around - 1}-`));
      });
    }

    const contexts: readonly [args: Record<string, unknown>, lines: readonly string[]][] = [
      [{ context: 1 }, ['L4- line 4', 'L5: line 5', 'L6- line 6']],
      [{ before: 2 }, ['L3- line 3', 'L4- line 4', 'L5: line 5']],
      [{ after: 1 }, ['L5: line 5', 'L6- line 6']],
      [{ context: 0 }, ['L5: line 5']],
      [{ context: 2, after: 0 }, ['L3- line 3', 'L4- line 4', 'L5: line 5']],
    ];
    for (const [args, lines] of contexts) {
      it(`shows the context that is asked for: ${JSON.stringify(args)}`, async () => {
        await workspace.write({ 'a.txt': numbered(9) });
        const text = textOf(await grep({ pattern: 'line 5', ...args }));
        assert.deepEqual(text.split('\n').slice(3, -1), lines);
      });
    }

    it('gives names only', async () => {
      await workspace.write({ 'a.txt': 'x\nx\n', 'b.txt': 'x\n', 'c.txt': 'y\n' });
      const result = await grep({ pattern: 'x', names_only: true });
      assert.equal(textOf(result), 'Found 2 files with a match for "x" in the workspace.\n---\na.txt\nb.txt');
      assert.equal(result.display?.resultSummary, '2 files');
    });

    it('cuts long lines', async () => {
      await workspace.write({ 'a.txt': `needle${'x'.repeat(50_000)}\n` });
      const [hit = ''] = hitsOf(await grep({ pattern: 'needle' }));
      assert.equal(hit, `L1: needle${'x'.repeat(1994)}… [line cut]`);
    });

    it('omits a line of many megabytes and says so', async () => {
      await workspace.write({ 'big.js': `needle${'x'.repeat(17 * 1024 * 1024)}\n`, 'a.js': 'needle\n' });
      const result = await grep({ pattern: 'needle' });
      assert.deepEqual(filesOf(result), ['a.js']);
      assert.match(textOf(result), /\[1 very long line left out\.\]$/);
    });

    it('keeps a name on its line, whatever is in it', async () => {
      await workspace.write({ 'a\nFile: b.txt': 'needle', 'ü ñ 🙂.txt': 'needle', ' x .txt': 'needle' });
      assert.deepEqual(filesOf(await grep({ pattern: 'needle' })), [' x .txt', 'a\\nFile: b.txt', 'ü ñ 🙂.txt']);
    });
  });

  describe('what it finds', () => {
    const lines = ['foo(bar)', 'FOO', 'a.c', 'abc', '-e --pre=x', '$HOME', 'end;'];
    const cases: readonly [args: Record<string, unknown>, found: readonly string[]][] = [
      [{ pattern: 'foo' }, ['foo(bar)', 'FOO']],
      [{ pattern: 'foo', case_sensitive: true }, ['foo(bar)']],
      [{ pattern: 'a.c' }, ['a.c', 'abc']],
      [{ pattern: 'a.c', fixed_strings: true }, ['a.c']],
      [{ pattern: '(bar', fixed_strings: true }, ['foo(bar)']],
      [{ pattern: '-e' }, ['-e --pre=x']],
      [{ pattern: '--pre=x' }, ['-e --pre=x']],
      [{ pattern: '^a', exclude_pattern: 'B' }, ['a.c']],
      [{ pattern: '^a', exclude_pattern: 'B', case_sensitive: true }, ['a.c', 'abc']],
      [{ pattern: '.', exclude_pattern: '-|o|a', case_sensitive: true }, ['FOO', '$HOME', 'end;']],
      [{ pattern: 'end;$' }, ['end;']],
      [{ pattern: '\\$HOME' }, ['$HOME']],
    ];
    for (const lineEnd of ['\n', '\r\n']) {
      for (const [args, found] of cases) {
        it(`${JSON.stringify(args)} with ${JSON.stringify(lineEnd)}`, async () => {
          await workspace.write({ 'a.txt': `${lines.join(lineEnd)}${lineEnd}` });
          const result = await grep({ ...args, context: 0 });
          assert.deepEqual(
            hitsOf(result).map((hit) => hit.replace(/^L\d+: /, '')),
            found,
          );
        });
      }
    }

    it('reads UTF-16 and what is not valid UTF-8', async () => {
      await workspace.write({
        'utf16.txt': encodeWithBom('before\nneedle ä\n', 'utf-16le'),
        'latin.txt': Buffer.from('needle \xe4\n', 'latin1'),
      });
      assert.deepEqual(hitsOf(await grep({ pattern: 'needle' })), ['L1: needle \ufffd', 'L2: needle ä']);
    });

    it('leaves binary files out and says so', async () => {
      await workspace.write({ 'a.bin': Buffer.from('needle\n\0\0needle\n'), 'a.txt': 'needle\n' });
      const all = await grep({ pattern: 'needle' });
      assert.deepEqual(filesOf(all), ['a.txt']);
      const one = await grep({ pattern: 'needle', dir_path: 'a.bin' });
      assert.match(textOf(one), /^No matches.*\n\[1 binary file with matches left out\.\]$/);
    });

    const includes: readonly [args: Record<string, unknown>, found: readonly string[]][] = [
      [{ include_pattern: '*.ts' }, ['a.ts', 'pkg/lib/d.ts', 'pkg/src/b.ts']],
      [{ include_pattern: '*.{ts,js}' }, ['a.ts', 'pkg/lib/d.ts', 'pkg/src/b.ts', 'pkg/src/c.js']],
      [{ include_pattern: 'pkg/src/**' }, ['pkg/src/b.ts', 'pkg/src/c.js']],
      [{ include_pattern: './pkg/src/*.ts' }, ['pkg/src/b.ts']],
      [{ include_pattern: 'src/*.ts', dir_path: 'pkg' }, ['pkg/src/b.ts']],
      [{ include_pattern: 'pkg/src/*.ts', dir_path: 'pkg' }, ['pkg/src/b.ts']],
      [{ include_pattern: '*.log' }, ['e.log']],
      [{ dir_path: 'pkg/src' }, ['pkg/src/b.ts', 'pkg/src/c.js']],
      [{ dir_path: 'pkg/src/b.ts' }, ['pkg/src/b.ts']],
      [{ dir_path: 'build' }, ['build/f.ts']],
      [{}, ['.github/g.yml', 'a.ts', 'pkg/lib/d.ts', 'pkg/src/b.ts', 'pkg/src/c.js']],
    ];
    for (const [args, found] of includes) {
      it(`in ${JSON.stringify(args)}`, async () => {
        const names = ['a.ts', 'pkg/src/b.ts', 'pkg/src/c.js', 'pkg/lib/d.ts', 'e.log', 'build/f.ts', '.github/g.yml'];
        const left = ['node_modules/x/a.ts', 'pkg/node_modules/e.log', '.vscode/a.ts', '.git/a.ts'];
        await workspace.write(Object.fromEntries([...names, ...left].map((name) => [name, 'needle\n'])));
        assert.deepEqual(filesOf(await grep({ pattern: 'needle', context: 0, ...args })), found);
      });
    }

    it('searches all open folders, each file once, and says in which it is', async () => {
      const other = await createTempWorkspace({ 'a.ts': 'needle' });
      try {
        await workspace.write({ 'a.ts': 'needle', 'inner/b.ts': 'needle' });
        const roots = [workspace.path, join(workspace.path, 'inner'), other.path];
        const found = filesOf(await grep({ pattern: 'needle' }, contextWith({}, roots)));
        const names = [`${basename(workspace.path)}/a.ts`, 'inner/b.ts', `${basename(other.path)}/a.ts`];
        assert.deepEqual(found, names.sort());
      } finally {
        await other.dispose();
      }
    });

    it('searches folders that may be read besides, by their full path only', async () => {
      const saved = await createTempWorkspace({ 'output.txt': 'needle' });
      try {
        const context = contextWith({ readableFolders: [saved.path] });
        assert.deepEqual(filesOf(await grep({ pattern: 'needle' }, context)), []);
        const file = join(saved.path, 'output.txt');
        assert.deepEqual(filesOf(await grep({ pattern: 'needle', dir_path: file }, context)), [file]);
        assert.deepEqual(filesOf(await grep({ pattern: 'needle', dir_path: saved.path }, context)), [file]);
        expectError(await grep({ pattern: 'needle', dir_path: file }), 'path_not_in_workspace');
      } finally {
        await saved.dispose();
      }
    });

    it('follows no links and is not caught in a loop of them', async () => {
      const outside = await createTempWorkspace({ 'secret.txt': 'needle' });
      try {
        await workspace.write({ 'real/a.txt': 'needle' });
        await symlink(outside.path, join(workspace.path, 'out'));
        await symlink(join(outside.path, 'secret.txt'), join(workspace.path, 'secret.txt'));
        await symlink('.', join(workspace.path, 'real/loop'));
        await symlink('real', join(workspace.path, 'again'));
        assert.deepEqual(filesOf(await grep({ pattern: 'needle' })), ['real/a.txt']);
        assert.deepEqual(filesOf(await grep({ pattern: 'needle', dir_path: 'again' })), ['real/a.txt']);
        for (const dir_path of ['out', 'out/secret.txt', 'secret.txt', '..', outside.path])
          expectError(await grep({ pattern: 'needle', dir_path }), 'path_not_in_workspace');
      } finally {
        await outside.dispose();
      }
    });
  });

  describe('limits', () => {
    it('stops at a hundred matches and says that there are more', async () => {
      await workspace.write({ 'a.txt': numbered(60), 'b.txt': numbered(60) });
      const result = await grep({ pattern: 'line' });
      assert.equal(hitsOf(result).length, 100);
      assert.match(textOf(result), /^Found 100 matches in 2 files .*, limited to 100: there are more\.\n/);
      assert.match(textOf(result), /\[Narrow the pattern .* total_max_matches.*\]$/);
      assert.equal(result.display?.resultSummary, '100 matches in 2 files (limited)');
    });

    it('does not say so when there are no more', async () => {
      await workspace.write({ 'a.txt': numbered(100) });
      assert.match(
        textOf(await grep({ pattern: 'line' })),
        /^Found 100 matches in 1 file for "line" in the workspace\.\n/,
      );
    });

    const cases: readonly [args: Record<string, unknown>, hits: number, isLimited: boolean][] = [
      [{ total_max_matches: 7 }, 7, true],
      [{ max_matches_per_file: 2 }, 4, false],
      [{ max_matches_per_file: 2, total_max_matches: 3 }, 3, true],
      [{ max_matches_per_file: 2, exclude_pattern: 'line [12]$' }, 4, false],
      [{ exclude_pattern: 'line .*[02468]$', total_max_matches: 20 }, 20, true],
      [{ total_max_matches: 1_000_000 }, 120, false],
    ];
    for (const [args, hits, isLimited] of cases) {
      it(`${JSON.stringify(args)}: ${hits} matches`, async () => {
        await workspace.write({ 'a.txt': numbered(60), 'b.txt': numbered(60) });
        const result = await grep({ pattern: 'line', context: 0, ...args });
        assert.equal(hitsOf(result).length, hits);
        assert.equal(result.data?.['limited'], isLimited);
      });
    }

    it('is done with fifty thousand matches in many files before all are read', async () => {
      const files = Array.from({ length: 100 }, (_, index) => [`d${index % 10}/f${index}.txt`, numbered(500)] as const);
      await workspace.write(Object.fromEntries(files));
      const result = await grep({ pattern: 'line', total_max_matches: 50 });
      assert.equal(hitsOf(result).length, 50);
      assert.equal(result.data?.['limited'], true);
    });
  });

  describe('errors', () => {
    const cases: readonly [args: Record<string, unknown>, type: string, message: RegExp][] = [
      [
        { pattern: '(foo' },
        'grep_execution_error',
        /regular expression is not valid \(unclosed group\).*fixed_strings/,
      ],
      [{ pattern: '(?=x)' }, 'grep_execution_error', /look-around.*not supported/],
      [{ pattern: '(a{1000}){100000}' }, 'grep_execution_error', /exceeds size limit|too big/i],
      [{ pattern: 'a\nb' }, 'grep_execution_error', /literal "\\n" is not allowed.*Lines are searched one by one/],
      [{ pattern: 'a', exclude_pattern: '[' }, 'grep_execution_error', /exclude_pattern.*unclosed character class/],
      [{ pattern: 'a', include_pattern: '[a' }, 'grep_execution_error', /glob '\[a'.*unclosed character class/],
      [{ pattern: 'a', dir_path: 'missing' }, 'search_path_not_found', /missing/],
      [{ pattern: 'a', dir_path: '../x' }, 'path_not_in_workspace', /outside/],
      [{ pattern: 'a', dir_path: 'a\0b' }, 'invalid_tool_params', /NUL/],
    ];
    for (const [args, type, message] of cases) {
      it(`${JSON.stringify(args)}: ${type}`, async () => {
        await workspace.write({ 'a.txt': 'a' });
        expectError(await grep(args), type, message);
      });
    }

    it('says that no folder is open', async () => {
      expectError(await grep({ pattern: 'a' }, contextWith({}, [])), 'path_not_in_workspace', /No folder is open/);
    });

    it('says that ripgrep is missing', async () => {
      const tool = createGrepSearchTool({ assets: workspace.path });
      expectError(
        await callTool(tool, { pattern: 'a' }, contextWith()),
        'grep_execution_error',
        /ripgrep.* is missing/,
      );
    });

    it("uses the editor's ripgrep when its own is missing", async () => {
      await workspace.write({ 'a.txt': 'needle' });
      const editorRipgrep = join(RIPGREP_HOME.assets, process.platform === 'win32' ? 'rg.exe' : 'rg');
      const tool = createGrepSearchTool({ assets: join(workspace.path, 'none'), editorRipgrep });
      assert.deepEqual(filesOf(await callTool(tool, { pattern: 'needle' }, contextWith())), ['a.txt']);
    });

    for (const args of [{}, { pattern: '' }, { pattern: 'a', context: -1 }, { pattern: 'a', total_max_matches: 0 }]) {
      it(`does not accept ${JSON.stringify(args)}`, () => {
        assert.equal(grepTool.schema.safeParse(args).success, false);
      });
    }
  });

  it('describes a call in one line, whatever the arguments', () => {
    const one = { roots: () => ['/work/app'], isTrusted: () => true };
    assert.equal(grepTool.describe({ pattern: 'a b' }, one), "'a b'");
    assert.equal(
      grepTool.describe({ pattern: 'x', dir_path: '/work/app/src', include_pattern: '*.ts' }, one),
      "'x' in src (*.ts)",
    );
    assert.equal(grepTool.describe({ pattern: 1, dir_path: [] }, one), '');
    assert.equal(grepTool.describe({}, one), '');
  });

  it('names the path it touches', () => {
    assert.deepEqual(grepTool.touches?.({ pattern: 'a' }), []);
    assert.deepEqual(grepTool.touches?.({ pattern: 'a', dir_path: 'src' }), [{ path: 'src', access: 'read' }]);
  });
});
