import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { NO_CUSTOMIZATIONS } from '../../../../extension/runtime/knowledge/folder-customizations.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { type TestHost, testHost } from '../../../support/test-host.ts';

const SETTINGS = {
  // A comment, as people write them.
  hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'lint', name: 'lint' }] }] },
  mcpServers: { jira: { command: 'jira-mcp' }, docs: { httpUrl: 'https://example.org' } },
};
const ALLOWS =
  '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm test"\ndecision = "allow"\npriority = 5\n';

describe('What a folder brings along', () => {
  let folder: TempWorkspace;
  let host: TestHost;
  let service: AgentService;

  beforeEach(async () => {
    folder = await createTempWorkspace({
      'GEMINI.md': 'Be nice',
      '.gemini/settings.json': JSON.stringify(SETTINGS),
      '.vscode/mcp.json': '{ "servers": { "shared": { "command": "x" } } }',
      '.gemini/policies/team.toml': ALLOWS,
      '.gemini/agents/planner.md': '---\nname: planner\ndescription: Plans\n---\nPlan.',
      '.gemini/skills/pdf/SKILL.md': '# PDF',
      '.gemini/skills/unfinished/notes.md': '',
      '.gemini/commands/git/commit.toml': 'prompt = "x"',
    });
    host = testHost({ roots: [folder.path], trusted: false });
    service = new AgentService(host);
  });
  afterEach(async () => {
    await service.dispose();
    await folder.dispose();
  });

  it('is not looked at before it is trusted', async () => {
    assert.deepEqual(await service.findCustomizations(), NO_CUSTOMIZATIONS);
  });

  it('is found once it is, with what requires approval', async () => {
    host.trusted = true;
    assert.deepEqual(await service.findCustomizations(), {
      policies: [{ name: 'team.toml', waitingRules: 1 }],
      hooks: { accepted: 0, waiting: ['lint at BeforeTool'] },
      mcpServers: { accepted: [], waiting: ['shared', 'jira', 'docs'] },
      agents: { accepted: 0, waiting: ['planner'] },
      skills: ['pdf'],
      commands: [join('git', 'commit')],
      instructions: ['GEMINI.md'],
    });
  });

  it('is found without following links to folders, however they lead back', async () => {
    host.trusted = true;
    const commands = join(folder.path, '.gemini', 'commands');
    for (const name of ['a', 'b']) await symlink('.', join(commands, name));
    await rm(join(folder.path, '.gemini', 'agents'), { recursive: true });
    await symlink(commands, join(folder.path, '.gemini', 'agents'));
    await folder.write({ '.gemini/commands/helper.md': '', '.gemini/commands/git/deep/er.toml': '' });
    const found = await service.findCustomizations();
    assert.deepEqual(found.commands, [join('git', 'commit'), join('git', 'deep', 'er')]);
    assert.deepEqual(found.agents, NO_CUSTOMIZATIONS.agents);
  });

  it('is found up to a number that nobody has', async () => {
    host.trusted = true;
    const many = Array.from({ length: 600 }, (_, index) => [`.gemini/commands/command-${index}.toml`, '']);
    await folder.write(Object.fromEntries(many));
    assert.equal((await service.findCustomizations()).commands.length, 500);
  });

  it('is still news to the conversation that reports its hooks', async () => {
    host.trusted = true;
    await service.findCustomizations();
    assert.equal((await service.hooks.refresh()).length, 1);
  });
});
