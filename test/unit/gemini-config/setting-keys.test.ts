import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { GeminiSettings } from '../../../extension/gemini-config/gemini-settings.ts';
import { settingKeys } from '../../../extension/gemini-config/setting-keys.ts';
import { NOT_YET, settingsNotes } from '../../../extension/gemini-config/unapplied.ts';

describe("The list of Gemini CLI's settings", () => {
  it('has each key once, and says something about it', () => {
    const keys = settingKeys().map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual(
      settingKeys().filter(({ note }) => note.trim() === ''),
      [],
    );
  });

  it('has the settings that are not applied yet, which are also named at the start', () => {
    const notYet = settingKeys().filter(({ verdict }) => verdict === 'not yet');
    assert.deepEqual(notYet.map(({ key }) => key).sort(), [...NOT_YET].sort());
  });
});

describe('Settings that do not count', () => {
  const note = (fields: Readonly<Record<string, unknown>>, layer: 'user' | 'project' = 'user') =>
    settingsNotes(new GeminiSettings([{ layer, file: '/s.json', fields }])).join('\n') || undefined;

  it('are named in one line, with their file', () => {
    const fields = { tools: { sandbox: 'docker', exclude: ['a'] }, telemetry: { enabled: true, target: 'local' } };
    assert.equal(
      note(fields),
      'Settings of Gemini CLI that do not count in Gantry: "tools.sandbox" in /s.json, "telemetry.enabled" in /s.json, "telemetry.target" in /s.json.',
    );
  });

  it('are named by their old names too', () => {
    assert.match(note({ sandbox: true }) ?? '', /"tools\.sandbox" in \/s\.json/);
  });

  it('are among what a folder wants to allow', () => {
    assert.match(note({ tools: { allowed: ['write_file'] } }, 'project') ?? '', /"tools\.allowed" in \/s\.json/);
    assert.equal(note({ tools: { allowed: ['write_file'] } }), undefined);
  });

  it('are the models of a folder, which must not choose where requests go', () => {
    const modelConfigs = { customAliases: { a: { modelConfig: { model: 'x' } } } };
    assert.match(note({ modelConfigs }, 'project') ?? '', /in Gantry: "modelConfigs" in \/s\.json\.$/);
    assert.equal(note({ modelConfigs }), undefined);
  });

  it('are those with a value that they cannot have, which would forbid nothing', () => {
    const fields = {
      tools: { exclude: { web_fetch: true }, core: [5], allowed: 'glob' },
      security: { disableYoloMode: 'yes', disableAlwaysAllow: 'true' },
      skills: { enabled: null },
      model: {},
    };
    assert.equal(
      note(fields),
      'Settings of Gemini CLI that are ignored because of their values: "tools.exclude.web_fetch" in /s.json, "tools.core" in /s.json, "security.disableYoloMode" in /s.json.',
    );
  });

  it('are not those that count, do not apply, are unknown or change nothing', () => {
    const fields = {
      ui: { theme: 'Dracula' },
      general: { vimMode: true },
      tools: { exclude: ['a'], sandbox: false },
      mcpServers: { a: { command: 'b' } },
      somethingNew: true,
      telemetry: { enabled: false },
    };
    assert.equal(note(fields), undefined);
  });
});
