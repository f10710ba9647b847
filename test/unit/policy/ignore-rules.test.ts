import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { checkVisibility, type Visibility } from '../../../extension/policy/ignore-rules.ts';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from '../../support/temp-workspace.ts';

interface Case {
  readonly title: string;
  readonly rules: WorkspaceFiles;
  readonly hidden?: readonly string[];
  readonly visible?: readonly string[];
}

const CASES: readonly Case[] = [
  { title: 'no rules', rules: {}, visible: ['a.ts', 'src/a.ts', '.gitignore', '.github/x.yml', '..odd'] },
  {
    title: 'names at any depth',
    rules: { '.gitignore': '*.log\nbuild/\n# comment\n\n' },
    hidden: ['a.log', 'x/y/a.log', 'build/out.js', 'x/build/deep/out.js'],
    visible: ['a.log.txt', 'builder/a.js', 'build', 'comment'],
  },
  {
    title: 'anchored patterns',
    rules: { '.gitignore': '/top.txt\ndoc/*.txt\n' },
    hidden: ['top.txt', 'doc/a.txt'],
    visible: ['x/top.txt', 'x/doc/a.txt', 'doc/x/a.txt'],
  },
  {
    title: 'negation, later rules first',
    rules: { '.gitignore': '*.env\n!example.env\n' },
    hidden: ['prod.env', 'x/prod.env'],
    visible: ['example.env', 'x/example.env'],
  },
  {
    title: 'no way back out of an ignored folder',
    rules: { '.gitignore': 'out/\n!out/keep.txt\n', 'out/.gitignore': '!keep.txt\n' },
    hidden: ['out/keep.txt', 'out/other.txt'],
  },
  {
    title: 'all but a few',
    rules: { '.gitignore': '/*\n!/src/\n!/package.json\n' },
    hidden: ['a.ts', 'lib/a.ts'],
    visible: ['src/a.ts', 'package.json'],
  },
  {
    title: 'nested files, relative to their folder and stronger',
    rules: {
      '.gitignore': '*.gen.ts\n*.d\n',
      'pkg/.gitignore': '!keep.gen.ts\n/dist\nsub/x.ts\n*.tmp\n!x.d\n',
      'pkg/sub/.gitignore': 'late.ts\n',
    },
    hidden: [
      'a.gen.ts',
      'pkg/a.gen.ts',
      'keep.gen.ts',
      'pkg/dist/a.js',
      'pkg/sub/x.ts',
      'pkg/q/a.tmp',
      'pkg/sub/late.ts',
    ],
    visible: ['pkg/keep.gen.ts', 'dist/a.js', 'pkg/q/dist/a.js', 'sub/x.ts', 'a.tmp', 'pkg/late.ts', 'pkg/x.d/file'],
  },
  {
    title: 'nested files in folders with special names',
    rules: { 'a [b] #c!/.gitignore': '*.log  \n\\!odd\n\\#odd\n', 'a*/.gitignore': 'x.ts\n' },
    hidden: ['a [b] #c!/x.log', 'a [b] #c!/y/x.log', 'a [b] #c!/!odd', 'a [b] #c!/#odd', 'a*/x.ts'],
    visible: ['a b #c!/x.log', 'ab/x.ts'],
  },
  {
    title: 'CRLF and a byte order mark',
    rules: { '.gitignore': '\uFEFFa.txt\r\nb.txt\r\n' },
    hidden: ['a.txt', 'b.txt'],
  },
  {
    title: 'case counts where the file system says so',
    rules: { '.gitignore': 'Build\n' },
    hidden: ['Build/x'],
    visible: ['build/x'],
  },
  {
    title: '.git/info/exclude, weaker than .gitignore',
    rules: { '.git/info/exclude': 'private\n*.bak\n', '.gitignore': '!keep.bak\n' },
    hidden: ['private/x', 'a.bak'],
    visible: ['keep.bak'],
  },
];

