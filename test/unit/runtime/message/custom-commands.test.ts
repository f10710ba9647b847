import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { PreparedCommand } from '../../../../extension/commands/prepare-command.ts';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { productTools } from '../../../../extension/tools/product-tools.ts';
import { idOf, useAgent } from '../../../support/agent.ts';
import { all, message } from '../../../support/conversation.ts';
import { type TestHostOptions, testHost } from '../../../support/test-host.ts';

describe('Custom commands of a session', () => {
  const agent = useAgent();
  const prepareIn = async (prompt: string, args: string, options: TestHostOptions = {}) => {
    await mkdir(join(agent.workspace, '.gemini', 'commands'), { recursive: true });
    await writeFile(join(agent.workspace, '.gemini', 'commands', 'x.toml'), `prompt = '''${prompt}'''`);
    const environment = { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url };
    const host = testHost({ environment, sessions: agent.sessions, roots: [agent.workspace], ...options });
    const service = new AgentService(host, productTools);
    const session = await service.createSession();
    agent.endpoint.reply('hello');
    await all(session, message('Hello'));
    await service.customCommands.library.refresh();
    const command = service.customCommands.library.find('x');
    assert.ok(command);
    return { service, prepared: await service.customCommands.prepare(idOf(session), command, args) };
  };
  const outputOf = async (prepared: PreparedCommand, agreed: readonly string[]) => {
    const { parts } = await prepared.complete(agreed, new AbortController().signal);
    return parts.map((part) => (part.type === 'reference' ? part.text : '')).join('');
  };

  it('run in the folder after approval, and say how they ended', async () => {
    const { service, prepared } = await prepareIn(
      'Say: !{printf %s {{args}} > said.txt; cat said.txt; exit 3}',
      "it's $(id)",
    );
    assert.equal(prepared.wanted[0]?.decision, 'ask_user');
    const text = await outputOf(
      prepared,
      prepared.wanted.map(({ command }) => command),
    );
    assert.equal(text, "Say: it's $(id)\n[The command ended with exit code 3.]");
    await service.dispose();
  });

  it('are judged by the rules: what only looks runs without a question, and nothing while a plan is made', async () => {
    const looking = await prepareIn('!{ls}', '');
    assert.equal(looking.prepared.wanted[0]?.decision, 'allow');
    await looking.service.dispose();
    const planning = await prepareIn('!{ls}', '', { approvalMode: 'plan' });
    assert.equal(planning.prepared.wanted[0]?.decision, 'deny');
    await planning.service.dispose();
    const alone = await prepareIn('!{touch x}', '', { interactive: false });
    assert.equal(alone.prepared.wanted[0]?.decision, 'deny');
    await alone.service.dispose();
  });
});
