import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  adminFolder,
  ownershipProblem,
  type PolicyPlaces,
  readPolicyFiles,
} from '../../../../extension/policy/rules/policy-folders.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

describe('policy folders', () => {
  let place: TempWorkspace;

  beforeEach(async () => {
    place = await createTempWorkspace({
      'shipped/read.toml': 'shipped',
      'home/.gemini/policies/b.toml': 'b',
      'home/.gemini/policies/a.toml': 'a',
      'home/.gemini/policies/notes.txt': 'no',
      'home/.gemini/policies/deeper/c.toml': 'no',
      'one/.gemini/policies/w.toml': 'one',
      'two/.gemini/policies/w.toml': 'two',
      'extra/e.toml': 'extra',
      'extra.conf': 'no',
    });
  });
  afterEach(() => place.dispose());

  const at = (name: string): string => join(place.path, name);
  const read = async (more: Partial<PolicyPlaces> = {}): Promise<{ files: string[]; problems: string[] }> => {
    const { files, problems } = await readPolicyFiles({
      shipped: at('shipped'),
      home: at('home'),
      roots: [at('one'), at('two')],
      trusted: true,
      extra: [],
      admin: at('no-admin'),
      ...more,
    });
    return {
      files: files.map(({ tier, path, text }) => `${tier} ${path.slice(place.path.length + 1)} ${text}`),
      problems: problems.map(({ file, reason }) => `${file.slice(place.path.length + 1)}: ${reason}`),
    };
  };

  const USER = ['user home/.gemini/policies/a.toml a', 'user home/.gemini/policies/b.toml b'];
  const SHIPPED = 'default shipped/read.toml shipped';

  it('are read each for its tier, files by name', async () => {
    const workspace = ['workspace one/.gemini/policies/w.toml one', 'workspace two/.gemini/policies/w.toml two'];
    assert.deepEqual(await read(), { files: [...USER, ...workspace, SHIPPED], problems: [] });
  });

  it('of a workspace that is not trusted are not looked at', async () => {
    assert.deepEqual(await read({ trusted: false }), { files: [...USER, SHIPPED], problems: [] });
  });

  it("of a home that is open as a workspace stay the user's", async () => {
    assert.deepEqual(await read({ roots: [at('home')] }), { files: [...USER, SHIPPED], problems: [] });
  });

  it('that the user named come on top, files or folders', async () => {
    const extra = [at('extra'), at('two/.gemini/policies/w.toml'), at('home/.gemini/policies')];
    const named = ['user extra/e.toml extra', 'user two/.gemini/policies/w.toml two'];
    assert.deepEqual((await read({ extra, roots: [] })).files, [...USER, ...named, SHIPPED]);
  });

  it('that the user named and that are not there are a problem', async () => {
    const { files, problems } = await read({ extra: [at('none.toml'), at('extra.conf')], roots: [] });
    assert.deepEqual(files, [...USER, SHIPPED]);
    assert.deepEqual(problems, [
      'none.toml: It could not be read: there is no such file or folder.',
      'extra.conf: It could not be read: its name does not end with .toml.',
    ]);
  });

  it('leave links in them alone, and say what cannot be read', async () => {
    await symlink(at('extra/e.toml'), at('home/.gemini/policies/link.toml'));
    await place.write({
      'extra/bad.toml': new Uint8Array([0xff, 0xfe, 0xff]),
      'extra/long.toml': '#'.repeat(2 ** 20 + 1),
    });
    const { files, problems } = await read({ extra: [at('extra')], roots: [] });
    assert.deepEqual(files, [...USER, 'user extra/e.toml extra', SHIPPED]);
    assert.equal(problems.length, 3);
    assert.equal(problems[0], 'home/.gemini/policies/link.toml: It is ignored: there is a link in its place.');
    assert.match(problems[1] ?? '', /^extra\/bad\.toml: It could not be read: /);
    assert.equal(problems[2], 'extra/long.toml: It could not be read: it is longer than 1 MB.');
  });

  it('of the administrator count only if nobody else can write to them', async () => {
    await mkdir(at('admin'));
    await place.write({ 'admin/x.toml': 'admin' });
    const { files, problems } = await read({ admin: at('admin'), roots: [] });
    const isRoot = process.getuid?.() === 0;
    assert.deepEqual(files, isRoot ? ['admin admin/x.toml admin', ...USER, SHIPPED] : [...USER, SHIPPED]);
    assert.equal(problems.length, isRoot ? 0 : 1);
    assert.equal(ownershipProblem({ uid: 0, mode: 0o755 }, 'linux'), undefined);
    assert.match(ownershipProblem({ uid: 1000, mode: 0o755 }, 'linux') ?? '', /belong/);
    assert.match(ownershipProblem({ uid: 0, mode: 0o775 }, 'linux') ?? '', /others/);
    assert.match(ownershipProblem({ uid: 0, mode: 0o757 }, 'darwin') ?? '', /others/);
    assert.match(ownershipProblem({ uid: 0, mode: 0o755 }, 'win32') ?? '', /Windows/);
  });

  it('of the administrator are where Gemini CLI has them', () => {
    assert.equal(adminFolder('linux'), '/etc/gemini-cli/policies');
    assert.equal(adminFolder('darwin'), '/Library/Application Support/GeminiCli/policies');
    assert.equal(adminFolder('win32'), 'C:\\ProgramData\\gemini-cli\\policies');
  });
});
