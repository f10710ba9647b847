import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notice } from '../../extension/protocol/input-to-panel.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

/** From where the bundle of these tests is. */
const FIXTURE = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'project-with-everything');

describe('A project with everything for agents in it, in VS Code', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let gemini: GeminiEndpoint;
  let window: PanelWindow;
  let answers: WindowAnswers;
  let asked = 0;

  async function open(trusted: boolean): Promise<void> {
    await cp(FIXTURE, folder.path, { recursive: true });
    const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
    const sessions = join(home.path, 'sessions');
    const options = { roots: [folder.path], sessions, environment, baseUrl: gemini.url, trusted };
    window = new PanelWindow(testHost(options), new Map());
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
  }

  beforeEach(async () => {
    [folder, home, gemini] = [await createTempWorkspace(), await createTempWorkspace(), await startGeminiEndpoint()];
    answers = new WindowAnswers();
    answers.pressing(undefined);
  });
  afterEach(async () => {
    answers.restore();
    await window.close();
    await gemini.dispose();
    await folder.dispose();
    await home.dispose();
  });

  async function slash(text: string): Promise<Notice | undefined> {
    const ref = ++asked;
    const before = window.end.posted.length;
    window.end.say({ type: 'slash', ref, text });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === ref && message);
    return window.end.posted.slice(before).find((message) => message.type === 'notice')?.notice;
  }

  /** What each command lists. Those of Gantry itself are left out. */
  async function listed(): Promise<Record<string, string[]>> {
    const names = async (command: string, isOfFolder = (_row: Notice['rows'][number]) => true): Promise<string[]> =>
      ((await slash(command))?.rows ?? [])
        .filter(isOfFolder)
        .map(({ name, value }) => `${name}: ${value.split('.')[0]}`);
    return {
      // The folder is not the one that VS Code has open, so imports have their whole paths.
      memory: (await names('/memory')).map((row) => row.replace(`${folder.path}/`, '')),
      skills: await names('/skills'),
      agents: await names('/agents', ({ link }) => link !== undefined),
      hooks: (await names('/hooks')).map((row) => row.replace(/: .*yes.*/, ': waits')),
      policies: await names('/policies', ({ value }) => value.startsWith('This folder')),
    };
  }

  async function offered(): Promise<string[]> {
    const id = ++asked;
    window.end.say({ type: 'suggest', id, about: 'command', query: '/' });
    const { groups } = await window.end.waitUntilFound(
      (message) => message.type === 'suggestions' && message.id === id && message,
    );
    return groups.flatMap(({ items }) => items.map(({ label }) => label)).filter((label) => label.includes(':'));
  }

  const hasRun = async (): Promise<string[]> => (await readdir(folder.path)).filter((name) => name.endsWith('-ran'));

  it('is listed when it is trusted, and what would run waits', async () => {
    await open(true);
    assert.deepEqual(await listed(), {
      memory: ['GEMINI.md: Of this folder', 'docs/style.md: Imported by GEMINI', 'AGENTS.md: Of this folder'],
      skills: ['release: Of this folder, asks when it is used', 'changelog: Of this folder, asks when it is used'],
      agents: ['reviewer: Off: It comes with this folder and waits for your yes'],
      hooks: ['BeforeTool: waits'],
      policies: ['rules.toml: This folder: 1 rule would allow more, after your yes'],
    });
    assert.deepEqual(await offered(), ['/git:commit']);
    assert.deepEqual(
      (await slash('/mcp'))?.rows.map(({ name, value }) => `${name}: ${value.split(' · ')[0]}`),
      ['notes: waits for your yes'],
    );
    assert.deepEqual(await hasRun(), []);
  });

  it('is data and nothing else when it is not trusted', async () => {
    await open(false);
    assert.deepEqual(await listed(), {
      memory: ['GEMINI.md: Of this folder', 'AGENTS.md: Of this folder'],
      skills: [],
      agents: [],
      hooks: [],
      policies: [],
    });
    const memory = await slash('/memory');
    assert.ok(memory?.rows.every(({ value }) => value.includes('Quoted as data, because this folder is not trusted')));
    assert.deepEqual(await offered(), []);
    gemini.reply('I only look.');
    await window.ask('What is here?');
    const { systemText = '', toolNames = [] } = gemini.requests[0] ?? {};
    const ofFolder = systemText.split('\n').filter((line) => line.includes('Words of'));
    assert.ok(ofFolder.length === 2 && ofFolder.every((line) => line.startsWith('> ')), ofFolder.join('\n'));
    assert.ok(!toolNames.includes('run_shell_command') && toolNames.includes('read_file'));
    assert.deepEqual(await hasRun(), []);
  });
});
