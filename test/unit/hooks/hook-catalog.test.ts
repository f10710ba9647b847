import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { catalogOf, forEvents, inForce, settingsWith } from './hook-builders.ts';

describe('The hooks in force', () => {
  let home: TempWorkspace;
  let root: TempWorkspace;
  const places = () => ({ home: home.path, root: root.path, trustFile: join(home.path, 'data', 'trusted-hooks.json') });

  beforeEach(async () => {
    home = await createTempWorkspace();
    root = await createTempWorkspace();
  });
  afterEach(async () => {
    await home.dispose();
    await root.dispose();
  });

  it('are those of the user and the system at once, and those of the project after approval', async () => {
    await home.write({
      ...settingsWith(forEvents({ BeforeTool: 'mine' })),
      'system.json': JSON.stringify({ hooks: forEvents({ AfterTool: 'everywhere' }) }),
    });
    await root.write(settingsWith(forEvents({ BeforeTool: 'theirs' })));
    const catalog = catalogOf(places());
    const [told, ...others] = await catalog.refresh();
    assert.deepEqual(inForce(catalog), ['BeforeTool user mine', 'AfterTool system everywhere']);
    assert.match(told?.text ?? '', /requires approval: theirs/);
    assert.deepEqual(others, []);
    assert.deepEqual(await catalog.refresh(), [], 'it is told once');

    await catalog.accept(catalog.waiting.map(({ hash }) => hash));
    assert.deepEqual(inForce(catalog)[0], 'BeforeTool project theirs');
    assert.deepEqual(catalog.waiting, []);
  });

  it('of a project keep their yes over restarts and in other windows, for this project only', async () => {
    await root.write(settingsWith(forEvents({ BeforeTool: 'theirs' })));
    const [first, other] = [catalogOf(places()), catalogOf(places())];
    await first.refresh();
    await other.refresh();
    await first.accept(first.waiting.map(({ hash }) => hash));
    await other.refresh();
    assert.deepEqual(inForce(other), ['BeforeTool project theirs']);

    const elsewhere = await createTempWorkspace(settingsWith(forEvents({ BeforeTool: 'theirs' })));
    const there = catalogOf({ ...places(), root: elsewhere.path });
    await there.refresh();
    assert.deepEqual([inForce(there), there.waiting.length], [[], 1]);
    await elsewhere.dispose();
  });

  const accepted = { type: 'command', command: 'check.sh', name: 'guard', timeout: 1000, env: { A: '1' } };
  const CHANGES: readonly [string, object, object?][] = [
    ['one character of its command', { ...accepted, command: 'check.sg' }],
    ['its name', { ...accepted, name: 'Guard' }],
    ['its time limit', { ...accepted, timeout: 1001 }],
    ['its environment', { ...accepted, env: { A: '2' } }],
    ['a variable more', { ...accepted, env: { A: '1', LD_PRELOAD: 'x' } }],
    ['its matcher', accepted, { matcher: 'write' }],
    ['its turn', accepted, { sequential: true }],
  ];
  for (const [what, changed, group = {}] of CHANGES) {
    it(`of a project need another yes after a change of ${what}`, async () => {
      await root.write(settingsWith({ BeforeTool: [{ hooks: [accepted] }] }));
      const catalog = catalogOf(places());
      await catalog.refresh();
      await catalog.accept(catalog.waiting.map(({ hash }) => hash));
      assert.equal(inForce(catalog).length, 1);
      await root.write(settingsWith({ BeforeTool: [{ hooks: [changed], ...group }] }));
      assert.equal((await catalog.refresh()).length, 1);
      assert.deepEqual([inForce(catalog), catalog.waiting.length], [[], 1]);
    });
  }

  const STARTED: readonly [string, string, Record<string, string>?][] = [
    ['check.sh', './check.sh'],
    ['.gemini/hooks/check.sh', '"$GEMINI_PROJECT_DIR"/.gemini/hooks/check.sh --fast'],
    ['a folder/check.js', 'exec node "a folder/check.js"'],
    ['tools/check.mjs', `sh -c 'cd x; node ${'$'}{CLAUDE_PROJECT_DIR}/tools/check'`],
    ['check/index.js', 'node check'],
    ['tools/check.py', 'python3 -m tools.check'],
    ['package.json', 'npm run check'],
    ['Makefile', 'make check'],
    ['first.cjs', 'node -e 0', { NODE_OPTIONS: '--require=./first.cjs' }],
  ];
  for (const [script, command, env] of STARTED) {
    it(`of a project need another yes after a change of ${script}, and do not run it before: ${command}`, async () => {
      await root.write(settingsWith({ BeforeTool: [{ hooks: [{ type: 'command', command, env }] }] }));
      await root.write({ [script]: 'one' });
      const catalog = catalogOf(places());
      await catalog.refresh();
      await catalog.accept(catalog.waiting.map(({ hash }) => hash));
      await catalog.refresh();
      const hook = catalog.groups[0]?.hooks[0];
      assert.ok(hook?.type === 'command' && (await catalog.isAsApproved(hook)));
      await root.write({ [script]: 'two' });
      assert.equal(await catalog.isAsApproved(hook), false);
      assert.equal((await catalog.refresh()).length, 1);
      assert.deepEqual([inForce(catalog), catalog.waiting.length], [[], 1]);
      await root.write({ [script]: 'one' });
      await catalog.refresh();
      assert.equal(inForce(catalog).length, 1, 'what was approved is known again');
    });
  }

  it('of a project are not bound to other files, nor those of the user to any', async () => {
    await root.write(settingsWith(forEvents({ BeforeTool: './check.sh' })));
    await root.write({ 'check.sh': 'one', 'other.sh': 'one' });
    await home.write(settingsWith(forEvents({ AfterTool: './other.sh' })));
    const catalog = catalogOf(places());
    await catalog.refresh();
    await catalog.accept(catalog.waiting.map(({ hash }) => hash));
    await root.write({ 'other.sh': 'two' });
    assert.deepEqual([await catalog.refresh(), inForce(catalog).length], [[], 2]);
  });

  it('need another yes under another event', async () => {
    await root.write(settingsWith({ AfterTool: [{ hooks: [accepted] }] }));
    const catalog = catalogOf(places());
    await catalog.refresh();
    await catalog.accept(catalog.waiting.map(({ hash }) => hash));
    await root.write(settingsWith({ BeforeTool: [{ hooks: [accepted] }] }));
    await catalog.refresh();
    assert.deepEqual(inForce(catalog), []);
  });

  for (const content of ['{', '[]', '{"x": 1}', '{"__proto__": ["*"]}']) {
    it(`of a project wait when what was accepted cannot be read: ${content}`, async () => {
      await root.write(settingsWith(forEvents({ BeforeTool: 'theirs' })));
      await home.write({ 'data/trusted-hooks.json': content });
      const catalog = catalogOf(places());
      await catalog.refresh();
      assert.deepEqual([inForce(catalog), catalog.waiting.length], [[], 1]);
    });
  }

  it('are none in Restricted Mode but those of our own code', async () => {
    let trusted = false;
    await home.write(settingsWith(forEvents({ BeforeTool: 'mine' })));
    await root.write(settingsWith(forEvents({ BeforeTool: 'theirs' })));
    const catalog = catalogOf({ ...places(), trusted: () => trusted });
    catalog.register('BeforeTool', { name: 'own', action: () => Promise.resolve(undefined) });
    assert.deepEqual(await catalog.refresh(), []);
    assert.deepEqual([inForce(catalog), catalog.waiting], [['BeforeTool runtime own'], []]);
    trusted = true;
    await catalog.refresh();
    assert.deepEqual(inForce(catalog), ['BeforeTool runtime own', 'BeforeTool user mine']);
    trusted = false;
    assert.deepEqual([inForce(catalog), catalog.waiting], [['BeforeTool runtime own'], []]);
  });

  it('cannot be turned off by a project, except its own', async () => {
    await home.write(
      settingsWith(forEvents({ BeforeTool: 'mine', AfterTool: 'noisy' }), { hooksConfig: { disabled: ['noisy'] } }),
    );
    await root.write(
      settingsWith(forEvents({ BeforeTool: 'theirs' }), { hooksConfig: { enabled: false, disabled: ['mine'] } }),
    );
    const catalog = catalogOf(places());
    await catalog.refresh();
    assert.deepEqual([inForce(catalog), catalog.waiting], [['BeforeTool user mine'], []]);
  });

  it('can all be turned off by the user', async () => {
    await home.write(settingsWith(forEvents({ BeforeTool: 'mine' }), { hooksConfig: { enabled: false } }));
    await root.write(settingsWith(forEvents({ BeforeTool: 'theirs' })));
    const catalog = catalogOf(places());
    await catalog.refresh();
    assert.deepEqual([inForce(catalog), catalog.waiting], [[], []]);
  });

  it('follow the file, and stay while it is broken', async () => {
    const catalog = catalogOf(places());
    assert.deepEqual(await catalog.refresh(), []);
    await home.write(settingsWith(forEvents({ BeforeTool: 'one' })));
    await catalog.refresh();
    assert.deepEqual(inForce(catalog), ['BeforeTool user one']);
    await writeFile(join(home.path, '.gemini', 'settings.json'), '{ "hooks": {');
    assert.match((await catalog.refresh())[0]?.text ?? '', /not valid JSON/);
    assert.deepEqual(inForce(catalog), ['BeforeTool user one']);
    await home.write(settingsWith({}));
    await catalog.refresh();
    assert.deepEqual(inForce(catalog), []);
  });

  it('are read once for all who ask at the same time', async () => {
    await home.write(settingsWith(forEvents({ BeforeTool: 'one', Nonsense: 'x' } as object)));
    const catalog = catalogOf(places());
    const told = await Promise.all([catalog.refresh(), catalog.refresh(), catalog.refresh()]);
    assert.equal(told.flat().length, 1);
    assert.deepEqual(inForce(catalog), ['BeforeTool user one']);
  });

  it('of a project leave only hashes behind, by project', async () => {
    await root.write(settingsWith(forEvents({ BeforeTool: 'secret-command' })));
    const catalog = catalogOf(places());
    await catalog.refresh();
    const hashes = catalog.waiting.map(({ hash }) => hash);
    await catalog.accept(hashes);
    const stored = await readFile(places().trustFile, 'utf8');
    assert.deepEqual(JSON.parse(stored), { [root.path]: hashes });
    assert.match(hashes[0] ?? '', /^[0-9a-f]{64}$/);
  });
});
