import { A2aServer, collected, said } from '../support/a2a-server.ts';
import { AcpEditor } from '../support/acp-editor.ts';
import { all, message } from '../support/conversation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import type { Figures } from './measurement.ts';
import { forkModel } from './processes.ts';
import { MODEL, productionRuntime } from './production-runtime.ts';
import { median, milliseconds } from './statistics.ts';

/** Starts the command line in a process of its own for a client of a protocol. */
type StartClient = (
  workspace: string,
  environment: Readonly<Record<string, string>>,
) => Promise<{ readonly ask: (text: string) => Promise<unknown>; readonly quit: () => Promise<unknown> }>;

const FLAGS = ['--trust', '--model', MODEL];

const CLIENTS = {
  ACP: async (workspace, environment) => {
    const editor = await AcpEditor.start({ environment, flags: FLAGS });
    const id = await editor.newSession(workspace);
    return { ask: (text) => editor.prompt(id, text), quit: () => editor.quit() };
  },
  A2A: async (workspace, environment) => {
    const server = await A2aServer.start({ workspace, environment, flags: FLAGS });
    const client = await server.client();
    let contextId = '';
    const ask = async (text: string): Promise<void> => {
      const [first] = await collected(client.sendMessageStream(said(text, { contextId })));
      if (first?.payload?.$case === 'task') contextId = first.payload.value.contextId;
    };
    return { ask, quit: () => server.stop() };
  },
} satisfies Readonly<Record<string, StartClient>>;

/** The same turns in this process and for a client, turn about: two requests, a read, and an answer in 100 chunks. */
export async function measureClient(
  name: keyof typeof CLIENTS,
  { warmUp, turns }: { readonly warmUp: number; readonly turns: number },
): Promise<Figures> {
  const { url, child } = await forkModel('endpoint');
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const [sessions, home] = [await tempFolder('bench-sessions'), await tempFolder('bench-home')];
  const service = productionRuntime({ url, workspace: workspace.path, sessions: sessions.path });
  const session = await service.createSession();
  const environment = { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'test-key', GANTRY_HOME: home.path };
  const client = await CLIENTS[name](workspace.path, environment);
  const times = { inProcess: [] as number[], client: [] as number[] };
  try {
    for (let turn = 0; turn < warmUp + turns; turn++) {
      const inProcess = await milliseconds(() => all(session, message('Read it')));
      const forClient = await milliseconds(() => client.ask('Read it'));
      if (turn < warmUp) continue;
      times.inProcess.push(inProcess);
      times.client.push(forClient);
    }
    return { 'in process': median(times.inProcess), [name]: median(times.client) };
  } finally {
    child.disconnect();
    await client.quit();
    await service.dispose();
    await Promise.all([workspace.dispose(), sessions.dispose(), home.dispose()]);
  }
}
