import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { productTools } from '../../../../extension/tools/product-tools.ts';
import { useAgent } from '../../../support/agent.ts';
import { all, message } from '../../../support/conversation.ts';
import { call } from '../../../support/gemini/script.ts';
import { invoke, report, Subagents } from '../../../support/subagents.ts';

const onPosix = process.platform === 'win32' ? it.skip : it;

describe('A subagent whose command changes a protected file', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);

  onPosix('is told so, and the user is in the session that they see', async () => {
    await writeFile(join(agent.workspace, 'tool.sh'), 'echo evil > CLAUDE.md');
    await agents.define('smith', 'tools: [run_shell_command]');
    agents.script('Go', invoke('smith', 'Forge'), 'Thanks.');
    agents.script('Forge', call('run_shell_command', { command: 'sh tool.sh' }), report('Forged.'));
    const environment = {
      GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
      GEMINI_CLI_HOME: agents.home,
      PATH: process.env['PATH'] ?? '',
    };
    const session = await agent.open(productTools, { environment, approvalMode: 'yolo' }).createSession();
    const events = await all(session, message('Go'));
    const told = events.filter((event) => event.type === 'custom' && event.kind === 'protected_changed');
    assert.deepEqual(
      told.map(({ threadId }) => threadId),
      [undefined],
    );
    assert.match(agents.resultsOf('Forge').join(), /Protected files: while sh tool\.sh ran, CLAUDE\.md/);
  });
});
