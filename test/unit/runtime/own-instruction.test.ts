import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { createReadFileTool } from '../../../extension/tools/files/read-file.ts';
import { memoryNotice } from '../../../extension/vscode/input/slash/knowledge-notices.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

const GENERAL = /You are Gantry, a coding agent/;

describe('The user’s own instruction', () => {
  const agent = useAgent();
  let home: TempFolder;
  beforeEach(async () => {
    home = await tempFolder('own-instruction');
    await mkdir(join(agent.workspace, '.gemini'), { recursive: true });
  });
  afterEach(() => home.dispose());

  const inProject = () => join(agent.workspace, '.gemini', 'system.md');
  const open = (variables: Readonly<Record<string, string>>, trusted = true): AgentService =>
    agent.open([createReadFileTool()], {
      trusted,
      environment: { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, GEMINI_CLI_HOME: home.path, ...variables },
    });
  const told = () => agent.endpoint.requests.filter((each) => !each.asksForTitle).at(-1)?.systemText ?? '';
  const said = async (service: AgentService) => {
    agent.endpoint.reply('ok');
    const session = await service.createSession();
    const problems: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') problems.push(JSON.stringify(event));
    });
    await all(session, message('Hi'));
    return { session, problems };
  };

  it('takes the place of the general part; folder, mode and files with instructions stay', async () => {
    const file = join(home.path, 'mine.md');
    await writeFile(file, 'You are a pirate.\n');
    await writeFile(join(agent.workspace, 'GEMINI.md'), 'Use tabs.');
    const { problems } = await said(open({ GEMINI_SYSTEM_MD: file }));
    assert.match(told(), /^You are a pirate\.\n\nThe workspace folder is /);
    assert.match(told(), /Use tabs\./);
    assert.doesNotMatch(told(), GENERAL);
    assert.deepEqual(problems, []);
  });

  it('has the variables of Gemini CLI in it, and what they stand for is not looked through again', async () => {
    const skill = `---\nname: pdf\ndescription: Reads \${AvailableTools}\n---\nRead.\n`;
    await mkdir(join(home.path, '.gemini', 'skills', 'pdf'), { recursive: true });
    await writeFile(join(home.path, '.gemini', 'skills', 'pdf', 'SKILL.md'), skill);
    const marks = ['AvailableTools', 'read_file_ToolName', 'SubAgents', 'AgentSkills', 'Other'];
    await writeFile(inProject(), marks.map((name) => `${name} [\${${name}}]`).join('\n'));
    await said(open({ GEMINI_SYSTEM_MD: '1' }));
    assert.match(told(), /AvailableTools \[- read_file\]\nread_file_ToolName \[read_file\]/);
    assert.match(told(), /SubAgents \[- codebase_investigator: /);
    assert.match(told(), /AgentSkills \[There are skills[\s\S]*- pdf: Reads \$\{AvailableTools\}\]/);
    assert.match(told(), /Other \[\$\{Other\}\]/);
    assert.equal(told().split('There are skills').length, 2, 'listed once');
  });

  it('of a folder that is not trusted is not used, nor one that a link of it leads to, which is reported once', async () => {
    await writeFile(inProject(), 'You are a pirate.');
    const { session, problems } = await said(open({ GEMINI_SYSTEM_MD: 'true' }, false));
    agent.endpoint.reply('again');
    await all(session, message('Again'));
    assert.match(told(), GENERAL);
    assert.doesNotMatch(told(), /pirate/);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /Your own instruction is not used.*this folder is not trusted/);

    await rm(join(agent.workspace, '.gemini'), { recursive: true });
    await writeFile(join(home.path, 'system.md'), 'You are a pirate.');
    await symlink(home.path, join(agent.workspace, '.gemini'));
    for (const trusted of [false, true]) {
      const linked = await said(open({ GEMINI_SYSTEM_MD: 'true' }, trusted));
      assert.match(told(), GENERAL, String(trusted));
      assert.match(linked.problems.join(), trusted ? /links to a file outside its folder/ : /not trusted/);
    }
  });

  it('outside of the folder counts in Restricted Mode too, which is still reported', async () => {
    const file = join(home.path, 'mine.md');
    await writeFile(file, 'You are a pirate.');
    await said(open({ GEMINI_SYSTEM_MD: file }, false));
    assert.match(told(), /^You are a pirate\.[\s\S]*The user has not trusted this folder/);
  });

  it('is named by nothing but the user’s environment', async () => {
    await writeFile(inProject(), 'You are a pirate.');
    await writeFile(join(agent.workspace, '.env'), 'GEMINI_SYSTEM_MD=1\n');
    await writeFile(join(agent.workspace, '.gemini', '.env'), 'GEMINI_SYSTEM_MD=1\n');
    const settings = { GEMINI_SYSTEM_MD: '1', env: { GEMINI_SYSTEM_MD: '1' } };
    await writeFile(join(agent.workspace, '.gemini', 'settings.json'), JSON.stringify(settings));
    for (const variables of [{}, { GEMINI_SYSTEM_MD: '0' }, { GEMINI_SYSTEM_MD: 'false' }]) {
      await said(open(variables));
      assert.match(told(), GENERAL);
    }
  });

  it('that is not there, empty or where the agent could change it unseen is not used, and the reason is reported', async () => {
    const wrong: readonly [string, RegExp][] = [
      [join(home.path, 'gone.md'), /there is no such file/],
      [home.path, /it cannot be read/],
      ['prompts.md', /not in its \.gemini/],
    ];
    await writeFile(join(agent.workspace, 'prompts.md'), 'You are a pirate.');
    for (const [path, why] of wrong) {
      const { problems } = await said(open({ GEMINI_SYSTEM_MD: path }));
      assert.match(problems.join(), why);
      assert.match(told(), GENERAL);
    }
  });

  it('is listed with what it costs, and a change counts from the next request on', async () => {
    await writeFile(inProject(), 'You are a pirate.');
    const service = open({ GEMINI_SYSTEM_MD: '1' });
    const { session } = await said(service);
    const { instruction, memory } = service.session(idOf(session)).knowledge;
    const { rows, title } = memoryNotice(memory.loaded(), (path) => path, instruction.inPlace);
    assert.match(title, /about \d+ tokens/);
    assert.equal(rows[0]?.file?.path, inProject());
    assert.match(rows[0]?.value ?? '', /^Replaces Gantry's own instruction \(GEMINI_SYSTEM_MD\)\. About \d+ tokens$/);
    await writeFile(inProject(), 'You are a parrot, and a long one.');
    agent.endpoint.reply('ok');
    await all(session, message('Again'));
    assert.match(told(), /^You are a parrot/);
  });

  it('is begun with what Gantry would say, in a file that is never written over', async () => {
    await said(open({ GEMINI_WRITE_SYSTEM_MD: '1' }));
    const written = await readFile(inProject(), 'utf8');
    assert.match(written, GENERAL);
    assert.ok(told().startsWith(written.slice(0, written.indexOf('# Limits'))), 'its sections come first');
    assert.ok(written.trim().endsWith(told().slice(told().indexOf('# Limits'))), 'and the limits last');
    await writeFile(inProject(), 'mine');
    await said(open({ GEMINI_WRITE_SYSTEM_MD: '1' }));
    assert.equal(await readFile(inProject(), 'utf8'), 'mine');
  });

  it('is not written into a folder that is not trusted, nor through a link that leads out of one', async () => {
    const untrusted = await said(open({ GEMINI_WRITE_SYSTEM_MD: '1' }, false));
    assert.match(untrusted.problems.join(), /was not written: .* Reason: this folder is not trusted/);
    await assert.rejects(readFile(inProject()), { code: 'ENOENT' });
    await rm(join(agent.workspace, '.gemini'), { recursive: true });
    await symlink(home.path, join(agent.workspace, '.gemini'));
    const linked = await said(open({ GEMINI_WRITE_SYSTEM_MD: '1' }));
    assert.match(linked.problems.join(), /was not written: .* Reason: it links to a file outside its folder/);
    await assert.rejects(readFile(join(home.path, 'system.md')), { code: 'ENOENT' });
  });
});
