import { AcpEditor } from '../support/acp-editor.ts';
import { all, message } from '../support/conversation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import type { Figures } from './measurement.ts';
import { forkModel } from './processes.ts';
import { MODEL, productionRuntime } from './production-runtime.ts';
import { median, milliseconds } from './statistics.ts';

/** The same turns in this process and for another editor, turn about: two requests, a read, and an answer in 100 chunks. */
export async function measureAcp({
  warmUp,
  turns,
}: {
  readonly warmUp: number;
  readonly turns: number;
}): Promise<Figures> {
  const { url, child } = await forkModel('endpoint');
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const sessions = await tempFolder('bench-sessions');
  const service = productionRuntime({ url, workspace: workspace.path, sessions: sessions.path });
  const session = await service.createSession();
  const editor = await AcpEditor.start({
    environment: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'test-key' },
    flags: ['--trust', '--model', MODEL],
  });
  const id = await editor.newSession(workspace.path);
  const times = { 'in process': [] as number[], ACP: [] as number[] };
  try {
    for (let turn = 0; turn < warmUp + turns; turn++) {
      const inProcess = await milliseconds(() => all(session, message('Read it')));
      const overAcp = await milliseconds(() => editor.prompt(id, 'Read it'));
      if (turn < warmUp) continue;
      times['in process'].push(inProcess);
      times.ACP.push(overAcp);
    }
    return { 'in process': median(times['in process']), ACP: median(times.ACP) };
  } finally {
    child.disconnect();
    await editor.quit();
    await service.dispose();
    await Promise.all([workspace.dispose(), sessions.dispose()]);
  }
}
