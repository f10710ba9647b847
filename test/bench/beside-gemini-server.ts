import { A2aServer } from '../support/a2a-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { ANSWER } from './endpoint-answer.ts';
import {
  GEMINI_SERVER,
  type ServerProcess,
  startGeminiServer,
  unpackGeminiServer,
  untilHealthy,
} from './gemini-server.ts';
import type { Figures } from './measurement.ts';
import { residentMegabytes } from './peak-memory.ts';
import { forkModel } from './processes.ts';
import { MODEL } from './production-runtime.ts';
import { median } from './statistics.ts';

/** Of both servers, in ms and MB. */
export interface BesideGeminiServer {
  /** From the start of the process until it answers. */
  readonly start: Figures;
  /** A task in a context of its own. */
  readonly task: Figures;
  /** The next turn in a context. */
  readonly turn: Figures;
  /** After the tasks. */
  readonly memory: Figures;
}

const STARTS = 3;
const WARM_UP = 10;
const TASKS = 200;
/** Its turns take longer and longer. */
const TURNS = 40;

type Start = () => Promise<ServerProcess>;

/** Two requests to the model, a read between them, and an answer in 100 chunks, for a client of A2A 0.3. */
export async function measureBesideGeminiServer(): Promise<BesideGeminiServer> {
  const folder = await unpackGeminiServer();
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const home = await tempFolder('bench-home');
  const { url: model, child } = await forkModel('model-server', 'turns', 'read_file', '{"file_path":"a.txt"}');
  const options = { model, workspace: workspace.path, home: home.path };
  const starts: Readonly<Record<string, Start>> = {
    Gantry: () => startGantry(options),
    [GEMINI_SERVER]: () => startGeminiServer(folder, { ...options, isYolo: true }),
  };
  try {
    const start = await alternating(starts, STARTS, async (begin) => {
      const server = await begin();
      return () => server.stop();
    });
    const servers = Object.fromEntries(
      await Promise.all(Object.entries(starts).map(async ([name, begin]) => [name, await begin()] as const)),
    );
    try {
      const task = await alternating(servers, TASKS, async (server) => {
        await send(server, {});
        return undefined;
      });
      const memory = Object.fromEntries(
        Object.entries(servers).map(([name, { pid }]) => [name, residentMegabytes(pid)]),
      );
      const places = new Map<ServerProcess, Place>();
      const turn = await alternating(servers, TURNS, async (server) => {
        places.set(server, await send(server, places.get(server) ?? {}));
        return undefined;
      });
      return { start, task, turn, memory };
    } finally {
      for (const server of Object.values(servers)) await server.stop();
    }
  } finally {
    child.disconnect();
    await Promise.all([workspace.dispose(), home.dispose()]);
  }
}

/**
 * Medians. They take turns, so that a busy moment of the machine affects both; the first few only fill caches. What the work
 * returns is called afterwards and doesn't count.
 */
async function alternating<Subject>(
  subjects: Readonly<Record<string, Subject>>,
  count: number,
  work: (subject: Subject) => Promise<(() => Promise<void>) | undefined>,
): Promise<Figures> {
  const times = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
  const warmUp = Math.min(WARM_UP, Math.ceil(count / 3));
  for (let round = 0; round < warmUp + count; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const begin = performance.now();
      const after = await work(subject);
      if (round >= warmUp) times.get(name)?.push(performance.now() - begin);
      await after?.();
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
}

async function startGantry({ model, workspace, home }: Readonly<Record<'model' | 'workspace' | 'home', string>>) {
  const environment = { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'test-key', HOME: home, GANTRY_HOME: home };
  const flags = ['--trust', '--model', MODEL, '--approval-mode', 'yolo'];
  const server = await A2aServer.start({ workspace, environment, flags });
  await untilHealthy(server.url);
  const headers = { Authorization: `Bearer ${server.token}` };
  return { url: server.url, headers, pid: server.pid, stop: async () => void (await server.stop()) };
}

/** Where a message belongs. */
interface Place {
  readonly contextId?: string | undefined;
  /** Its tasks never end: the next message of a context names the task. */
  readonly taskId?: string | undefined;
}

let messages = 0;

/** Sends a message and reads the answer. Returns where the next message of the context belongs. */
async function send({ url, headers }: ServerProcess, place: Place): Promise<Place> {
  const parts = [{ kind: 'text', text: 'Read it' }];
  const message = { kind: 'message', messageId: `message-${++messages}`, role: 'user', parts, ...place };
  const body = JSON.stringify({ jsonrpc: '2.0', id: messages, method: 'message/stream', params: { message } });
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  const text = await response.text();
  if (!text.includes(ANSWER.at(-1) ?? '')) throw new Error(`A task failed: ${text.slice(-500)}`);
  const [, contextId] = /"contextId":"([^"]+)"/.exec(text) ?? [];
  const [, taskId] = /"taskId":"([^"]+)"/.exec(text) ?? [];
  return { contextId, taskId: text.includes('"input-required"') ? taskId : undefined };
}
