import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FLAT_KEYS } from '../../../extension/gemini-config/flat-keys.ts';
import { GeminiSettings } from '../../../extension/gemini-config/gemini-settings.ts';
import { SettingsReader } from '../../../extension/gemini-config/settings-reader.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('The settings of Gemini CLI', () => {
  let home: TempWorkspace;
  let folder: TempWorkspace;
  beforeEach(async () => {
    home = await createTempWorkspace();
    folder = await createTempWorkspace();
  });
  afterEach(async () => {
    await home.dispose();
    await folder.dispose();
  });

  const reader = (trusted = true, environment: Readonly<Record<string, string>> = {}) =>
    new SettingsReader({
      workspace: { roots: () => [folder.path], isTrusted: () => trusted },
      environment: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'), ...environment },
      home: home.path,
      platform: 'linux',
    });
  const named = (name: string): string => JSON.stringify({ model: { name } });
  const writeAll = async (): Promise<void> => {
    await home.write({ 'system-defaults.json': named('of defaults'), '.gemini/settings.json': named('of the user') });
    await home.write({ 'system.json': named('of the system') });
    await folder.write({ '.gemini/settings.json': named('of the folder') });
  };

  it('count by precedence, and those of a folder only where it is trusted', async () => {
    await writeAll();
    const all = await reader().refresh();
    assert.deepEqual(
      all.all('model.name').map(({ value }) => value),
      ['of defaults', 'of the user', 'of the folder', 'of the system'],
    );
    assert.equal(all.inForce('model.name')?.value, 'of the system');
    await home.write({ 'system.json': '{}' });
    assert.equal((await reader().refresh()).inForce('model.name')?.value, 'of the folder');
    assert.equal((await reader(false).refresh()).inForce('model.name')?.value, 'of the user');
    assert.equal((await reader().refresh()).own('model.name')?.value, 'of the user');
    await home.write({ '.gemini/settings.json': '{}' });
    assert.equal((await reader(false).refresh()).own('model.name')?.value, 'of defaults');
  });

  it('are where the environment says', async () => {
    await home.write({ 'a/settings.json': named('moved'), 'b.json': named('moved defaults') });
    const environment = {
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'a', 'settings.json'),
      GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(home.path, 'b.json'),
    };
    const { layers } = await reader(true, environment)
      .refresh()
      .then((settings) => ({ layers: settings.all('model.name').map(({ value }) => value) }));
    assert.deepEqual(layers, ['moved defaults', 'moved']);
  });

  it('are the same object until a file changes, and a file that breaks restricts what it did before', async () => {
    await home.write({ '.gemini/settings.json': '{"tools": {"exclude": ["glob"]}}' });
    const reading = reader();
    await reading.refresh();
    assert.ok(reading.restrictions.refusal({ name: 'glob', kind: 'search' }));
    await home.write({ '.gemini/settings.json': '{"tools": {"exclude": [' });
    const broken = await reading.refresh();
    assert.deepEqual(broken.faults, []);
    assert.ok(reading.restrictions.refusal({ name: 'glob', kind: 'search' }));
    assert.equal(reading.restrictions.refusal({ name: 'write_file', kind: 'edit' }), undefined);
  });

  it('that were never readable leave nothing but reading, and name file and line', async () => {
    await home.write({ '.gemini/settings.json': '{\n"tools": [' });
    const reading = reader();
    await reading.refresh();
    const { restrictions } = reading;
    assert.match(
      restrictions.refusal({ name: 'write_file', kind: 'edit' })?.shown ?? '',
      /settings\.json:2: the file is not valid JSON/,
    );
    assert.equal(restrictions.refusal({ name: 'read_file', kind: 'read' }), undefined);
  });

  it('of a folder that lead out of it are not read', async () => {
    await home.write({ 'elsewhere.json': '{"tools": {"exclude": ["glob"]}}' });
    await folder.write({ '.gemini/': '' });
    await symlink(join(home.path, 'elsewhere.json'), join(folder.path, '.gemini', 'settings.json'));
    const reading = reader();
    await reading.refresh();
    assert.equal(reading.restrictions.refusal({ name: 'glob', kind: 'search' }), undefined);
  });

  for (const [flat, key] of Object.entries(FLAT_KEYS)) {
    it(`know ${flat} as ${key}, which wins where both can be written`, () => {
      const layer = (fields: Readonly<Record<string, unknown>>) =>
        new GeminiSettings([{ layer: 'user', file: '/s.json', fields }]);
      assert.equal(layer({ [flat]: 'old' }).own(key)?.value, 'old');
      if (flat === 'model') return;
      const [section = '', ...rest] = key.split('.');
      const now = rest.reduceRight<unknown>((value, name) => ({ [name]: value }), 'new');
      assert.equal(layer({ [section]: now, [flat]: 'old' }).own(key)?.value, 'new');
    });
  }

  it('have both of two lists that exclude tools', () => {
    const fields = { excludeTools: ['a'], tools: { exclude: ['b'] } };
    const settings = new GeminiSettings([{ layer: 'user', file: '/s.json', fields }]);
    assert.deepEqual(settings.own('tools.exclude')?.value, ['a', 'b']);
  });
});
