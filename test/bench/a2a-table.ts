import { once } from '../../extension/base/once.ts';
import { measureTaskMemory, measureTasksAtOnce } from './a2a-tasks.ts';
import { type BesideGeminiServer, measureBesideGeminiServer } from './beside-gemini-server.ts';
import { GEMINI_SERVER } from './gemini-server.ts';
import type { Measurement } from './measurement.ts';
import { measureClient } from './other-clients.ts';
import { measureRemoteGeminiServer } from './remote-gemini-server.ts';

/** The A2A server, and with peers, the one of Gemini CLI beside it. */
export function a2aTable(withPeers: boolean): readonly Measurement[] {
  const atOnce = once(() => measureTasksAtOnce(50));
  const own: readonly Measurement[] = [
    {
      name: 'turns: for another program, over A2A',
      unit: 'ms',
      budget: { of: ['A2A'], per: 'in process', atMost: 1.25 },
      measure: () => measureClient('A2A', { warmUp: 10, turns: 60 }),
    },
    {
      name: 'tasks over A2A: heap',
      unit: 'MB',
      budget: { of: ['after 5000'], per: 'after 100', atMost: 1.1 },
      measure: () => measureTaskMemory(100, 5000),
    },
    {
      name: 'tasks over A2A: peak memory of 50 at once',
      unit: 'MB',
      budget: { of: ['50'], per: 'one', atMost: 2 },
      measure: async () => (await atOnce()).peak,
    },
    {
      name: 'tasks over A2A: lateness of the event loop with 50 at once, p99',
      unit: 'ms',
      budget: { of: ['50'], atMost: 50 },
      measure: async () => (await atOnce()).p99,
    },
  ];
  return withPeers ? [...own, ...besideGeminiServer()] : own;
}

function besideGeminiServer(): readonly Measurement[] {
  const run = once(measureBesideGeminiServer);
  const rows: readonly [string, keyof BesideGeminiServer, string, number][] = [
    ['start until it answers', 'start', 'ms', 1 / 4],
    ['a task in a context of its own', 'task', 'ms', 1 / 3],
    ['the next turn in a context', 'turn', 'ms', 1 / 3],
    ['memory after 200 tasks', 'memory', 'MB', 1 / 3],
  ];
  return [
    ...rows.map(([name, key, unit, atMost]) => ({
      name: `A2A beside ${GEMINI_SERVER}: ${name}`,
      unit,
      budget: { of: ['Gantry'], per: GEMINI_SERVER, atMost },
      measure: async () => (await run())[key],
    })),
    { name: `a task for ${GEMINI_SERVER} as a remote agent`, unit: 'ms', measure: measureRemoteGeminiServer },
  ];
}
