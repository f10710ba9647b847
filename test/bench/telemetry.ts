import { createServer } from 'node:http';
import { all, message } from '../support/conversation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import type { Figures } from './measurement.ts';
import { forkModel } from './processes.ts';
import { productionRuntime } from './production-runtime.ts';
import { median, milliseconds } from './statistics.ts';

/** Nothing listens on the port for discarding on a machine of today. */
const DEAD = 'http://127.0.0.1:9';

/**
 * The same turn without telemetry, with it, and with a receiver that is gone, in turn: two requests and a read. Each turn
 * is compared with the one without telemetry beside it, because a machine isn't equally fast all the time, and the
 * difference is small.
 */
export async function measureTelemetry({
  warmUp,
  turns,
}: {
  readonly warmUp: number;
  readonly turns: number;
}): Promise<Figures> {
  const { url, child } = await forkModel('endpoint');
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const sessions = await tempFolder('bench-sessions');
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const kinds = { off: '', on: `http://127.0.0.1:${port}`, 'no receiver': DEAD };
  const open = async ([name, otlp]: readonly [string, string]) => {
    const service = productionRuntime({ url, workspace: workspace.path, sessions: sessions.path, otlp });
    return { name, service, session: await service.createSession(), times: [] as number[] };
  };
  const runs = await Promise.all(Object.entries(kinds).map(open));
  try {
    for (let turn = 0; turn < warmUp + turns; turn++) {
      // Each is first as often as the others.
      const order = runs.map((_, index) => runs[(index + turn) % runs.length]);
      for (const each of order) {
        if (!each) continue;
        const ms = await milliseconds(() => all(each.session, message('Read it')));
        if (turn >= warmUp) each.times.push(ms);
      }
    }
    const off = runs[0]?.times ?? [];
    const usual = median(off);
    const longer = (times: readonly number[]): number =>
      median(times.map((ms, turn) => ms / (off[turn] ?? Number.NaN)));
    return Object.fromEntries(runs.map(({ name, times }) => [name, usual * longer(times)]));
  } finally {
    child.disconnect();
    await Promise.all(runs.map(({ service }) => service.dispose()));
    receiver.closeAllConnections();
    receiver.close();
    await Promise.all([workspace.dispose(), sessions.dispose()]);
  }
}
