import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { contains } from '../../../extension/files/real-path.ts';
import { bubblewrapStart } from '../../../extension/sandbox/bubblewrap.ts';
import { makePolicy, mayWrite, type PolicyWish } from '../../../extension/sandbox/make-policy.ts';
import { Placeholders, removeLeft } from '../../../extension/sandbox/placeholders.ts';
import { findProtected, RecentlyFound } from '../../../extension/sandbox/protected-places.ts';
import { inOrder, type SandboxPolicy } from '../../../extension/sandbox/sandbox-policy.ts';
import { seatbeltProfile } from '../../../extension/sandbox/seatbelt.ts';
import { submodulesOf } from '../../../extension/sandbox/submodules.ts';
import { createTempRepository, type TempRepository } from '../../support/git-repository.ts';

describe('What a confined command may reach', () => {
  let repository: TempRepository;
  let placeholders: Placeholders;

  beforeEach(async () => {
    repository = await createTempRepository({ 'a.txt': '', '.vscode/settings.json': '{}', 'deep/er/.npmrc': '' });
    placeholders = new Placeholders();
  });
  afterEach(() => repository.dispose());

  const policyFor = (wish: Partial<PolicyWish> = {}) =>
    makePolicy(
      {
        roots: [repository.path],
        folders: [],
        readOnly: false,
        home: '/nowhere',
        secrets: [],
        environment: {},
        ...wish,
      },
      placeholders,
      findProtected,
    );

  it('is found once for all that is asked before a command, and anew for the next', async () => {
    let now = 0;
    const { find, findAgain } = new RecentlyFound(() => now);
    const first = find(repository.path);
    assert.equal(find(repository.path), first);
    assert.equal((await first).files.length, 1);
    await writeFile(join(repository.path, '.npmrc'), '');
    now = 20;
    assert.equal(find(repository.path), first);
    now = 30;
    assert.equal((await find(repository.path)).files.length, 2);
    await writeFile(join(repository.path, '.yarnrc.yml'), '');
    assert.equal((await findAgain(repository.path)).files.length, 3);
    assert.equal(
      (await find(repository.path)).files.length,
      3,
      'what was found before a command is forgotten after it',
    );
  });

  it('is the open folder without what decides what others run', async () => {
    const { places } = await policyFor();
    const cases: readonly [path: string, writable: boolean][] = [
      ['a.txt', true],
      ['new.txt', true],
      ['.git/index', true],
      ['.git/objects/ab/cd', true],
      ['.git/refs/heads/main', true],
      ['.git/config', false],
      ['.git/config.worktree', false],
      ['.git/commondir', false],
      ['.git/hooks/pre-commit', false],
      ['.git/info/attributes', false],
      ['.vscode/settings.json', false],
      ['.vscode/tasks.json', false],
      ['.gemini/settings.json', false],
      ['deep/er/.npmrc', false],
      ['../elsewhere', false],
    ];
    const actual = cases.map(([path]) => [path, mayWrite(join(repository.path, path), places)]);
    assert.deepEqual(actual, cases);
  });

  it('has the folders around protected files as places, which cannot be moved, and opens nothing with them', async () => {
    const { places } = await policyFor();
    const at = (access: 'read' | 'write'): readonly string[] =>
      places.filter((place) => place.access === access).map(({ path }) => path);
    const around = ['deep', 'deep/er'].map((folder) => join(repository.path, folder));
    assert.deepEqual(
      around.filter((folder) => !at('write').includes(folder)),
      [],
    );
    const opened = at('write').filter((path) => at('read').some((closed) => contains(closed, path)));
    assert.deepEqual(opened, []);
  });

  it('is a folder besides, without what is protected in it, and none that cannot be looked through', async () => {
    const other = await createTempRepository({ 'b.txt': '', '.vscode/settings.json': '{}' });
    const { places } = await policyFor({ folders: [other.path, join(other.path, 'b.txt')] });
    const actual = ['new', '.git/index', '.git/hooks/x', '.git/config', '.vscode/settings.json', 'b.txt'].map((path) =>
      mayWrite(join(other.path, path), places),
    );
    assert.deepEqual(actual, [true, true, false, false, false, false]);
    // Nobody works in it: nothing is put where something is missing.
    assert.deepEqual((await readdir(other.path)).sort(), ['.git', '.vscode', 'b.txt']);
    await placeholders.release((await policyFor({ folders: [other.path] })).placeholders);
    await other.dispose();
  });

  it('is nothing to change while a plan is made, and nothing is put anywhere', async () => {
    const before = await readdir(repository.path);
    const { places } = await policyFor({ readOnly: true });
    assert.equal(mayWrite(join(repository.path, 'a.txt'), places), false);
    assert.deepEqual(await readdir(repository.path), before);
  });

  it('is, in a worktree, what its repository has for it', async () => {
    const linked = join(repository.path, 'linked');
    repository.git('worktree', 'add', '--quiet', linked);
    const { places } = await policyFor({ roots: [linked] });
    const write = ['.git/objects/x', '.git/worktrees/linked/index', '.git/refs/heads/linked', 'linked/new.txt'];
    const read = ['.git/config', '.git/hooks/x', '.git/worktrees/linked/commondir', 'linked/.git', 'a.txt'];
    const may = (path: string): boolean => mayWrite(join(repository.path, path), places);
    assert.deepEqual([write.filter((path) => !may(path)), read.filter(may)], [[], []]);
  });

  it('does not grow by a file that claims to be a worktree', async () => {
    const other = join(repository.path, 'claims');
    await mkdir(other);
    await writeFile(join(other, '.git'), `gitdir: ${repository.path}/.git\n`);
    const { places } = await policyFor({ roots: [other] });
    assert.equal(mayWrite(join(repository.path, '.git/index'), places), false);
  });

  it('spares the submodules that are listed, however deep they are, and nothing outside', async () => {
    const at = (path: string): string => join(repository.path, path);
    const deep = 'a/b/c/d/e/f/g/h/i/j';
    const outside = `../${basename(repository.path)}-outside`;
    const listed = [
      deep,
      `${deep}/inner`,
      'quoted # name',
      'old',
      outside,
      'link',
      'not/there',
      '.vscode/old',
      '.',
      'a\0b',
      'x'.repeat(300),
      at(deep),
    ];
    for (const path of [...listed.slice(0, 4), outside]) await mkdir(at(`${path}/old`), { recursive: true });
    for (const path of [...listed.slice(0, 3), outside]) await writeFile(at(`${path}/.git`), 'gitdir: /nowhere\n');
    for (const path of ['old', '.vscode/old']) await mkdir(at(`${path}/.git/hooks`), { recursive: true });
    await symlink(outside, at('link'));
    await writeFile(at(`${deep}/.gitmodules`), '[submodule "inner"] path = inner\n');
    const entries = listed
      .filter((path) => !path.endsWith('inner'))
      .map((path) => `[submodule "x"]\n\tpath = "${path}"\n`);
    await writeFile(at('.gitmodules'), entries.join(''));
    const found = await submodulesOf(repository.path);
    assert.deepEqual(
      found.map(({ path, isFolder }) => [path, isFolder]).sort(),
      [deep, `${deep}/inner`, 'old', '.vscode/old', 'quoted # name']
        .map((path) => [at(`${path}/.git`), path.endsWith('old')])
        .sort(),
    );
    const { places } = await policyFor();
    const files = [
      `${deep}/.git`,
      `${deep}/inner/.git`,
      'quoted # name/.git',
      'old/.git/hooks/x',
      '.vscode/old/.git/x',
    ];
    assert.deepEqual(
      files.filter((path) => mayWrite(at(path), places)),
      [],
    );
    assert.ok(mayWrite(at(`${deep}/new.txt`), places));
    await rm(at(outside), { recursive: true });
  });

  it('names links in the place of protected files, which it cannot hold', async () => {
    await symlink('deep', join(repository.path, '.idea'));
    assert.deepEqual((await policyFor()).gaps, [join(repository.path, '.idea')]);
  });

  it('takes its placeholders away with the last command, and leaves what the user put there', async () => {
    const before = await readdir(repository.path);
    const [first, second] = await Promise.all([policyFor(), policyFor()]);
    await placeholders.release(first.placeholders);
    assert.ok((await readdir(repository.path)).includes('.gemini'));
    await writeFile(join(repository.path, '.gemini/mine.md'), 'mine');
    await placeholders.release(second.placeholders);
    assert.deepEqual((await readdir(repository.path)).sort(), [...before, '.gemini'].sort());
    assert.ok(!(await readdir(join(repository.path, '.git'))).includes('commondir'));
  });

  it('is cleaned of placeholders that a process left when it was killed, and of nothing else', async () => {
    const at = (name: string): string => join(repository.path, name);
    const record = join(repository.path, 'record');
    await mkdir(record);
    const { placeholders: left } = await policyFor();
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const save = (pid: number): Promise<void> =>
      writeFile(join(record, 'placeholders.json'), JSON.stringify({ pid, placeholders: left }));
    await save(process.pid);
    await removeLeft(record);
    assert.ok(existsSync(at('.gemini')), 'its process still runs');
    await writeFile(at('.gemini/mine.md'), 'mine');
    await writeFile(at('.git/config.worktree'), '[mine]');
    await save(ended);
    await removeLeft(record);
    const there = ['.gemini/mine.md', '.git/config.worktree', '.vscode', '.claude', '.git/commondir', 'record'];
    assert.deepEqual(
      there.filter((name) => existsSync(at(name))),
      ['.gemini/mine.md', '.git/config.worktree', '.vscode'],
    );
  });

  it('is written down whenever a placeholder is put, for whoever comes next', async () => {
    const noted: string[][] = [];
    const watched = new Placeholders(async (put) => void noted.push(put.map(({ path }) => path)));
    const wanted = [{ path: join(repository.path, '.idea'), kind: 'folder' }] as const;
    await watched.put(wanted);
    await watched.put(wanted);
    assert.deepEqual(noted, [[join(repository.path, '.idea')]]);
    await watched.release([...wanted, ...wanted]);
    assert.ok(!existsSync(wanted[0].path));
  });

  const policy: SandboxPolicy = {
    temp: '/own/tmp',
    places: [
      { path: '/home/me/work/.vscode', access: 'read', isFolder: true },
      { path: '/home/me/.ssh', access: 'none', isFolder: true },
      { path: '/home/me/.netrc', access: 'none', isFolder: false },
      { path: '/home/me/work', access: 'write', isFolder: true },
      { path: '/home/me/work/.vscode', access: 'write', isFolder: true },
    ],
  };

  it('is told to bubblewrap from the outside in, and the stricter place counts', () => {
    assert.deepEqual(
      inOrder(policy.places).map(({ path, access }) => `${access} ${path}`),
      ['none /home/me/.netrc', 'none /home/me/.ssh', 'write /home/me/work', 'read /home/me/work/.vscode'],
    );
    const options = { folder: '/home/me/work', emptyFile: '/own/empty', isFolder: () => true };
    assert.equal(
      bubblewrapStart('/usr/bin/bwrap', policy, options).join(' ').replace(/ --/g, '\n--'),
      `/usr/bin/bwrap
--unshare-net
--unshare-user
--unshare-pid
--unshare-ipc
--die-with-parent
--cap-drop ALL
--ro-bind / /
--dev /dev
--proc /proc
--tmpfs /run
--tmpfs /var/run
--ro-bind-try /run/current-system /run/current-system
--bind /own/tmp /tmp
--bind /own/tmp /var/tmp
--ro-bind /own/empty /home/me/.netrc
--tmpfs /home/me/.ssh
--bind /home/me/work /home/me/work
--ro-bind-try /home/me/work/.vscode /home/me/work/.vscode
--remount-ro /home/me/.ssh
--chdir /home/me/work
--`,
    );
  });

  it('has a network only where it joins one that is not ours', () => {
    const options = { folder: '/home/me/work', emptyFile: '/own/empty', isFolder: () => true };
    const route = { port: 4711, joins: { nsenter: '/usr/bin/nsenter', pid: 99 } };
    const start = bubblewrapStart('/usr/bin/bwrap', { ...policy, route }, options);
    assert.deepEqual(start.slice(0, 6), [
      '/usr/bin/nsenter',
      '--user=/proc/99/ns/user',
      '--net=/proc/99/ns/net',
      '--preserve-credentials',
      '--',
      '/usr/bin/bwrap',
    ]);
    assert.ok(!start.includes('--unshare-net'));
    assert.ok(
      bubblewrapStart('/usr/bin/bwrap', { ...policy, route: { port: 4711 } }, options).includes('--unshare-net'),
    );
    const network = (profile: string): string[] => profile.split('\n').filter((rule) => rule.includes('network'));
    assert.deepEqual(network(seatbeltProfile({ ...policy, route: { port: 4711 } })), [
      '(deny network*)',
      '(allow network-outbound (remote tcp "localhost:4711"))',
    ]);
    assert.deepEqual(network(seatbeltProfile(policy)), ['(deny network*)']);
  });

  it('is told to Seatbelt in rules of which the last one counts', () => {
    const rules = seatbeltProfile(policy).split('\n');
    assert.deepEqual(rules.slice(0, 2), ['(version 1)', '(allow default)']);
    const order = [
      '(deny network*)',
      '(deny file-write*)',
      '(allow file-write* (subpath "/own/tmp"))',
      '(deny file-read* file-write* (literal "/home/me/.netrc"))',
      '(deny file-read* file-write* (subpath "/home/me/.ssh"))',
      '(allow file-write* (subpath "/home/me/work"))',
      '(deny file-write* (subpath "/home/me/work/.vscode"))',
      '(deny file-write-unlink (literal "/home/me/work/.vscode"))',
    ].map((rule) => rules.indexOf(rule));
    assert.ok(!order.includes(-1), String(order));
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
  });
});
