import { fork } from 'node:child_process';
import { once } from 'node:events';
import { clientOf, collected, fetchWith, said } from '../support/a2a-server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import type { ServerFigures } from './a2a-load.ts';
import type { Figures } from './measurement.ts';
import { benchProgram, forkModel } from './processes.ts';

/** Tasks of one context. Then the client begins another one. After 100 tasks, as many sessions are open as stay open. */
const PER_CONTEXT = 5;
/** V8 compiles what is used, and keeps what it learns about it beside the values. */
const WARM_UP = 400;
const WARM_UP_AT_ONCE = 10;
/** As many at the same time as keep the server busy. */
const AT_ONCE = 4;

interface LoadedServer {
  readonly ask: (contextId?: string) => Promise<string>;
  readonly figures: () => Promise<ServerFigures>;
}

/**
 * Optimized code comes with lists and feedback that V8 counts as values, a hundred times as much as tasks leave behind.
 */
const WITHOUT_OPTIMIZED_CODE = ['--no-opt'];

/** Megabytes of the server's heap after some tasks, and after many, without compiled code. */
export async function measureTaskMemory(few: number, many: number): Promise<Figures> {
  return withServer(async ({ ask, figures }) => {
    const tasks = async (count: number): Promise<number> => {
      let left = count / PER_CONTEXT;
      const work = async (): Promise<void> => {
        while (left-- > 0) {
          let context: string | undefined;
          for (let task = 0; task < PER_CONTEXT; task++) context = await ask(context);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return (await figures()).heap;
    };
    await tasks(WARM_UP);
    const after = await tasks(few);
    return { [`after ${few}`]: after, [`after ${many}`]: await tasks(many - few) };
  }, WITHOUT_OPTIMIZED_CODE);
}

/** One task whose answer streams, and many at the same time: megabytes at the most, and how late the event loop is. */
export async function measureTasksAtOnce(many: number): Promise<{ readonly peak: Figures; readonly p99: Figures }> {
  const measured = async (count: number): Promise<ServerFigures> =>
    withServer(async ({ ask, figures }) => {
      for (let warmUp = 0; warmUp < WARM_UP_AT_ONCE; warmUp++) await ask();
      await figures();
      await Promise.all(Array.from({ length: count }, () => ask()));
      return figures();
    });
  const [one, all] = [await measured(1), await measured(many)];
  return { peak: { one: one.peak, [many]: all.peak }, p99: { one: one.p99, [many]: all.p99 } };
}

async function withServer<T>(work: (server: LoadedServer) => Promise<T>, execArgv: string[] = []): Promise<T> {
  const { url, child: model } = await forkModel('endpoint');
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const sessions = await tempFolder('bench-sessions');
  const child = fork(benchProgram('a2a-load'), [url, workspace.path, sessions.path], { execArgv });
  try {
    const [server] = (await once(child, 'message')) as [{ readonly url: string; readonly token: string }];
    const client = await clientOf(
      server.url,
      fetchWith(() => server.token),
    );
    return await work({
      ask: async (contextId = '') => {
        const [first, ...rest] = await collected(client.sendMessageStream(said('Read it', { contextId })));
        const last = rest.at(-1)?.payload;
        if (first?.payload?.$case !== 'task' || last?.$case !== 'statusUpdate') throw new Error('A task failed.');
        return first.payload.value.contextId;
      },
      figures: async () => {
        child.send('figures');
        const [figures] = (await once(child, 'message')) as [ServerFigures];
        return figures;
      },
    });
  } finally {
    child.disconnect();
    model.disconnect();
    await Promise.all([workspace.dispose(), sessions.dispose()]);
  }
}
