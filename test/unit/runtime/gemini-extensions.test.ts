import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, answer, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { everything, installExtension, manifest } from '../../support/gemini-extensions.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import type { TestHostOptions } from '../../support/test-host.ts';

describe('Extensions in a conversation', () => {
  const agent = useAgent();
  let home: TempFolder;
  beforeEach(async () => {
    home = await tempFolder('extensions');
  });
  afterEach(() => home.dispose());

  const open = (options: TestHostOptions = {}): AgentService =>
    agent.open(productTools, {
      environment: {
        GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
        GEMINI_CLI_HOME: home.path,
        PATH: process.env['PATH'] ?? '',
      },
      ...options,
    });
  const instruction = () =>
    JSON.stringify(agent.endpoint.requests.filter((each) => !each.asksForTitle).at(-1)?.body.systemInstruction);
  const said = async (service: AgentService) => {
    agent.endpoint.reply('ok');
    const session = await service.createSession();
    await all(session, message('Hi'));
    return session;
  };
  /** All that is there, with whose it is. */
  const found = async (service: AgentService) => {
    const session = await said(service);
    const { memory, skills } = service.session(idOf(session)).knowledge;
    await service.customCommands.library.refresh();
    const rules = (await service.policies.files()).filter(({ tier }) => tier === 'extension');
    return {
      memory: memory.loaded().map(({ label }) => label),
      skills: skills.list().map(({ name, origin }) => `${name} (${origin})`),
      commands: service.customCommands.library.list.map(({ name, description }) => `${name}: ${description}`),
      agents: service.agents
        .listed()
        .flatMap(({ definition, extension }) => (extension === undefined ? [] : `${definition.name} of ${extension}`)),
      servers: service.mcp.statuses.map(
        ({ name, definition, state }) => `${name} of ${definition.origin.extension}: ${state.kind}`,
      ),
      hooks: service.hooks.waiting.map(({ event, hook }) => `${event} of ${hook.extension}`),
      rules: rules.map(({ extension }) => extension),
    };
  };
  const NOTHING = { memory: [], skills: [], commands: [], agents: [], servers: [], hooks: [], rules: [] };
  const ALL = {
    memory: ['extension issues: docs/CONTEXT.md'],
    skills: ['triage (extension issues)'],
    commands: ['tracker:close: [issues] Closes an issue'],
    agents: ['reviewer of issues'],
    servers: ['tracker of issues: waiting'],
    hooks: ['BeforeTool of issues'],
    rules: ['issues'],
  };

  it('bring everything along, each thing with their name', async () => {
    const folder = await installExtension(home.path, 'issues', everything('issues'));
    const service = open();
    assert.deepEqual(await found(service), ALL);
    assert.match(
      instruction(),
      /memory from=.*extension issues: docs\/CONTEXT\.md.*Context of issues\..*More of issues\./,
    );
    const [waiting] = service.hooks.waiting;
    assert.equal(waiting?.hook.command, `${join(folder, 'check.sh')} issues`);
    assert.deepEqual(service.mcp.statuses[0]?.definition.trust, false);
    const reach = service.mcp.statuses[0]?.definition.reach;
    assert.deepEqual(reach?.kind === 'stdio' && [reach.args, reach.env], [
      [join(folder, 'server.js'), `\${workspacePath}`],
      { HOME_OF: folder },
    ]);
  });

  it('bring nothing along where they are switched off, and everything again where they are on', async () => {
    await installExtension(home.path, 'issues', everything('issues'));
    const service = open();
    await service.extensions.refresh();
    await service.extensions.setEnabled('issues', 'workspace', false);
    assert.deepEqual(await found(service), NOTHING);
    assert.deepEqual(service.extensions.rules, []);
    await service.extensions.setEnabled('issues', 'workspace', true);
    assert.deepEqual(await found(service), ALL);
    await service.extensions.setEnabled('issues', 'workspace', false);
    assert.deepEqual(await found(service), NOTHING);
  });

  it('bring only rules along in Restricted Mode', async () => {
    await installExtension(home.path, 'issues', everything('issues'));
    assert.deepEqual(await found(open({ trusted: false })), { ...NOTHING, rules: ['issues'] });
  });

  it('run nothing before it is approved as it is, and ask again when it changes', async () => {
    const starts = join(home.path, 'starts');
    const ran = join(home.path, 'ran');
    const files = (mark: string) => ({
      ...everything('issues'),
      'gemini-extension.json': manifest('issues', {
        mcpServers: { tracker: stdio('good', { env: { mark } }, starts) },
      }),
      'hooks/hooks.json': JSON.stringify({
        hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `echo ${mark} >> '${ran}'` }] }] },
      }),
    });
    await installExtension(home.path, 'issues', files('one'));
    const service = open();
    await said(service);
    const inForce = () => service.hooks.groups.flatMap(({ hooks }) => hooks.map(({ source }) => source));
    assert.deepEqual([inForce(), service.mcp.servers.length, service.agents.agent('reviewer')], [[], 0, undefined]);

    await service.hooks.accept(service.hooks.waiting.map(({ hash }) => hash));
    await service.mcp.accept(service.mcp.statuses.map(({ definition }) => definition.hash));
    for (const waiting of service.agents.waiting) await service.agents.accept(waiting);
    await Promise.all(service.mcp.servers.map(({ settled }) => settled));
    assert.deepEqual(inForce(), ['extension']);
    const reviewer = service.agents.localAgents().find(({ name }) => name === 'reviewer');
    assert.deepEqual(reviewer?.prompt, { text: `Read ${join(home.path, '.gemini', 'extensions', 'issues')}.` });
    const echo = service.mcp.tools().find(({ name }) => name === 'mcp_tracker_echo');
    assert.match(echo?.displayName ?? '', /\(tracker, extension issues\)$/);

    await installExtension(home.path, 'issues', files('two'));
    await said(service);
    assert.deepEqual([inForce(), service.mcp.statuses[0]?.state.kind], [[], 'waiting']);
  });

  it('make skills known that require approval, which says whose they are', async () => {
    const folder = await installExtension(home.path, 'issues', everything('issues'));
    agent.endpoint.reply(call('activate_skill', { name: 'triage' }));
    agent.endpoint.reply('done');
    const session = await open({ approvalMode: 'yolo' }).createSession();
    const asked: unknown[] = [];
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      asked.push(event._meta?.approval?.details);
      void session.send(answer(event.requestId, 'accept'));
    });
    await all(session, message('Triage'));
    assert.match(JSON.stringify(asked), /triage \(extension issues\): Triage of issues\./);
    assert.match(JSON.stringify(agent.endpoint.requests.at(-1)?.toolResults), new RegExp(`Look into ${folder}`));
  });

  it('refuse by their rules and excluded tools, and allow nothing', async () => {
    await installExtension(home.path, 'issues', everything('issues'));
    const service = open();
    agent.endpoint.reply(call('write_file', { file_path: 'a.txt', content: 'x' }));
    agent.endpoint.reply(call('web_fetch', { prompt: 'Read https://example.org' }));
    agent.endpoint.reply(call('run_shell_command', { command: 'rm -rf build' }));
    agent.endpoint.reply('done');
    const session = await service.createSession();
    await all(session, message('Go'));
    const results = JSON.stringify(agent.endpoint.requests.flatMap(({ toolResults }) => toolResults));
    assert.match(results, /Edits are refused\. Rule rules\.toml:1 \(extension issues\)/);
    assert.match(results, /Web requests are refused\. Rule gemini-extension\.json:\d+ \(extension issues\)/);
    assert.match(results, /Commands are refused\. Rule gemini-extension\.json:\d+ \(extension issues\)/);
    const lines = service.policies.problems.map(({ line, reason }) => `${line}: ${reason}`);
    assert.deepEqual(lines, [
      '7: An extension can neither allow something nor have rules for yolo mode, so this is not in force.',
      '13: An extension can neither allow something nor have rules for yolo mode, so this is not in force.',
    ]);
  });

  it('that have the same names as others keep apart', async () => {
    await installExtension(home.path, 'issues', everything('issues'));
    await installExtension(home.path, 'more', everything('more'));
    await mkdir(join(home.path, '.gemini', 'commands', 'tracker'), { recursive: true });
    await writeFile(join(home.path, '.gemini', 'commands', 'tracker', 'close.toml'), 'prompt = "Mine"');
    const service = open({ mcpServers: { tracker: { command: 'mine', excludeTools: ['a'] } } });
    const all = await found(service);
    assert.deepEqual(all.memory, ['extension issues: docs/CONTEXT.md', 'extension more: docs/CONTEXT.md']);
    assert.deepEqual(all.commands, [
      'issues:tracker:close: [issues] Closes an issue',
      'more:tracker:close: [more] Closes an issue',
      'tracker:close: Command of close.toml',
    ]);
    assert.deepEqual(all.skills, ['triage (extension more)'], 'the later one, as in Gemini CLI');
    assert.deepEqual(all.agents, ['reviewer of issues', 'reviewer of more']);
    assert.deepEqual(all.hooks, ['BeforeTool of issues', 'BeforeTool of more']);
    assert.deepEqual(all.rules, ['issues', 'more']);
    assert.deepEqual(
      service.mcp.statuses.map(({ definition: { origin, reach } }) => [
        origin.scope,
        reach.kind === 'stdio' && reach.command,
      ]),
      [['user', 'mine']],
    );
    assert.deepEqual(service.mcp.statuses[0]?.definition.excludeTools, ['a', 'delete']);
    const { library } = service.customCommands;
    assert.equal(library.find('tracker:close')?.source, 'user');
    assert.equal(library.find('MORE:tracker:close')?.extension, 'more');
  });

  it('read nothing through a link that leads out of them', async () => {
    const folder = await installExtension(home.path, 'issues', everything('issues'));
    const outside = join(home.path, 'outside');
    for (const name of ['docs', 'commands', 'skills', 'agents', 'hooks', 'policies']) {
      await mkdir(outside, { recursive: true });
      await rename(join(folder, name), join(outside, name));
      await symlink(join(outside, name), join(folder, name));
    }
    const service = open();
    assert.deepEqual(await found(service), { ...NOTHING, servers: ALL.servers });
    assert.match(service.policies.problems.map(({ reason }) => reason).join(), /links to a place outside/);
    assert.match(service.agents.problems.map(({ text }) => text).join(), /it leads to a file outside its folder/);
    await rm(join(folder, 'docs'));
    await mkdir(join(folder, 'docs'));
    await symlink(join(outside, 'docs', 'CONTEXT.md'), join(folder, 'docs', 'CONTEXT.md'));
    assert.deepEqual((await found(service)).memory, []);
  });

  it('that are worked on in the open folder are changed by nobody unseen, their programs as any other file', async () => {
    await installExtension(home.path, 'mine');
    const link = join(home.path, '.gemini', 'extensions', 'mine');
    await rename(join(link, 'gemini-extension.json'), join(agent.workspace, 'gemini-extension.json'));
    await writeFile(
      join(link, '.gemini-extension-install.json'),
      JSON.stringify({ type: 'link', source: agent.workspace }),
    );
    const files = ['server.js', 'gemini-extension.json', 'commands/a.toml', 'policies/a.toml', 'hooks/hooks.json'];
    for (const file of files) agent.endpoint.reply(call('write_file', { file_path: file, content: 'x' }));
    agent.endpoint.reply('done');
    const session = await open({ approvalMode: 'yolo' }).createSession();
    const asked: string[] = [];
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      asked.push(event._meta?.approval?.why ?? '');
      void session.send(answer(event.requestId, 'decline'));
    });
    await all(session, message('Change it'));
    assert.equal(asked.length, files.length - 1, asked.join('\n'));
  });

  it('tell a session once what is wrong with them', async () => {
    await installExtension(home.path, 'broken', { 'gemini-extension.json': '{' });
    const session = await open().createSession();
    const told: string[] = [];
    session.subscribe((event) => {
      if (event.type === 'error') told.push(JSON.stringify(event));
    });
    for (const text of ['Hi', 'Again']) {
      agent.endpoint.reply('ok');
      await all(session, message(text));
    }
    assert.equal(told.length, 1);
    assert.match(
      told[0] ?? '',
      /An extension has errors.*broken\/gemini-extension\.json:1: The file is not valid JSON/,
    );
  });
});
