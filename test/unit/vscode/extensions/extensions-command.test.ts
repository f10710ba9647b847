import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { broughtText } from '../../../../extension/vscode/extensions/extension-list.ts';
import { ExtensionsCommand } from '../../../../extension/vscode/extensions/extensions-command.ts';
import type { SlashNotice } from '../../../../extension/vscode/suggestions/slash-command.ts';
import { everything, installExtension } from '../../../support/gemini-extensions.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { testHost } from '../../../support/test-host.ts';

describe('/extensions', () => {
  let folder: TempFolder;
  let service: AgentService;
  let trusted: boolean;
  const home = () => join(folder.path, 'home');
  const project = () => join(folder.path, 'project');
  const enablement = () => join(home(), '.gemini', 'extensions', 'extension-enablement.json');

  beforeEach(async () => {
    folder = await tempFolder('extensions-command');
    trusted = true;
    await mkdir(project(), { recursive: true });
    service = new AgentService(testHost({ roots: [project()], environment: { GEMINI_CLI_HOME: home() } }));
  });
  afterEach(async () => {
    await service.dispose();
    await folder.dispose();
  });

  const commandOf = () => {
    const source = new ExtensionsCommand({ load: () => Promise.resolve(service), isTrusted: () => trusted });
    const [command] = source.commands();
    assert.ok(command);
    return command;
  };
  const run = async (argument: string) => commandOf().run(argument);
  const noticeOf = async (argument: string): Promise<SlashNotice> => {
    const outcome = await run(argument);
    assert.ok(outcome && 'notice' in outcome, JSON.stringify(outcome));
    return outcome.notice;
  };
  const refusedBy = async (argument: string): Promise<string> => {
    const outcome = await run(argument);
    assert.ok(outcome && 'refused' in outcome, JSON.stringify(outcome));
    return `${outcome.refused.title}: ${outcome.refused.detail}`;
  };

  it('lists each with its version, whether it is on, what is in it, and its manifest', async () => {
    const full = await installExtension(home(), 'issues', everything('issues'));
    const empty = await installExtension(home(), 'notes');
    const { rows, actions } = await noticeOf('');
    const inIt = 'instructions, 1 command, 1 skill, 1 agent, 1 MCP server, hooks, rules, refuses 2 tools';
    assert.deepEqual(rows, [
      {
        name: 'issues',
        value: `1.0.0, on in this folder · ${inIt} · About issues.`,
        file: { path: join(full, 'gemini-extension.json') },
      },
      {
        name: 'notes',
        value: '1.0.0, on in this folder · is empty',
        file: { path: join(empty, 'gemini-extension.json') },
      },
    ]);
    assert.deepEqual(
      actions?.map(({ command }) => command),
      ['gantry.extensions'],
    );
  });

  it('does not count what leads out of the extension', async () => {
    await mkdir(join(folder.path, 'elsewhere', 'agents'), { recursive: true });
    await writeFile(join(folder.path, 'elsewhere', 'agents', 'a.md'), '');
    await writeFile(join(folder.path, 'elsewhere', 'x.toml'), '');
    const at = await installExtension(home(), 'links', { 'commands/own.toml': 'prompt = "x"' });
    await symlink(join(folder.path, 'elsewhere', 'x.toml'), join(at, 'commands', 'x.toml'));
    await symlink(join(folder.path, 'elsewhere', 'agents'), join(at, 'agents'));
    await service.extensions.refresh();
    assert.equal(broughtText(await service.extensions.broughtBy('links')), '1 command');
  });

  it('says what is wrong, with the place, and that there are none', async () => {
    assert.match((await noticeOf('list')).title, /There are no extensions/);
    const at = await installExtension(home(), 'broken', { 'gemini-extension.json': '{\n  "name": ' });
    const [, problem] = (await noticeOf('list')).rows;
    assert.deepEqual(problem?.file, { path: join(at, 'gemini-extension.json'), line: 2 });
    assert.match(problem?.value ?? '', /not valid JSON/);
  });

  it('switches one off and on for this folder, in the file that Gemini CLI reads, and its servers with it', async () => {
    await installExtension(home(), 'issues', everything('issues'));
    await service.mcp.refresh();
    assert.equal(service.mcp.statuses.length, 1);
    const { rows } = await noticeOf('disable ISSUES');
    assert.match(rows[0]?.value ?? '', /^1\.0\.0, off in this folder · instructions, /);
    assert.deepEqual(JSON.parse(await readFile(enablement(), 'utf8')), {
      issues: { overrides: [`!${project()}/*`] },
    });
    assert.equal(service.mcp.statuses.length, 0);
    assert.match((await noticeOf('enable issues')).rows[0]?.value ?? '', /, on in this folder/);
    assert.equal(service.mcp.statuses.length, 1);
  });

  it('writes nothing over a file that cannot be understood, and says which', async () => {
    await installExtension(home(), 'issues');
    await writeFile(enablement(), '{\n  "issues": [');
    assert.equal(
      await refusedBy('disable issues'),
      `"issues" was not turned off: ${enablement()}:2 is invalid, so nothing was written: a ] is missing.`,
    );
    assert.equal(await readFile(enablement(), 'utf8'), '{\n  "issues": [');
  });

  it('refuses what it does not know, and offers what is like it', async () => {
    await installExtension(home(), 'issues');
    assert.equal(await refusedBy('disable isues'), 'There is no extension "isues".: Use issues.');
    assert.equal(await refusedBy('enable'), 'Which extension do you mean?: Use issues.');
    assert.equal(
      await refusedBy('update issues'),
      '/extensions has no subcommand "update": Use list, enable, disable.',
    );
  });

  it('completes what can be done, and says in Restricted Mode what still counts', async () => {
    await installExtension(home(), 'issues');
    const command = commandOf();
    await command.run('');
    assert.deepEqual(
      command.values?.().map(({ value }) => value),
      ['list', 'disable issues'],
    );
    trusted = false;
    assert.match((await noticeOf('')).title, /not trusted, so only their rules apply/);
  });
});
