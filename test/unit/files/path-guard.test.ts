import assert from 'node:assert/strict';
import { realpath, rm, symlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { letFileCallsBlock } from '../../../extension/files/disk-calls.ts';
import { type GuardedPath, guardPath } from '../../../extension/files/path-guard.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

for (const [way, mayBlock] of [
  ['through another thread', false],
  ['in this thread', true],
] as const) {
  describe(`path guard, ${way}`, () => {
    let first: TempWorkspace;
    let second: TempWorkspace;
    let outside: TempWorkspace;

    before(async () => {
      letFileCallsBlock(mayBlock);
      first = await createTempWorkspace({
        'src/a.ts': 'a',
        'both.txt': 'first',
        '@scope/index.ts': 'scoped',
        'with space.txt': 'x',
        '100%.txt': 'x',
      });
      second = await createTempWorkspace({ 'both.txt': 'second', 'only-second.txt': 'x', 'escape.txt': 'inside' });
      outside = await createTempWorkspace({ 'secret.txt': 'secret', 'folder/secret.txt': 'secret' });
      await symlink(join(outside.path, 'secret.txt'), join(first.path, 'escape.txt'));
      await symlink(outside.path, join(first.path, 'escape'));
      await symlink(join(outside.path, 'not-yet.txt'), join(first.path, 'dangling-out.txt'));
      await symlink('src/not-yet.ts', join(first.path, 'dangling-in.ts'));
      await symlink('src', join(first.path, 'inside'));
      await symlink('loop-b', join(first.path, 'loop-a'));
      await symlink('loop-a', join(first.path, 'loop-b'));
      await symlink(first.path, join(outside.path, 'way-in'));
      await symlink(join(second.path, 'only-second.txt'), join(first.path, 'to-second.txt'));
    });

    after(async () => {
      letFileCallsBlock(false);
      for (const workspace of [first, second, outside]) await workspace.dispose();
    });

    const resolved = (guarded: GuardedPath): string => {
      assert.ok(guarded.allowed, guarded.allowed ? '' : guarded.message);
      return guarded.path;
    };
    const refusal = (guarded: GuardedPath): string => (guarded.allowed ? `allowed ${guarded.path}` : guarded.reason);

    const allowedCases: readonly [title: string, input: () => string, expected: string, exists: boolean][] = [
      ['a relative path', () => 'src/a.ts', 'src/a.ts', true],
      ['an absolute path', () => join(first.path, 'src/a.ts'), 'src/a.ts', true],
      ['dots that stay inside', () => './src/../src/./a.ts', 'src/a.ts', true],
      ['dots that leave and come back', () => `../${basename(first.path)}/src/a.ts`, 'src/a.ts', true],
      ['the root itself', () => '.', '', true],
      ['a file URI', () => pathToFileURL(join(first.path, 'with space.txt')).href, 'with space.txt', true],
      ['percent signs in a plain path, literally', () => '100%.txt', '100%.txt', true],
      ['encoded dots in a plain path, literally', () => '%2e%2e/x', '%2e%2e/x', false],
      ['a leading @', () => '@src/a.ts', 'src/a.ts', true],
      ['a folder whose name starts with @', () => '@scope/index.ts', '@scope/index.ts', true],
      ['a new file in a folder whose name starts with @', () => '@scope/new.ts', '@scope/new.ts', false],
      ['a new file', () => 'src/deep/er/new.ts', 'src/deep/er/new.ts', false],
      ['a path below a file', () => 'src/a.ts/x', 'src/a.ts/x', false],
      ['a link inside the workspace', () => 'inside/a.ts', 'src/a.ts', true],
      ['a new file below a link inside', () => 'inside/new.ts', 'src/new.ts', false],
      ['a dangling link inside', () => 'dangling-in.ts', 'src/not-yet.ts', false],
      ['an outside link that leads in', () => join(outside.path, 'way-in/src/a.ts'), 'src/a.ts', true],
    ];
    for (const [title, input, expected, exists] of allowedCases) {
      it(`understands ${title}`, async () => {
        const guarded = await guardPath(input(), [first.path]);
        assert.equal(resolved(guarded), join(first.path, expected));
        assert.ok(guarded.allowed);
        assert.equal(guarded.relativePath, expected);
        assert.equal(guarded.exists, exists);
      });
    }

    const refusedCases: readonly [title: string, input: () => string, reason: string][] = [
      ['an absolute path elsewhere', () => join(outside.path, 'secret.txt'), 'outside_workspace'],
      ['a file that exists nowhere, elsewhere', () => '/no/such/file', 'outside_workspace'],
      ['dots that leave', () => `../${basename(outside.path)}/secret.txt`, 'outside_workspace'],
      ['dots in the middle', () => 'src/../../x', 'outside_workspace'],
      ['dots behind an @', () => '@../x', 'outside_workspace'],
      ['an absolute path behind an @', () => '@/etc/passwd', 'outside_workspace'],
      ['a sibling with the same beginning', () => `${first.path}-other/x`, 'outside_workspace'],
      ['a link to a file elsewhere', () => 'escape.txt', 'outside_workspace'],
      ['a file below a link elsewhere', () => 'escape/folder/secret.txt', 'outside_workspace'],
      ['a new file below a link elsewhere', () => 'escape/new.txt', 'outside_workspace'],
      ['a dangling link elsewhere', () => 'dangling-out.txt', 'outside_workspace'],
      ['a way around through /proc', () => `/proc/self/root${join(outside.path, 'secret.txt')}`, 'outside_workspace'],
      ['a file URI elsewhere', () => pathToFileURL(join(outside.path, 'secret.txt')).href, 'outside_workspace'],
      ['a file URI with encoded dots', () => `${pathToFileURL(first.path).href}/%2e%2e/x`, 'outside_workspace'],
      ['a file URI with an encoded slash', () => `${pathToFileURL(first.path).href}/..%2fx`, 'malformed'],
      ['a file URI with a host', () => 'file://server/share/x', 'malformed'],
      ['a file URI with an encoded NUL', () => `${pathToFileURL(first.path).href}/a%00.ts`, 'malformed'],
      ['a NUL', () => 'src/a.ts\0.png', 'malformed'],
      ['nothing', () => '', 'malformed'],
      ['blanks', () => '  ', 'malformed'],
      ['a loop of links', () => 'loop-a', 'unverifiable'],
      ['a new file below a loop of links', () => 'loop-a/x', 'unverifiable'],
      ['a name that is too long', () => 'x'.repeat(5000), 'unverifiable'],
    ];
    for (const [title, input, reason] of refusedCases) {
      it(`refuses ${title}`, async () => {
        assert.equal(refusal(await guardPath(input(), [first.path])), reason);
      });
    }

    it('refuses everything when no folder is open or the open one is gone', async () => {
      const gone = await createTempWorkspace();
      await rm(gone.path, { recursive: true });
      assert.equal(refusal(await guardPath('src/a.ts', [])), 'no_workspace');
      assert.equal(refusal(await guardPath(join(gone.path, 'a.ts'), [gone.path])), 'no_workspace');
    });

    it('names the file as the editor does when the root was opened through a link', async () => {
      const opened = join(outside.path, 'way-in');
      const guarded = await guardPath('src/a.ts', [opened]);
      assert.ok(guarded.allowed);
      assert.equal(guarded.path, join(first.path, 'src/a.ts'));
      assert.equal(guarded.editorPath, join(opened, 'src/a.ts'));
      assert.equal(guarded.root, opened);
    });

    describe('with several roots', () => {
      const cases: readonly [title: string, input: () => string, expected: () => string][] = [
        ['takes the first root that has the file', () => 'both.txt', () => join(first.path, 'both.txt')],
        ['looks in later roots', () => 'only-second.txt', () => join(second.path, 'only-second.txt')],
        ['understands rootname/rest', () => `${basename(second.path)}/both.txt`, () => join(second.path, 'both.txt')],
        ['understands a root name alone', () => basename(second.path), () => second.path],
        ['creates below a named root', () => `${basename(second.path)}/new.txt`, () => join(second.path, 'new.txt')],
        ['creates in the first root otherwise', () => 'new.txt', () => join(first.path, 'new.txt')],
        ['follows a link to another root', () => 'to-second.txt', () => join(second.path, 'only-second.txt')],
      ];
      for (const [title, input, expected] of cases) {
        it(title, async () => {
          assert.equal(resolved(await guardPath(input(), [first.path, second.path])), expected());
        });
      }

      it('does not pass over a link that leads out in favour of another root', async () => {
        assert.equal(refusal(await guardPath('escape.txt', [first.path, second.path])), 'outside_workspace');
      });

      it('attributes a file to the innermost of nested roots', async () => {
        const guarded = await guardPath('src/a.ts', [first.path, join(first.path, 'src')]);
        assert.ok(guarded.allowed);
        assert.equal(guarded.root, join(first.path, 'src'));
        assert.equal(guarded.relativePath, 'a.ts');
      });
    });

    describe('whatever the model writes', () => {
      const name = fc.oneof(
        fc.constantFrom('..', '.', '', 'src', 'a.ts', 'escape', 'escape.txt', 'inside', 'loop-a', 'dangling-out.txt'),
        fc.constantFrom('dangling-in.ts', 'to-second.txt', '@', '@..', '%2e%2e', '%2f', '~', '\\..', 'folder', '\0'),
        fc.string({ maxLength: 8, unit: 'binary' }),
      );
      const written = fc
        .tuple(
          fc.constantFrom('', '/', '//', '@', '@/', 'file:', 'file://', 'file:///', 'ROOT/', 'URI/', 'OUT/'),
          fc.array(name),
        )
        .map(([start, names]) => ({ start, rest: names.join('/') }));
      const toInput = ({ start, rest }: { start: string; rest: string }): string => {
        if (start === 'ROOT/') return `${first.path}/${rest}`;
        if (start === 'URI/') return `${pathToFileURL(first.path).href}/${rest}`;
        if (start === 'OUT/') return `${outside.path}/${rest}`;
        return `${start}${rest}`;
      };

      it('nothing allowed lies outside the roots, or is a link', async () => {
        const roots = [first.path, second.path];
        await fc.assert(
          fc.asyncProperty(written, async (path) => {
            const guarded = await guardPath(toInput(path), roots);
            if (!guarded.allowed) return;
            assert.ok(
              roots.some((root) => !relative(root, guarded.path).startsWith('..')),
              guarded.path,
            );
            const isReal = await realpath(guarded.path).then(
              (real) => real === guarded.path,
              () => !guarded.exists,
            );
            assert.ok(isReal, guarded.path);
          }),
          { numRuns: 1000 },
        );
      });
    });
  });
}
