import assert from 'node:assert/strict';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { MemoryFiles } from '../../../../extension/context/memory/memory-files.ts';
import { SessionMemory } from '../../../../extension/context/memory/session-memory.ts';
import { guardPath } from '../../../../extension/files/path-guard.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

describe('Files with instructions', () => {
  let home: TempWorkspace;
  let folder: TempWorkspace;
  let trusted: boolean;
  let names: readonly string[];
  beforeEach(async () => {
    [home, folder, trusted, names] = [await createTempWorkspace(), await createTempWorkspace(), true, []];
  });
  afterEach(async () => {
    await home.dispose();
    await folder.dispose();
  });

  const files = () => new MemoryFiles({ home: home.path, geminiHome: home.path, fileNames: () => names });
  const sessionIn = (...roots: readonly string[]) =>
    new SessionMemory(files(), () => ({ roots: () => roots, isTrusted: () => trusted }));
  const load = async (...roots: readonly string[]) =>
    sessionIn(...(roots.length > 0 ? roots : [folder.path])).refresh();
  const labels = async (...roots: readonly string[]) =>
    (await load(...roots)).map(({ origin, label }) => `${origin} ${label}`);

  it('come from the user, then from the repository down to the open folder', async () => {
    await home.write({ '.gemini/GEMINI.md': 'mine' });
    await folder.write({
      '.git/': '',
      'GEMINI.md': 'all',
      'packages/AGENTS.md': 'packages',
      'packages/a/GEMINI.md': 'a',
    });
    assert.deepEqual(await labels(join(folder.path, 'packages', 'a')), [
      'user ~/.gemini/GEMINI.md',
      'above ../../GEMINI.md',
      'above ../AGENTS.md',
      'project GEMINI.md',
    ]);
  });

  it('are not looked for above a folder that is in no repository', async () => {
    await folder.write({ 'GEMINI.md': 'outside', 'inner/GEMINI.md': 'inside' });
    assert.deepEqual(await labels(join(folder.path, 'inner')), ['project GEMINI.md']);
  });

  it('are named by their folder when several are open, and loaded once where one is a link to the other', async () => {
    await folder.write({ 'a/GEMINI.md': 'a', 'b/AGENTS.md': 'b' });
    await symlink('GEMINI.md', join(folder.path, 'a', 'AGENTS.md'));
    const roots = ['a', 'b'].map((name) => join(folder.path, name));
    assert.deepEqual(await labels(...roots), ['project a/GEMINI.md', 'project b/AGENTS.md']);
  });

  it('are given once, also when another imports them or two import the same', async () => {
    await folder.write({
      '.git/': '',
      'GEMINI.md': 'all @style.md',
      'style.md': 'TABS',
      'a/AGENTS.md': 'AGENTS @more.md',
    });
    await folder.write({ 'a/GEMINI.md': 'a @AGENTS.md', 'a/more.md': 'MORE' });
    await symlink('../style.md', join(folder.path, 'a', 'link.md'));
    const session = sessionIn(join(folder.path, 'a'));
    const counted = async (...words: readonly string[]): Promise<number[]> => {
      const text = (await session.refresh()).map((each) => each.text).join('\n');
      return words.map((word) => text.split(word).length - 1);
    };
    assert.deepEqual(await counted('TABS', 'AGENTS @', 'AGENTS ', 'MORE'), [1, 0, 1, 1]);
    // What one no longer brings, the other does.
    await folder.write({ 'a/GEMINI.md': 'a' });
    assert.deepEqual(await counted('AGENTS ', 'MORE'), [1, 1]);
    await folder.write({ 'GEMINI.md': 'all', 'a/GEMINI.md': 'a @../style.md @AGENTS.md' });
    assert.deepEqual(await counted('AGENTS ', 'MORE'), [1, 1]);
  });

  it('say what they cost, and what they import', async () => {
    await folder.write({ 'GEMINI.md': 'Use tabs. @docs/more.md', 'docs/more.md': 'And no semicolons.' });
    const [memory] = await load();
    assert.ok((memory?.tokens ?? 0) > 10);
    assert.deepEqual(memory?.imported, [join(folder.path, 'docs', 'more.md')]);
    assert.match(memory?.text ?? '', /Use tabs\..*no semicolons/s);
  });

  const NOT_IMPORTED = ['../outside.md', '.env', 'link.md', 'hidden.md', '.git/config', 'picture.png'];
  for (const path of NOT_IMPORTED) {
    it(`import nothing like ${path}`, async () => {
      await folder.write({
        'outside.md': 'canary',
        'project/GEMINI.md': `@./${path}`,
        'project/.env': 'canary',
        'project/hidden.md': 'canary',
        'project/.geminiignore': 'hidden.md\n',
        'project/.git/config': 'canary',
        'project/picture.png': new Uint8Array([0x63, 0, 1, 2]),
      });
      await symlink('../outside.md', join(folder.path, 'project', 'link.md'));
      const [memory] = await load(join(folder.path, 'project'));
      assert.doesNotMatch(memory?.text ?? '', /canary/);
      assert.match(memory?.text ?? '', /Not imported/);
      assert.deepEqual(
        memory?.problems.map(({ file, line }) => [file, line]),
        [[join(folder.path, 'project', 'GEMINI.md'), 1]],
      );
    });
  }

  it('that are links out of the folder are not loaded', async () => {
    await folder.write({ 'secret.md': 'canary', 'project/': '' });
    await symlink('../secret.md', join(folder.path, 'project', 'GEMINI.md'));
    assert.deepEqual(await load(join(folder.path, 'project')), []);
  });

  it('that are too long are cut, and say so', async () => {
    await folder.write({ 'GEMINI.md': 'ä'.repeat(200_000) });
    const [memory] = await load();
    assert.ok(memory?.isCut && memory.text.length < 110_000);
    assert.match(memory.text, /ä\n\n\(The rest of this file was left out: it is too long\.\)$/);
  });

  it('of an untrusted folder are quoted: no imports, nothing above, nothing below; the user’s own still count', async () => {
    await home.write({ '.gemini/GEMINI.md': 'mine' });
    await folder.write({
      '.git/': '',
      'GEMINI.md': 'above',
      'in/GEMINI.md': 'look at @more.md',
      'in/more.md': 'canary',
    });
    await folder.write({ 'in/sub/GEMINI.md': 'sub', 'in/sub/a.ts': '' });
    trusted = false;
    const session = sessionIn(join(folder.path, 'in'));
    session.touch('sub/a.ts');
    const loaded = await session.refresh();
    assert.deepEqual(
      loaded.map(({ label, isQuoted, text, tokens }) => [label, isQuoted, text, tokens > 0]),
      [
        ['~/.gemini/GEMINI.md', false, 'mine', true],
        ['GEMINI.md', true, 'look at @more.md', true],
      ],
    );
    await folder.write({ 'in/GEMINI.md': 'x'.repeat(10_000) });
    const long = (await session.refresh()).at(-1);
    assert.deepEqual([long?.isCut, long?.text], [true, 'x'.repeat(4_000)]);
  });

  describe('of subfolders', () => {
    beforeEach(() =>
      folder.write({
        'GEMINI.md': 'root',
        'src/AGENTS.md': 'src',
        'src/app/GEMINI.md': 'app',
        'src/app/a.ts': '',
        'node_modules/x/AGENTS.md': 'canary',
        'dist/AGENTS.md': 'canary',
        '.gitignore': 'dist\n',
      }),
    );

    it('are loaded when a tool was there, and those between', async () => {
      const session = sessionIn(folder.path);
      assert.deepEqual((await session.refresh()).length, 1);
      let changes = 0;
      session.onDidChange(() => changes++);
      session.touch('src/app/a.ts');
      await session.refresh();
      assert.deepEqual(
        session.loaded().map(({ origin, label }) => `${origin} ${label}`),
        ['project GEMINI.md', 'subfolder src/AGENTS.md', 'subfolder src/app/GEMINI.md'],
      );
      assert.equal(await session.refresh(), session.loaded());
      assert.equal(changes, 1);
    });

    it('are those of the file that the tool found, whatever is at its path by now', async () => {
      const guarded = await guardPath('src/app/a.ts', [folder.path]);
      assert.ok(guarded.allowed);
      const found = async (root: string): Promise<number> => {
        const session = sessionIn(folder.path);
        session.reached('gone.ts', { ...guarded, root });
        session.touch('gone.ts');
        return (await session.refresh()).length;
      };
      assert.equal(await found(folder.path), 3);
      assert.equal(await found(join(folder.path, 'src')), 1, 'found outside the open folders');
    });

    for (const path of ['node_modules/x/index.js', 'dist', '../elsewhere', '/etc/passwd', 'not\0a path']) {
      it(`are none because of ${JSON.stringify(path)}: that is not this project’s word`, async () => {
        const session = sessionIn(folder.path);
        session.touch(path);
        assert.deepEqual(
          (await session.refresh()).map(({ label }) => label),
          ['GEMINI.md'],
        );
      });
    }
  });

  it('are read again when they, or what they import, change; come and go', async () => {
    await folder.write({ 'GEMINI.md': 'one @part.md' });
    const session = sessionIn(folder.path);
    const text = async () =>
      (await session.refresh())
        .map((memory) => memory.text.replace(/<!--.*?-->\s?/g, ''))
        .join('|')
        .trim();
    assert.equal(await text(), 'one');
    await folder.write({ 'part.md': 'first' });
    assert.match(await text(), /first/);
    await folder.write({ 'part.md': 'second' });
    assert.match(await text(), /second/);
    await folder.write({ 'AGENTS.md': 'more' });
    assert.match(await text(), /\|more$/);
    await rm(join(folder.path, 'GEMINI.md'));
    assert.equal(await text(), 'more');
  });

  it('have the names that the user set, or Gemini CLI’s settings say, and never those of secrets or paths', async () => {
    await folder.write({ 'GEMINI.md': 'g', 'RULES.md': 'r', 'NOTES.md': 'n', '.env': 'canary', 'x/A.md': 'canary' });
    await home.write({ '.gemini/settings.json': '{ "context": { "fileName": "RULES.md" } }' });
    assert.deepEqual(await labels(), ['project RULES.md']);
    await folder.write({ '.gemini/settings.json': '{ "context": { "fileName": [".env", "x/A.md", "NOTES.md"] } }' });
    assert.deepEqual(await labels(), ['project NOTES.md']);
    trusted = false;
    assert.deepEqual(await labels(), ['project RULES.md']);
    names = ['GEMINI.md'];
    assert.deepEqual(await labels(), ['project GEMINI.md']);
  });

  it('are none where a folder has the name, or no folder is open', async () => {
    await mkdir(join(folder.path, 'GEMINI.md'));
    assert.deepEqual(await load(), []);
    assert.deepEqual(await load(join(folder.path, 'gone')), []);
  });
});
