import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Content } from '@google/genai';
import type { createAgentService } from '../../extension/runtime/main.ts';
import { all, message } from '../support/conversation.ts';
import { SdkClient } from '../support/gemini/sdk.ts';
import { repoRoot } from '../support/repo.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { median, milliseconds } from './statistics.ts';

const WARM_UP = 10;
const TURNS = 60;

export interface TurnCost {
  readonly sdkMs: number;
  readonly gantryMs: number;
  readonly ratio: number;
}

/**
 * The same conversation twice, turn about: a bare SDK loop, and a session of the production bundle. Each turn is two
 * requests with a file read between them, and an answer in 100 chunks.
 */
export async function measureTurns(): Promise<TurnCost> {
  const child = fork(join(repoRoot, 'out/test/bench/endpoint.mjs'));
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  try {
    const [url] = (await once(child, 'message')) as [string];
    const sdk = new SdkClient(url);
    const history: Content[] = [];
    const path = join(workspace.path, 'a.txt');
    const bareTurn = (): Promise<string> =>
      sdk.turn(history, 'Read it', () => ({ output: readFileSync(path, 'utf8') }));

    const require = createRequire(import.meta.url);
    const runtime: { createAgentService: typeof createAgentService } = require(join(repoRoot, 'dist/runtime.js'));
    const environment = { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'test-key' };
    const host = testHost({ roots: [workspace.path], environment, modelName: sdk.model });
    const session = await runtime.createAgentService(host).createSession();
    const gantryTurn = async (): Promise<void> => {
      const events = await all(session, message('Read it'));
      const end = events.at(-1);
      if (end?.type !== 'agent_end' || end.reason !== 'completed')
        throw new Error(`A turn ended with ${JSON.stringify(end)}`);
    };

    const sdkTimes: number[] = [];
    const gantryTimes: number[] = [];
    for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
      const bare = await milliseconds(bareTurn);
      const gantry = await milliseconds(gantryTurn);
      if (turn >= WARM_UP) {
        sdkTimes.push(bare);
        gantryTimes.push(gantry);
      }
    }
    const [sdkMs, gantryMs] = [median(sdkTimes), median(gantryTimes)];
    return { sdkMs, gantryMs, ratio: gantryMs / sdkMs };
  } finally {
    child.disconnect();
    await workspace.dispose();
  }
}
