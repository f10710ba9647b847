import assert from 'node:assert/strict';
import { chmod, copyFile, cp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CompiledCode } from '../../../extension/files/compiled-code.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('The compiled code of bundles', () => {
  let place: TempWorkspace;
  let folder: string;
  let bundle: string;

  beforeEach(async () => {
    place = await createTempWorkspace({
      'dist/bundle.js': `const who = 'ours'; exports.who = () => who; exports.more = () => require('./later/more.js').text;`,
      'dist/later/more.js': `exports.text = require('../shared.js').text + ' ' + __filename.slice(-7);`,
      'dist/shared.js': `exports.text = 'shared';`,
      // As long as the bundle: V8 compares nothing but the length.
      'hostile/bundle.js': `const who = 'evil'; exports.who = () => who; exports.more = () => require('./later/more.js').text;`,
    });
    folder = join(place.path, 'home/cache');
    bundle = join(place.path, 'dist/bundle.js');
  });
  afterEach(() => place.dispose());

  const kept = async (): Promise<string[]> => (await readdir(folder)).map((name) => join(folder, name));

  function loadBy(code: CompiledCode): { who(): string; more(): string } {
    const exports = code.load(bundle);
    assert.ok(typeof exports === 'object' && exports !== null && 'who' in exports && 'more' in exports);
    const { who, more } = exports;
    assert.ok(typeof who === 'function' && typeof more === 'function');
    return { who: () => String(who()), more: () => String(more()) };
  }

  function runAndSave(): void {
    const code = new CompiledCode(folder);
    const { who, more } = loadBy(code);
    assert.deepEqual([who(), more()], ['ours', 'shared more.js']);
    code.save();
  }

  it('is saved once, for the bundle and those that it loads later', async () => {
    runAndSave();
    const files = await kept();
    assert.equal(files.length, 3);
    await Promise.all(files.map((file) => rm(file)));
    runAndSave();
    assert.deepEqual((await kept()).sort(), files.sort(), 'the same code has the same place');
    const before = await Promise.all(files.map((file) => readFile(file)));
    await Promise.all(files.map((file) => utimes(file, 0, 0)));
    runAndSave();
    const after = await Promise.all(files.map((file) => readFile(file)));
    assert.deepEqual(after, before, 'what could be used is not written again');
  });

  it('is saved for one bundle alone, as soon as that was used', async () => {
    const fresh: string[] = [];
    const code = new CompiledCode(folder, (path) => fresh.push(path.slice(place.path.length + 1)));
    const { more } = loadBy(code);
    more();
    assert.deepEqual(fresh, ['dist/bundle.js', 'dist/later/more.js', 'dist/shared.js']);
    code.save(bundle);
    code.save(bundle);
    assert.deepEqual(
      (await readdir(folder)).map((name) => name.split('-')[0]),
      ['bundle.js'],
    );
    code.save();
    assert.equal((await kept()).length, 3);
  });

  it('is found by the content of the bundle', async () => {
    runAndSave();
    await rename(join(place.path, 'hostile/bundle.js'), bundle);
    assert.equal(loadBy(new CompiledCode(folder)).who(), 'evil', 'another bundle is in its place');
  });

  it('is removed a month after it was written, when other code is saved', async () => {
    runAndSave();
    const files = await kept();
    await Promise.all(files.map((file) => utimes(file, 0, 0)));
    await writeFile(bundle, `${await readFile(bundle, 'utf8')}// a new version`);
    runAndSave();
    const names = await kept();
    assert.equal(names.length, 1);
    assert.ok(!files.includes(names[0] ?? ''));
  });

  it('is not needed where nothing can be written', () => {
    for (const place of ['/dev/null/cache', undefined]) {
      const code = new CompiledCode(place);
      assert.equal(loadBy(code).who(), 'ours');
      code.save();
    }
  });

  /** Somebody else puts code into the place of ours, before the next start. */
  async function replaceByHostile(): Promise<string> {
    runAndSave();
    const [own = ''] = (await kept()).filter((file) => file.includes('bundle.js-'));
    const elsewhere = join(place.path, 'elsewhere');
    const code = new CompiledCode(elsewhere);
    code.load(join(place.path, 'hostile/bundle.js'));
    code.save();
    const [hostile = ''] = await readdir(elsewhere);
    await copyFile(join(elsewhere, hostile), own);
    // V8 remembers what it compiled for a path in this process.
    await cp(join(place.path, 'dist'), join(place.path, 'again'), { recursive: true });
    bundle = join(place.path, 'again/bundle.js');
    return own;
  }

  it('is trusted if only the user can have written it, so these tests would notice hostile code', async () => {
    await replaceByHostile();
    assert.equal(loadBy(new CompiledCode(folder)).who(), 'evil');
  });

  const ATTACKS: Record<string, (own: string) => Promise<unknown>> = {
    'if others may write to the folder': () => chmod(folder, 0o722),
    'if others may list the folder': () => chmod(folder, 0o755),
    'if others may write the file': (own) => chmod(own, 0o622),
    'if the file is a link': async (own) => {
      await rename(own, join(place.path, 'target'));
      await symlink(join(place.path, 'target'), own);
    },
    'if the folder is a link': async () => {
      await rename(folder, join(place.path, 'target'));
      await symlink(join(place.path, 'target'), folder);
    },
    'if it is damaged': async (own) => {
      const bytes = await readFile(own);
      bytes.fill(0, bytes.length / 2, bytes.length / 2 + 64);
      await writeFile(own, bytes);
    },
    'if it ends early': async (own) => writeFile(own, (await readFile(own)).subarray(0, 20)),
    'if the path is relative': () => {
      folder = join('.', 'cache');
      return Promise.resolve();
    },
  };
  for (const [when, attack] of Object.entries(ATTACKS)) {
    it(`is not used ${when}`, async () => {
      await attack(await replaceByHostile());
      assert.equal(loadBy(new CompiledCode(folder)).who(), 'ours');
    });
  }
});
