import { once } from 'node:events';
import { dirname } from 'node:path';
import { textPart } from '../../extension/protocol/agent/content-part.ts';
import { productionRuntime } from './production-runtime.ts';

/** The same as bare-loop.ts with a stored session of the production bundle: `gantry-loop.mjs URL FILE TURNS SESSIONS`. */
const [url = '', file = '', turns = '1', sessions = ''] = process.argv.slice(2);
const service = productionRuntime({ url, workspace: dirname(file), sessions });
const session = await service.createSession();
for (let turn = 0; turn < Number(turns); turn++) {
  for await (const event of session.sendStream({ message: { content: [textPart('Read it')] } })) {
    if (event.type === 'agent_end' && event.reason !== 'completed') throw new Error(JSON.stringify(event));
  }
}
await service.dispose();
const text = JSON.stringify({ maxRssKilobytes: process.resourceUsage().maxRSS });
if (!process.stdout.write(text)) await once(process.stdout, 'drain');
