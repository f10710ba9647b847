import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serveA2a } from '../../extension/a2a/main.ts';
import { testHost } from '../support/test-host.ts';
import { productionRuntime } from './production-runtime.ts';

/**
 * The A2A server in a process of its own, which can say how much memory it holds: `a2a-load.mjs MODEL WORKSPACE SESSIONS`.
 * The parent process gets the address and the token, and sends any message to learn the figures since the last one.
 */
export interface ServerFigures {
  /** Megabytes after everything that can be freed was freed, without compiled code, which V8 adds to for minutes. */
  readonly heap: number;
  /** Megabytes at the most since the start. */
  readonly peak: number;
  /** Milliseconds by which the event loop was late. */
  readonly p99: number;
}

const [url = '', workspace = '', sessions = ''] = process.argv.slice(2);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const service = productionRuntime({ url, workspace, sessions, connectsDirectly: true });
const server = await serveA2a({
  version: '0.0.0',
  port: 0,
  environment: { GANTRY_HOME: sessions },
  service,
  workspace,
  approves: true,
  textOf: ({ title }) => title,
  log: testHost({ roots: [workspace] }).log,
});
const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on('message', () => {
  const p99 = delays.percentile(99) / 1e6;
  collectGarbage();
  const { code_and_metadata_size: compiled, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  const figures: ServerFigures = {
    heap: (process.memoryUsage().heapUsed - compiled - bytecode) / 1e6,
    peak: process.resourceUsage().maxRSS / 1000,
    p99,
  };
  delays.reset();
  process.send?.(figures);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: server.url, token: server.token });
