import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notice } from '../../extension/protocol/panel/input-to-panel.ts';
import { usePanelWindow } from './use-panel-window.ts';

/** From where the bundle of these tests is. */
const FIXTURE = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'project-with-everything');

describe('A project with everything for agents in it, in VS Code', () => {
  const panel = usePanelWindow();
  beforeEach(() => cp(FIXTURE, panel.folder.path, { recursive: true }));

  /** What each command lists. Those of Gantry itself are left out. */
  async function listed(): Promise<Record<string, string[]>> {
    const names = async (command: string, isOfFolder = (_row: Notice['rows'][number]) => true): Promise<string[]> =>
      (await panel.noticeOf(command)).rows
        .filter(isOfFolder)
        .map(({ name, value }) => `${name}: ${value.split('.')[0]}`);
    return {
      // The folder is not the one that VS Code has open, so imports have their whole paths.
      memory: (await names('/memory')).map((row) => row.replace(`${panel.folder.path}/`, '')),
      skills: await names('/skills'),
      agents: await names('/agents', ({ link }) => link !== undefined),
      hooks: (await names('/hooks')).map((row) => row.replace(/: Off until you approve it: .*/, ': waits')),
      policies: await names('/policies', ({ value }) => value.startsWith('This folder')),
    };
  }

  async function offered(): Promise<string[]> {
    const groups = await panel.suggested('command', '/');
    return groups.flatMap(({ items }) => items.map(({ label }) => label)).filter((label) => label.includes(':'));
  }

  const hasRun = async (): Promise<string[]> =>
    (await readdir(panel.folder.path)).filter((name) => name.endsWith('-ran'));

  it('is listed when it is trusted, and what would run waits', async () => {
    await panel.open({ trusted: true });
    assert.deepEqual(await listed(), {
      memory: ['GEMINI.md: In this folder', 'docs/style.md: Imported by GEMINI', 'AGENTS.md: In this folder'],
      skills: [
        'release: From this folder, requires approval when it is used',
        'changelog: From this folder, requires approval when it is used',
      ],
      agents: ['reviewer: Off: It comes with this folder and requires approval'],
      hooks: ['BeforeTool: waits'],
      policies: ['rules.toml: This folder: 1 rule that allows more requires approval'],
    });
    assert.deepEqual(await offered(), ['/git:commit']);
    assert.deepEqual(
      (await panel.noticeOf('/mcp')).rows.map(({ name, value }) => `${name}: ${value.split(' · ')[0]}`),
      ['notes: requires approval'],
    );
    assert.deepEqual(await hasRun(), []);
  });

  it('is data and nothing else when it is not trusted', async () => {
    await panel.open({ trusted: false });
    assert.deepEqual(await listed(), {
      memory: ['GEMINI.md: In this folder', 'AGENTS.md: In this folder'],
      skills: [],
      agents: [],
      hooks: [],
      policies: [],
    });
    const { rows } = await panel.noticeOf('/memory');
    assert.ok(rows.every(({ value }) => value.includes('Quoted as data, because this folder is not trusted')));
    assert.deepEqual(await offered(), []);
    panel.gemini.reply('I only look.');
    await panel.window.ask('What is here?');
    const { systemText = '', toolNames = [] } = panel.gemini.requests[0] ?? {};
    const ofFolder = systemText.split('\n').filter((line) => line.includes('Words of'));
    assert.ok(ofFolder.length === 2 && ofFolder.every((line) => line.startsWith('> ')), ofFolder.join('\n'));
    assert.ok(!toolNames.includes('run_shell_command') && toolNames.includes('read_file'));
    assert.deepEqual(await hasRun(), []);
  });
});
