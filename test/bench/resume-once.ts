import { productionRuntime } from './production-runtime.ts';
import { milliseconds } from './statistics.ts';

/** One resume in a process that has done nothing else yet, as after a restart: `resume-once.mjs SESSIONS ID`. */
const [sessions = '', id = ''] = process.argv.slice(2);
const service = productionRuntime({ url: '', workspace: sessions, sessions });
const time = await milliseconds(() => service.resumeSession(id));
await service.dispose();
process.stdout.write(JSON.stringify({ milliseconds: time }));
