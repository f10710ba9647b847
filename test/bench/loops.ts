import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Content } from '@google/genai';
import type { AdkAgentProtocol } from '../../extension/runtime/adk-agent-protocol.ts';
import type { createAgentService } from '../../extension/runtime/main.ts';
import { all, message } from '../support/conversation.ts';
import { SdkClient } from '../support/gemini/sdk.ts';
import { repoRoot } from '../support/repo.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { pastTurn } from './past-turn.ts';

/** The same conversation twice: a bare SDK loop, and a session of the production bundle. */
export interface Loops {
  /** Two requests with a file read between them, and an answer in 100 chunks. */
  bareTurn(): Promise<void>;
  gantryTurn(): Promise<void>;
  /** Gives both the same past, as if they had had this many turns. */
  fill(turns: number): Promise<void>;
  dispose(): Promise<void>;
}

export async function startLoops(): Promise<Loops> {
  const child = fork(join(repoRoot, 'out/test/bench/endpoint.mjs'));
  const [url] = (await once(child, 'message')) as [string];
  const workspace = await createTempWorkspace({ 'a.txt': 'alpha\n'.repeat(200) });
  const path = join(workspace.path, 'a.txt');

  const sdk = new SdkClient(url);
  const history: Content[] = [];

  const require = createRequire(import.meta.url);
  const runtime: { createAgentService: typeof createAgentService } = require(join(repoRoot, 'dist/runtime.js'));
  const environment = { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'test-key' };
  const stored = await tempFolder('sessions');
  const host = testHost({ roots: [workspace.path], environment, modelName: sdk.model, sessions: stored.path });
  const service = runtime.createAgentService(host);
  const session = await service.createSession();
  const { journal } = (session['protocol'] as AdkAgentProtocol)['adk'];

  return {
    bareTurn: async () => {
      const text = await sdk.turn(history, 'Read it', () => ({ output: readFileSync(path, 'utf8') }));
      // As one part, not one per chunk: the history of the other loop has it so, and requests are to be alike.
      history.splice(-1, 1, { role: 'model', parts: [{ text }] });
    },
    gantryTurn: async () => {
      const end = (await all(session, message('Read it'))).at(-1);
      if (end?.type !== 'agent_end' || end.reason !== 'completed') {
        throw new Error(`A turn ended with ${JSON.stringify(end)}`);
      }
    },
    fill: async (turns) => {
      for (let turn = 0; turn < turns; turn++) {
        const past = pastTurn(turn, readFileSync(path, 'utf8'));
        for (const record of past.records) journal.append(record);
        history.push(...past.contents);
      }
    },
    dispose: async () => {
      child.disconnect();
      await service.dispose();
      await stored.dispose();
      await workspace.dispose();
    },
  };
}