describe('ignore rules', () => {
  let workspace: TempWorkspace;
  const see = (relativePath: string, isFolder = false): Promise<Visibility> =>
    checkVisibility({ realRoot: workspace.path, relativePath, isFolder });

  afterEach(() => workspace.dispose());

  for (const { title, rules, hidden = [], visible = [] } of CASES) {
    it(`follows Git: ${title}`, async () => {
      workspace = await createTempWorkspace(rules);
      for (const path of hidden) assert.ok((await see(path)).hidden, `${path} should be hidden`);
      for (const path of visible) assert.ok(!(await see(path)).hidden, `${path} should be visible`);
      assert.deepEqual(askGit(workspace.path, [...hidden, ...visible]), [...hidden], 'what Git itself says');
    });
  }

  it('keeps .geminiignore apart: it hides more and never shows what Git hides', async () => {
    workspace = await createTempWorkspace({
      '.gitignore': 'dist/\n!shown.key\n',
      '.geminiignore': '*.key\n!dist/\n!open.key\n',
      'sub/.geminiignore': 'only-the-root-counts.ts\n',
    });
    assert.deepEqual(await see('a.key'), { hidden: true, by: 'geminiignore', source: '.geminiignore' });
    assert.ok((await see('shown.key')).hidden);
    assert.deepEqual(await see('dist/a.js'), { hidden: true, by: 'gitignore', source: '.gitignore' });
    assert.ok(!(await see('open.key')).hidden);
    assert.ok(!(await see('sub/only-the-root-counts.ts')).hidden);
  });

  it('says which file has the rule', async () => {
    workspace = await createTempWorkspace({ 'pkg/.gitignore': 'x\n', '.git/info/exclude': 'y\n' });
    assert.deepEqual(await see('pkg/x'), { hidden: true, by: 'gitignore', source: 'pkg/.gitignore' });
    assert.deepEqual(await see('y'), { hidden: true, by: 'git_exclude', source: '.git/info/exclude' });
  });

  it('matches folder patterns for folders only', async () => {
    workspace = await createTempWorkspace({ '.gitignore': 'build/\n' });
    assert.ok((await see('build', true)).hidden);
    assert.ok(!(await see('build')).hidden);
    assert.ok(!(await see('', true)).hidden);
  });

  for (const path of ['.git', '.git/config', 'sub/.git/HEAD', '.GIT/config']) {
    it(`never shows ${path}`, async () => {
      workspace = await createTempWorkspace({ '.gitignore': '!.git\n' });
      assert.deepEqual(await see(path), { hidden: true, by: 'git_folder', source: '.git' });
    });
  }

  for (const path of ['/etc/passwd', '../x', './x', '..'])
    it(`never shows ${path}, which is not in the folder`, async () => {
      workspace = await createTempWorkspace({});
      assert.equal((await see(path)).hidden, true);
    });

  it('finds the exclude file of a linked worktree', async () => {
    workspace = await createTempWorkspace({
      'main/.git/info/exclude': 'private\n',
      'main/.git/worktrees/tree/commondir': '../..\n',
      'tree/.git': 'gitdir: ../main/.git/worktrees/tree\n',
    });
    const realRoot = join(workspace.path, 'tree');
    assert.ok((await checkVisibility({ realRoot, relativePath: 'private' })).hidden);
    assert.ok(!(await checkVisibility({ realRoot, relativePath: 'public' })).hidden);
  });

  it('follows an ignore file that is a link', async () => {
    workspace = await createTempWorkspace({ rules: 'secret\n' });
    await symlink('rules', join(workspace.path, '.geminiignore'));
    assert.ok((await see('secret')).hidden);
    assert.ok(!(await see('other')).hidden);
  });

  describe('hides everything when rules cannot be read', () => {
    const breakIt: readonly [title: string, source: string, make: (root: string) => Promise<void>][] = [
      ['a folder in place of .gitignore', '.gitignore', () => workspace.write({ '.gitignore/': '' })],
      ['a folder in place of .geminiignore', '.geminiignore', () => workspace.write({ '.geminiignore/': '' })],
      ['a named pipe', '.gitignore', async (root) => void execFileSync('mkfifo', [join(root, '.gitignore')])],
      ['a link to itself', '.geminiignore', (root) => symlink('.geminiignore', join(root, '.geminiignore'))],
      ['too many rules', '.gitignore', () => workspace.write({ '.gitignore': '#'.repeat(5 * 1024 * 1024) })],
    ];
    for (const [title, source, make] of breakIt) {
      it(title, async () => {
        workspace = await createTempWorkspace({ 'a.ts': '' });
        await make(workspace.path);
        assert.deepEqual(await see('a.ts'), { hidden: true, by: 'unreadable_rules', source });
      });
    }
  });
});

/** The paths Git ignores, asked of a repository in the same folder; the paths need not exist. */
function askGit(folder: string, paths: readonly string[]): string[] {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  execFileSync('git', ['init', '--quiet', '--template='], { cwd: folder, env });
  const input = paths.join('\0');
  const asked = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], { cwd: folder, env, input });
  // 1 means that none of them is ignored.
  assert.ok(asked.status === 0 || asked.status === 1, asked.stderr.toString());
  return asked.stdout
    .toString()
    .split('\0')
    .filter((path) => path !== '');
}
