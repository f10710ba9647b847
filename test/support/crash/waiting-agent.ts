import { writeSync } from 'node:fs';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { message } from '../conversation.ts';
import { toolsOf } from '../subagents.ts';
import { testHost } from '../test-host.ts';
import { markTool } from './mark-tool.ts';

/**
 * A process in which agents work until it is killed: node waiting-agent.js <sessions> <workspace> <endpoint> <home>. It
 * sends "Go" in a new session, and prints the session's id whenever an approval is requested.
 */
async function main([sessions = '', workspace = '', endpoint = '', home = '']: readonly string[]): Promise<void> {
  const environment = { GOOGLE_GEMINI_BASE_URL: endpoint, GEMINI_CLI_HOME: home };
  const service = new AgentService(
    testHost({ sessions, roots: [workspace], environment }),
    toolsOf(markTool(workspace)),
  );
  const session = await service.createSession();
  session.subscribe((event) => {
    if (event.type === 'elicitation_request') writeSync(1, `${session.id}\n`);
  });
  await session.send(message('Go'));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  writeSync(2, `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
