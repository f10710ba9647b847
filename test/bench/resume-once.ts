import { monitorEventLoopDelay } from 'node:perf_hooks';
import { textPart } from '../../extension/protocol/agent/content-part.ts';
import { productionRuntime } from './production-runtime.ts';

/** One resume in a process that has done nothing else yet, as after a restart, and a message to it. */
const [url = '', sessions = '', id = ''] = process.argv.slice(2);
const service = productionRuntime({ url, workspace: sessions, sessions });
const started = performance.now();
const session = await service.resumeSession(id);
const resumed = performance.now() - started;
const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();
for await (const event of session.sendStream({ message: { content: [textPart('Go on')] } })) {
  if (event.type === 'agent_end' && event.reason !== 'completed') throw new Error(JSON.stringify(event));
}
loop.disable();
await service.dispose();
process.stdout.write(JSON.stringify({ resumed, blocked: loop.max / 1e6 }));
