import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { blockedPaths, mayBeOpened } from '../../../extension/sandbox/blocked-paths.ts';
import type { SandboxPlace } from '../../../extension/sandbox/sandbox-policy.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('What the sandbox kept a command from', () => {
  let temp: TempFolder;
  const at = (path: string): string => join(temp.path, path);

  before(async () => {
    temp = await tempFolder('blocked');
    for (const folder of ['ws/.vscode', 'home/.ssh', 'home/.cache/pip', 'other', 'temp'])
      await mkdir(at(folder), { recursive: true });
    await writeFile(at('other/file'), '');
    await symlink(at('other'), at('ws/link'));
  });
  after(() => temp.dispose());

  const look = async (...named: string[]) => {
    const place = (path: string, access: SandboxPlace['access']): SandboxPlace => ({
      path: at(path),
      access,
      isFolder: true,
    });
    const { paths, folders = [] } = await blockedPaths(named.map(at), {
      places: [place('ws', 'write'), place('ws/.vscode', 'read'), place('home/.ssh', 'none')],
      temps: [at('temp')],
      home: at('home'),
      secrets: [at('home/.ssh')],
    });
    const short = (path: string): string => path.slice(temp.path.length + 1);
    return { paths: paths.map(short), folders: folders.map(short) };
  };

  const cases: readonly [what: string, named: string[], paths: string[], folders: string[]][] = [
    ['nothing that it may change', ['ws/x', 'ws/deep/er/x', 'temp/x'], [], []],
    ['a file, in its folder', ['other/file'], ['other/file'], ['other']],
    ['a folder', ['other'], ['other'], ['other']],
    ['what is not there, in the nearest folder that is', ['other/a/b/c'], ['other/a/b/c'], ['other']],
    ['where a link leads', ['ws/link/x'], ['other/x'], ['other']],
    ['a cache', ['home/.cache/pip/x'], ['home/.cache/pip/x'], ['home/.cache/pip']],
    ['each folder once', ['other/x', 'other/y', 'other/x'], ['other/x', 'other/y'], ['other']],
    ['a protected file, which stays so', ['ws/.vscode/x'], ['ws/.vscode/x'], []],
    ['a secret, which stays so', ['home/.ssh/config'], ['home/.ssh/config'], []],
    ['the home folder, which is too much', ['home/x'], ['home/x'], []],
    [
      'no more than a card can show',
      ['other/1', 'other/2', 'other/3', 'other/4'],
      ['other/1', 'other/2', 'other/3'],
      ['other'],
    ],
  ];
  for (const [what, named, paths, folders] of cases) {
    it(what, async () => {
      assert.deepEqual(await look(...named), { paths, folders });
    });
  }
});

describe('A folder that one click opens to commands', () => {
  const cases: readonly [folder: string, may: boolean][] = [
    ['/home/me/.cache', true],
    ['/home/me/.cache/pip', true],
    ['/home/me/.npm/_cacache', true],
    ['/home/me/go/pkg', true],
    ['/data/models', true],
    ['/', false],
    ['/home', false],
    ['/home/me', false],
    ['/home/me/.config', false],
    ['/home/me/.config/app', false],
    ['/home/me/.bashrc.d', false],
    ['/home/me/.ssh', false],
    ['/home/me/.ssh/keys', false],
    ['/home/me/.cargo', false],
    ['/home/me/.local/bin', false],
    ['/home/me/.local/share/systemd/user', false],
    ['/home/me/other/.git', false],
    ['/home/me/other/.git/hooks', false],
    ['/home/me/other/.vscode', false],
    ['/home/me/wallet', false],
    ['/home/me/wallet/deep', false],
    ['/etc', false],
    ['/usr/local/lib', false],
  ];
  for (const [folder, may] of cases) {
    it(`${may ? 'may' : 'must not'} be ${folder}`, () => {
      const secrets = ['/home/me/.ssh', '/home/me/wallet/keys', '/home/me/wallet'];
      assert.equal(mayBeOpened(folder, { home: '/home/me', secrets }), may);
    });
  }
});
