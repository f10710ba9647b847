import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { repoRoot } from '../../support/repo.ts';

describe('A project that has everything for agents in it', () => {
  const agent = useAgent();
  const open = async (trusted: boolean): Promise<AgentService> => {
    await cp(join(repoRoot, 'test/fixtures/project-with-everything'), agent.workspace, { recursive: true });
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, PATH: process.env['PATH'] ?? '' };
    return agent.open(productTools, { trusted, environment });
  };
  const requests = () => agent.endpoint.requests.filter((each) => !each.asksForTitle);
  const told = () => JSON.stringify(requests().at(-1)?.body.systemInstruction);
  const offered = () => new Set(requests().at(-1)?.toolNames);
  /** Says something, has a file read and comes to an end. */
  const said = async (service: AgentService): Promise<string> => {
    agent.endpoint.reply(call('read_file', { file_path: 'src/answer.ts' }));
    agent.endpoint.reply('42');
    const session = await service.createSession();
    await all(session, message('What is the answer?'));
    return idOf(session);
  };
  const brought = async (service: AgentService, id: string) => {
    await service.customCommands.library.refresh();
    return {
      memory: service
        .session(id)
        .knowledge.memory.loaded()
        .map(({ label, isQuoted }) => (isQuoted ? `${label}, quoted` : label)),
      skills: service
        .session(id)
        .knowledge.skills.list()
        .map(({ name }) => name),
      commands: service.customCommands.library.list.map(({ name }) => name),
      agents: service.agents.waiting.flatMap(({ names }) => names),
      servers: service.mcp.statuses.map(({ name, state }) => `${name}: ${state.kind}`),
      hooks: service.hooks.waiting.map(({ event }) => event),
      rules: (await service.policies.files()).flatMap(({ tier, state }) => (tier === 'workspace' ? state : [])),
    };
  };
  const hasRun = async () => (await readdir(agent.workspace)).filter((name) => name.endsWith('-ran'));

  it('is listened to when it is trusted, and whatever would run requires approval', async () => {
    const service = await open(true);
    const id = await said(service);
    assert.deepEqual(await brought(service, id), {
      memory: ['GEMINI.md', 'AGENTS.md'],
      skills: ['release', 'changelog'],
      commands: ['git:commit'],
      agents: ['reviewer'],
      servers: ['notes: waiting'],
      hooks: ['BeforeTool'],
      rules: ['waiting'],
    });
    for (const words of ['GEMINI.md: use tabs', 'the imported file: no abbreviations', 'AGENTS.md: run the tests']) {
      assert.ok(told().includes(`Words of ${words}`), words);
    }
    assert.match(told(), /- release: How a release is made\..*- changelog: How the changelog is written\./);
    assert.doesNotMatch(told(), /Words of the (skill|shared skill|agent|command)|reviewer/);
    for (const tool of ['write_file', 'run_shell_command', 'activate_skill']) assert.ok(offered().has(tool), tool);
    assert.deepEqual(await hasRun(), []);

    for (const waiting of service.agents.waiting) await service.agents.accept(waiting);
    await said(service);
    assert.match(JSON.stringify(requests().at(-1)?.body), /Reviews changes of this project/);
  });

  it('is only looked at when it is not trusted', async () => {
    const service = await open(false);
    const id = await said(service);
    assert.deepEqual(await brought(service, id), {
      memory: ['GEMINI.md, quoted', 'AGENTS.md, quoted'],
      skills: [],
      commands: [],
      agents: [],
      servers: [],
      hooks: [],
      rules: [],
    });
    assert.match(
      told(),
      /meant as instructions for agents: GEMINI\.md, AGENTS\.md\. Because the folder is not trusted, they/,
    );
    const [ours, quoted = ''] = told().split('Quoted from GEMINI.md:');
    assert.match(
      quoted,
      /\\n> .*Words of GEMINI\.md: use tabs.*Quoted from AGENTS\.md:.*\\n> .*Words of AGENTS\.md: run the tests/,
    );
    assert.doesNotMatch(quoted, /Words of the imported file/);
    assert.doesNotMatch(ours ?? '', /Words of/);
    assert.doesNotMatch(told(), /release|changelog|reviewer/);
    for (const tool of ['write_file', 'replace', 'run_shell_command', 'activate_skill']) {
      assert.ok(!offered().has(tool), tool);
    }
    assert.ok(offered().has('read_file'));
    assert.match(JSON.stringify(requests().flatMap(({ toolResults }) => toolResults)), /answer = 42/);
    assert.deepEqual(await hasRun(), []);
  });
});
