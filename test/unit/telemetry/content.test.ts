import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { sentAttributes } from '../../../extension/telemetry/attributes.ts';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, answer, message } from '../../support/conversation.ts';
import { call, modelVersion, together } from '../../support/gemini/script.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { startA2aSite } from '../../support/remote-agents/a2a-site.ts';
import { repoRoot } from '../../support/repo.ts';
import { createTempWorkspace, type TempWorkspace, writeFiles } from '../../support/temp-workspace.ts';
import { forEvents, prints, settingsWith } from '../hooks/hook-builders.ts';

/** In every text that a user, a project, a server, a hook or a model writes here. */
const MARKER = 'zebra';

describe('Telemetry', () => {
  const agent = useAgent();
  let receiver: OtlpReceiver;
  let home: TempWorkspace;
  beforeEach(async () => {
    receiver = await startOtlpReceiver();
    home = await createTempWorkspace();
  });
  afterEach(async () => {
    await home.dispose();
    await receiver.close();
  });

  it('says nothing of a conversation, a project, its servers, hooks and agents, here or elsewhere, or the machine', async () => {
    const site = await startA2aSite((turn) => turn.begin().say('zebra', 'A zebra.').end(undefined, 'A zebra.'));
    await cp(join(repoRoot, 'test/fixtures/project-with-everything'), agent.workspace, { recursive: true });
    await writeFiles(agent.workspace, {
      'zebra/zebra.ts': 'export const zebra = "zebra";\n',
      'GEMINI.md': 'Say zebra.\n',
      '.gemini/skills/zebra/SKILL.md': '---\nname: zebra\ndescription: Zebra\n---\nZebra.\n',
    });
    await home.write({
      ...settingsWith(
        forEvents({
          BeforeAgent: prints({ hookSpecificOutput: { additionalContext: 'zebra of a hook' } }),
          BeforeTool: prints({ systemMessage: 'zebra of a hook' }),
        }),
      ),
      '.gemini/agents/zebra-far.md': `---\nkind: remote\nname: zebra-far\ndescription: A zebra\nagent_card_url: ${site.cardUrl}?zebra\n---\n`,
      '.gemini/agents/zebra.md': '---\nname: zebra\ndescription: The zebra\nmodel: zebra-model\n---\nYou are zebra.\n',
    });
    const service = agent.open(productTools, {
      telemetry: { endpoint: receiver.url, headers: { 'x-key': '${env:OTLP_KEY}' } },
      modelName: 'zebra-alias',
      modelConfigs: { aliases: { 'zebra-alias': { modelConfig: { model: 'zebra-tuned' } } } },
      mcpServers: { zebra: stdio('good', { trust: true }) },
      environment: {
        GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
        GEMINI_CLI_HOME: home.path,
        PATH: process.env['PATH'] ?? '',
        OTLP_KEY: 'quagga-secret',
      },
    });
    const { endpoint } = agent;
    endpoint.reply(
      'I look at zebra.',
      together(
        call('read_file', { file_path: 'zebra/zebra.ts' }),
        call('grep_search', { pattern: 'zebra' }),
        call('mcp_zebra_echo', { text: 'zebra' }),
        call('zebra_tool', { zebra: 'zebra' }),
      ),
      modelVersion('zebra-2'),
    );
    endpoint.reply(
      together(
        call('write_file', { file_path: 'zebra/new.txt', content: 'zebra' }),
        call('run_shell_command', { command: 'echo zebra; cat zebra/none', description: 'zebra' }),
        call('read_file', { file_path: 'zebra/none.ts' }),
      ),
    );
    endpoint.reply(call('invoke_agent', { agent_name: 'zebra-far', prompt: 'Find a zebra' }));
    endpoint.reply({ kind: 'http', status: 400, headers: {}, body: '{"error":{"code":400,"message":"zebra"}}' });
    endpoint.replyTitle('A zebra');
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
    });
    await all(session, message('What is a zebra? Look at @zebra/zebra.ts'));
    assert.ok(session.events.filter(({ type }) => type === 'tool_response').length >= 8);
    assert.deepEqual(site.messages, ['Find a zebra']);
    await site.dispose();
    const id = idOf(session);
    await service.dispose();

    assert.ok(receiver.spans.some(({ name }) => name === 'execute_tool mcp'));
    assert.ok(receiver.spans.some(({ name }) => name === 'chat custom'));
    assert.ok(receiver.spans.some(({ name }) => name === 'remote_agent'));
    // What the remote agent learns from telemetry: random IDs.
    for (const { headers } of site.requests)
      assert.match(String(headers['traceparent'] ?? ''), /^(?:00-[\da-f]{32}-[\da-f]{16}-01)?$/);
    const { wire } = receiver;
    // The endpoint of the test is on this machine, and so is in the headers of each request.
    const sent = wire.replaceAll(/"host":"[^"]*"/g, '').replaceAll('"x-key":"quagga-secret"', '');
    for (const word of [MARKER, 'quagga', agent.workspace, agent.sessions, home.path, homedir(), hostname()])
      assert.ok(!sent.toLowerCase().includes(word.toLowerCase()), word);
    assert.ok(sent.includes(id), 'the random ID of the session is sent, so that its spans can be found');
  });

  it('sends no attribute that is not in its list, and no value that its list does not expect', () => {
    const facts = {
      'gen_ai.tool.name': MARKER,
      'gen_ai.agent.name': MARKER,
      'gen_ai.request.model': `gemini-${'x'.repeat(60)}`,
      'gen_ai.response.model': 'gemini-2.5-pro',
      'gen_ai.tool.call.id': `call-1 ${MARKER}`,
      'gen_ai.conversation.id': MARKER,
      'gen_ai.usage.input_tokens': Number.NaN,
      'gen_ai.response.finish_reasons': MARKER,
      'error.type': `${MARKER} at line 1`,
      'gantry.tool.kind': MARKER,
      zebra: MARKER,
      constructor: MARKER,
    };
    assert.deepEqual(sentAttributes(facts), {
      'gen_ai.tool.name': 'other',
      'gen_ai.agent.name': 'custom',
      'gen_ai.request.model': 'custom',
      'gen_ai.response.model': 'gemini-2.5-pro',
      'gen_ai.response.finish_reasons': ['other'],
      'error.type': '_OTHER',
      'gantry.tool.kind': 'other',
    });
  });
});
