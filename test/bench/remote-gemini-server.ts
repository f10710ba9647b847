import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentService } from '../../extension/runtime/agent-service.ts';
import { all, answer, message } from '../support/conversation.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { invoke, toolsOf } from '../support/subagents.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testHost } from '../support/test-host.ts';
import { ANSWER } from './endpoint-answer.ts';
import { startGeminiServer, unpackGeminiServer } from './gemini-server.ts';
import type { Figures } from './measurement.ts';
import { forkModel } from './processes.ts';

const FILE = 'made.txt';
const TEXT = 'by the other agent';

/**
 * Hands a task to Gemini CLI's A2A server, as a remote agent: it asks whether it may write a file, the user says yes, and
 * its answer is the report. Fails if anything of that doesn't happen.
 */
export async function measureRemoteGeminiServer(): Promise<Figures> {
  const folder = await unpackGeminiServer();
  const [workspace, home, theirs] = [
    await tempFolder('bench-work'),
    await tempFolder('bench-home'),
    await tempFolder('bench-theirs'),
  ];
  const write = JSON.stringify({ file_path: join(workspace.path, FILE), content: TEXT });
  const model = await forkModel('model-server', 'turns', 'write_file', write);
  const endpoint = await startGeminiEndpoint();
  const server = await startGeminiServer(folder, { model: model.url, workspace: workspace.path, home: theirs.path });
  const agents = join(home.path, '.gemini', 'agents');
  await mkdir(agents, { recursive: true });
  const card = `agent_card_url: ${server.url}.well-known/agent-card.json`;
  await writeFile(join(agents, 'far.md'), `---\nname: far\ndescription: Writes files\nkind: remote\n${card}\n---\n`);
  const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_CLI_HOME: home.path };
  const host = testHost({ environment, sessions: join(home.path, 'sessions'), roots: [workspace.path] });
  const service = new AgentService(host, toolsOf());
  try {
    const session = await service.createSession();
    let questions = 0;
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      questions++;
      const isCall = event._meta?.approval?.details.type !== 'ask_user';
      void session.send(isCall ? answer(event.requestId, 'accept') : yes(event.requestId));
    });
    endpoint.reply(invoke('far', 'Write it'));
    endpoint.reply('Thanks.');
    const begin = performance.now();
    await all(session, message('Go'));
    const ms = performance.now() - begin;
    const reported = JSON.stringify(endpoint.requests.at(-1)?.toolResults ?? []);
    const written = await readFile(join(workspace.path, FILE), 'utf8').catch(() => '');
    if (questions !== 2 || written !== TEXT || !reported.includes(ANSWER.join('').trim())) {
      throw new Error(`It asked ${questions} questions, wrote "${written}" and reported ${reported}`);
    }
    return { 'with its question': ms };
  } finally {
    model.child.disconnect();
    await service.dispose();
    await server.stop();
    for (const part of [endpoint, workspace, home, theirs]) await part.dispose();
  }
}

function yes(requestId: string) {
  return {
    elicitations: [{ requestId, action: 'accept', content: { decision: 'once', answers: { 0: 'Yes' } } }],
  } as const;
}
