import assert from 'node:assert/strict';
import { rename, rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { letFileCallsBlock } from '../../../extension/files/disk-calls.ts';
import { IgnoreRules, KnownRules } from '../../../extension/policy/ignore-rules.ts';
import { KnownFiles } from '../../../extension/policy/known-files.ts';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from '../../support/temp-workspace.ts';

/** By this clock, everything on disk is old enough for its timestamps to be trusted. */
const later = (): number => Date.now() + 60_000;
const LONG_AGO = new Date('2020-01-01T00:00:00.123Z');

for (const [way, mayBlock] of [
  ['through another thread', false],
  ['in this thread', true],
] as const) {
  describe(`known ignore files, ${way}`, () => {
    before(() => letFileCallsBlock(mayBlock));
    after(() => letFileCallsBlock(false));

    let workspace: TempWorkspace;
    beforeEach(async () => {
      workspace = await createTempWorkspace({ 'rules/': '', 'src/': '' });
    });
    afterEach(() => workspace.dispose());

    const at = (name: string): string => join(workspace.path, name);
    /** Timestamps are coarse, so that a change right after the first look could go unnoticed by them alone. */
    const age = async (...names: readonly string[]): Promise<void> => {
      for (const name of [...names, '.']) await utimes(at(name), LONG_AGO, LONG_AGO);
    };

    const changes: readonly [title: string, before: WorkspaceFiles, change: () => Promise<void>][] = [
      ['.gitignore appears', {}, () => workspace.write({ '.gitignore': 'a.ts\n' })],
      ['.geminiignore appears', {}, () => workspace.write({ '.geminiignore': 'a.ts\n' })],
      ['a repository appears', {}, () => workspace.write({ '.git/info/exclude': 'a.ts\n' })],
      ['.gitignore appears in a folder', {}, () => workspace.write({ 'src/.gitignore': 'a.ts\n' })],
      ['.gitignore changes', { '.gitignore': 'b.ts\n' }, () => workspace.write({ '.gitignore': 'a.ts\n' })],
      [
        '.gitignore is replaced',
        { '.gitignore': 'b.ts\n', 'rules/new': 'a.ts\n' },
        () => rename(at('rules/new'), at('.gitignore')),
      ],
      [
        '.gitignore no longer shows it',
        { '.geminiignore': '*.ts\n!a.ts\n' },
        () => workspace.write({ '.geminiignore': '*.ts\n' }),
      ],
      [
        'a worktree gets another repository',
        { '.git': 'gitdir: rules/one\n', 'rules/two/info/exclude': 'a.ts\n' },
        () => workspace.write({ '.git': 'gitdir: rules/two\n' }),
      ],
    ];
    for (const [title, before, change] of changes) {
      it(`count at once when ${title}`, async () => {
        await workspace.write(before);
        await age(...Object.keys(before));
        const known = new KnownRules(new KnownFiles(later));
        const isHidden = async (): Promise<boolean> =>
          (await new IgnoreRules(workspace.path, known).judge('src/a.ts')).hidden;
        assert.deepEqual([await isHidden(), await isHidden()], [false, false]);
        await change();
        assert.deepEqual([await isHidden(), await isHidden()], [true, true]);
      });
    }

    it('count at once when the target of a link appears, and no longer when a file is removed', async () => {
      await symlink('rules/late', at('.geminiignore'));
      await age();
      const known = new KnownRules(new KnownFiles(later));
      const isHidden = async (): Promise<boolean> =>
        (await new IgnoreRules(workspace.path, known).judge('a.ts')).hidden;
      assert.equal(await isHidden(), false);
      await workspace.write({ 'rules/late': 'a.ts\n' });
      assert.equal(await isHidden(), true);
      await rm(at('rules/late'));
      assert.equal(await isHidden(), false);
    });

    it('are read again only if they may have changed', async () => {
      await workspace.write({ '.gitignore': 'a.ts\n' });
      const [old, young] = [new KnownFiles(later), new KnownFiles()];
      assert.equal(await old.read(at('.gitignore')), await old.read(at('.gitignore')));
      assert.notEqual(await young.read(at('.gitignore')), await young.read(at('.gitignore')), 'written just now');
    });
  });
}
