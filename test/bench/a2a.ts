import { A2aServer, collected, said } from '../support/a2a-server.ts';
import { all, message } from '../support/conversation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import type { Figures } from './measurement.ts';
import { forkModel } from './processes.ts';
import { MODEL, productionRuntime } from './production-runtime.ts';
import { median, milliseconds } from './statistics.ts';

/** The same turns in this process and for a client of A2A, turn about: two requests, a read, and an answer in 100 chunks. */
export async function measureA2a({
  warmUp,
  turns,
}: {
  readonly warmUp: number;
  readonly turns: number;
}): Promise<Figures> {
  const { url, child } = await forkModel('endpoint');
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const [sessions, home] = [await tempFolder('bench-sessions'), await tempFolder('bench-home')];
  const service = productionRuntime({ url, workspace: workspace.path, sessions: sessions.path });
  const session = await service.createSession();
  const server = await A2aServer.start({
    workspace: workspace.path,
    environment: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'test-key', GANTRY_HOME: home.path },
    flags: ['--trust', '--model', MODEL],
  });
  const client = await server.client();
  let contextId = '';
  const ask = async (): Promise<void> => {
    const [first] = await collected(client.sendMessageStream(said('Read it', { contextId })));
    if (first?.payload?.$case === 'task') contextId = first.payload.value.contextId;
  };
  const times = { 'in process': [] as number[], A2A: [] as number[] };
  try {
    for (let turn = 0; turn < warmUp + turns; turn++) {
      const inProcess = await milliseconds(() => all(session, message('Read it')));
      const overA2a = await milliseconds(ask);
      if (turn < warmUp) continue;
      times['in process'].push(inProcess);
      times.A2A.push(overA2a);
    }
    return { 'in process': median(times['in process']), A2A: median(times.A2A) };
  } finally {
    child.disconnect();
    await server.stop();
    await service.dispose();
    await Promise.all([workspace.dispose(), sessions.dispose(), home.dispose()]);
  }
}
