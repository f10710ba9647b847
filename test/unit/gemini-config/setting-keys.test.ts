import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { GeminiSettings } from '../../../extension/gemini-config/gemini-settings.ts';
import { SETTING_KEYS, type SettingKey } from '../../../extension/gemini-config/setting-keys.ts';
import { unappliedNote } from '../../../extension/gemini-config/unapplied.ts';
import { repoRoot } from '../../support/repo.ts';

const PAGE = join(repoRoot, 'docs', 'gemini-cli.md');
const START = '<!-- keys: made from extension/gemini-config/setting-keys.ts -->\n';
const END = '<!-- end of keys -->';

/** One table for each section; keys with one answer share a row. */
function tables(): string {
  const sections = grouped(SETTING_KEYS, ({ key }) => (key.includes('.') ? (key.split('.')[0] ?? '') : 'at the top'));
  return [...sections]
    .map(([section, keys]) => {
      const rows = grouped(keys, ({ verdict, note }) => `${verdict} | ${note}`);
      const lines = [...rows].map(
        ([answer, of]) => `| ${of.map((key) => shortName(key, section)).join(', ')} | ${answer} |`,
      );
      return `### ${section}\n\n| key | | |\n|---|---|---|\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

function grouped(keys: readonly SettingKey[], nameOf: (key: SettingKey) => string): Map<string, SettingKey[]> {
  const groups = new Map<string, SettingKey[]>();
  for (const key of keys) groups.set(nameOf(key), [...(groups.get(nameOf(key)) ?? []), key]);
  return groups;
}

function shortName({ key }: SettingKey, section: string): string {
  return `\`${key.startsWith(`${section}.`) ? key.slice(section.length + 1) : key}\``;
}

describe('The page about settings of Gemini CLI', () => {
  it('has every key with what Gantry makes of it', async () => {
    const page = await readFile(PAGE, 'utf8');
    const start = page.indexOf(START) + START.length;
    const end = page.indexOf(END);
    assert.ok(start >= START.length && end > start, 'the page has the marks between which the keys stand');
    const now = `${page.slice(0, start)}\n${tables()}\n${page.slice(end)}`;
    if (process.env['GANTRY_UPDATE_DOCS'] === '1') await writeFile(PAGE, now);
    assert.equal(page, now, 'run this test with GANTRY_UPDATE_DOCS=1 to write the keys');
  });

  it('has each key once, and says something about it', () => {
    const keys = SETTING_KEYS.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual(
      SETTING_KEYS.filter(({ note }) => note.trim() === ''),
      [],
    );
  });
});

describe('Settings that do not count', () => {
  const note = (fields: Readonly<Record<string, unknown>>, layer: 'user' | 'project' = 'user') =>
    unappliedNote(new GeminiSettings([{ layer, file: '/s.json', fields }]));

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
